/** The AIs that there are: the demo AI, the models of every service that the visitor has, and their agents. */
import { type AgentAdapter, AgentError } from '@leuria/agent'
import { createDemoAgent, DEMO_AGENT_NAME } from '@leuria/agent-demo'
import { type AiSettings, type ResolvedAi, resolveAi } from '@leuria/ai-choice'
import type { Clock } from '@leuria/clock'
import { parseAgentId } from '@leuria/protocol'
import type { AcpAgents } from './acp-agents.js'
import type { AgentSource } from './agent-source.js'
import { aiName, chosenModel } from './ai-name.js'
import type { ModelServices } from './model-services.js'

export interface BuiltinAgentsOptions {
  /** The visitor's settings, from memory. */
  settings: () => AiSettings
  services: ModelServices
  acp: AcpAgents
  clock: Clock
}

/** An agent is one program whatever its model: the model is said when a session opens. */
function withModel(adapter: AgentAdapter, model: string | undefined): AgentAdapter {
  if (model === undefined) return adapter
  return { id: adapter.id, name: adapter.name, open: (options) => adapter.open({ ...options, model }) }
}

export function createBuiltinAgents({ settings, services, acp, clock }: BuiltinAgentsOptions): AgentSource {
  const demo = createDemoAgent({ clock })

  const nameOf = (ai: ResolvedAi): string =>
    aiName(ai, { service: (id) => services.find(id), agentName: (id) => acp.find(id)?.name })

  return {
    idFor: (choice) => resolveAi(choice, settings()).id,
    nameFor: (choice) => nameOf(resolveAi(choice, settings())),
    async resolve(choice) {
      const ai = resolveAi(choice, settings())
      const id = parseAgentId(ai.id)
      if (id?.kind === 'demo') return demo
      const service = id?.kind === 'llm' ? services.find(id.provider) : undefined
      const adapter = service?.openAgent(chosenModel(ai)) ?? (id?.kind === 'agent' ? await acp.open(id.id) : null)
      if (adapter === null)
        throw new AgentError('unavailable', `The AI "${ai.id}" isn't set up here. Choose another one.`)
      return id?.kind === 'agent' ? withModel(adapter, chosenModel(ai)) : adapter
    },
    find(text) {
      const id = parseAgentId(text)
      if (id?.kind === 'demo') return { id: text, name: DEMO_AGENT_NAME, kind: 'agent' }
      if (id?.kind === 'agent') return acp.find(id.id)
      if (id?.kind !== 'llm' || services.find(id.provider) === undefined) return null
      return { id: text, name: nameOf(resolveAi({ agent: text }, settings())), kind: 'llm' }
    },
  }
}
