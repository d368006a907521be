/** The visitor's AIs as their files say, for an engine and for commands that list or choose one. */
import { type AuditSink, noAudit } from '@leuria/agent'
import type { BridgeCommand } from '@leuria/agent-acp'
import { type Clock, systemClock } from '@leuria/clock'
import { createEmbeddings, type EmbeddingChoice, type Embeddings, parseEmbeddingChoice } from '@leuria/embeddings'
import type { ConfigFile, ProvidersFile } from '@leuria/protocol'
import { type JsonFile, openConfig, openProviders } from '@leuria/state'
import { ENGINE_VERSION } from '../version.js'
import { type AcpAgents, createAcpAgents } from './acp-agents.js'
import type { AgentSource } from './agent-source.js'
import { listAis, type ListedAi } from './ai-list.js'
import { createBuiltinAgents } from './builtin-agents.js'
import { createModelServices, type ModelServices } from './model-services.js'

export interface VisitorAgents {
  source: AgentSource
  /** Agents that speak ACP. */
  acp: AcpAgents
  services: ModelServices
  embeddings: Embeddings
  /** The visitor's choice for them. */
  embeddingChoice(): EmbeddingChoice
  /** Which AIs there are, from memory. */
  list(): ListedAi[]
  /** Looks at every service and for agents now. Never rejects. */
  refresh(): Promise<void>
  /** Ends every agent's program and stops looking for models; closes no file. Idempotent. */
  close(): Promise<void>
}

export interface VisitorAgentsOptions {
  config: JsonFile<ConfigFile>
  providers: JsonFile<ProvidersFile>
  clock: Clock
  env: Readonly<Record<string, string | undefined>>
  /** Instead of the default AI in `config.json`. */
  defaultAgent?: string | undefined
  /** Besides those in `config.json`. */
  trustedAgents?: readonly string[] | undefined
  home: string
  audit: AuditSink
  /** For agents that take tools over stdio only. */
  bridgeCommand?: BridgeCommand | undefined
  /** Of the list of agents; absent: the public one. */
  registryUrl?: string | undefined
  log: (line: string) => void
}

/** On files that are open already. */
export function createVisitorAgents(options: VisitorAgentsOptions): VisitorAgents {
  const { config, providers, clock, env, defaultAgent, trustedAgents = [], ...rest } = options
  const services = createModelServices({ saved: () => providers.value.providers, env, clock })
  const settings = () => ({ agent: defaultAgent ?? config.value.agent, models: config.value.models })
  // A choice that can't be read counts as off: whoever wrote it may have meant that.
  const embeddingChoice = () => parseEmbeddingChoice(config.value.embed) ?? 'off'
  const trusted = () => [...trustedAgents, ...(config.value.trusted ?? [])]
  const acp = createAcpAgents({ ...rest, clock, trusted, engineVersion: ENGINE_VERSION })
  return {
    source: createBuiltinAgents({ settings, services, acp, clock }),
    acp,
    services,
    embeddings: createEmbeddings({ services: () => services.list(), choice: embeddingChoice }),
    embeddingChoice,
    list: () => listAis({ services: services.list(), agents: acp.known(), settings: settings() }),
    async refresh() {
      await Promise.all([acp.load(), ...services.list().map((service) => service.refresh())])
    },
    async close() {
      services.close()
      await acp.close()
    },
  }
}

/** The same with its files, and the file for changing the choice. The caller closes it. */
export type OpenVisitorAgents = VisitorAgents & { config: JsonFile<ConfigFile> }

/** Opens the home's files for one command. @throws StateError when they can't be read */
export async function openVisitorAgents(
  home: string,
  log: (line: string) => void,
  bridgeCommand?: BridgeCommand,
): Promise<OpenVisitorAgents> {
  const options = { home, log }
  const [config, providers] = await Promise.all([openConfig(options), openProviders(options)])
  const agents = createVisitorAgents({
    ...{ config, providers, home, log, bridgeCommand },
    clock: systemClock,
    env: process.env,
    audit: noAudit,
  })
  await agents.acp.load()
  return {
    ...agents,
    config,
    async close() {
      await agents.close()
      await Promise.all([config.close(), providers.close()])
    },
  }
}
