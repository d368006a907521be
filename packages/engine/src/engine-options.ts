/** What an engine is given, and its defaults. */
import { type AuditSink, noAudit } from '@leuria/agent'
import type { BridgeCommand } from '@leuria/agent-acp'
import { type Clock, systemClock } from '@leuria/clock'
import type { ToolLimits } from '@leuria/page-tools'
import type { SessionLimits } from '@leuria/session-manager'
import type { StateFs } from '@leuria/state'
import type { RelayLimits } from '@leuria/webmcp-relay'
import type { AgentSource } from './agents/agent-source.js'
import { type Log, noLog } from './log.js'
import type { SelfTest } from './self-test.js'

/** Where an engine listens, and its default AI's plain name. */
export interface Listening {
  port: number
  url: string
  agentName: string
}

export interface EngineOptions {
  /** The folder of all state; made when missing (0700). */
  home: string
  /** 0 takes a free one. @default the port in `config.json`, else 19570 */
  port?: number
  /** `page`: answers every origin and asks on its own page. `app`: silent to origins it doesn't know. @default 'page' */
  mode?: 'page' | 'app'
  /** Opens `/admin/*` in app mode, to whoever has it; at least 32 characters. Secret. @default there is no admin API */
  adminToken?: string
  /** The default AI for this run. @default the one in `config.json`, else the demo AI */
  defaultAgent?: string
  /** Ids of agents that may run outside a sandbox although nobody has checked them, besides those in `config.json`. */
  trustedAgents?: readonly string[]
  /**
   * The default AI, if it is an agent, has a program standing ready before a session needs it.
   * @default what `config.json` says, else true
   */
  warm?: boolean
  /** Where AIs come from. @default the demo AI, the visitor's services of models and their agents */
  agents?: AgentSource
  /**
   * What bridges stdio to the MCP endpoint, for agents that take tools over stdio only (`leuria mcp-stdio`).
   * @default such agents can't be used
   */
  bridgeCommand?: BridgeCommand
  /** Of the list of agents that can be installed. @default the public one */
  registryUrl?: string
  /** Tries an AI as a page would: `runSelfTest` of `@leuria/self-test`, which stands on this package. @default there is no `/admin/test` */
  selfTest?: SelfTest
  /** @default keeps nothing */
  audit?: AuditSink
  /** @default systemClock */
  clock?: Clock
  /** @default says nothing */
  log?: Log
  /** Hears that the engine listens as soon as it does: what comes then waits for `createEngine`, which may still fail. */
  listening?: (at: Listening) => void
  /** Other numbers for sessions, page channels and page tools, where these aren't the protocol's own. @default each part's */
  limits?: { sessions?: Partial<SessionLimits>; relay?: Partial<RelayLimits>; tools?: Partial<ToolLimits> }
  /** Where the home's files are. @default nodeFs of `@leuria/state` */
  fs?: StateFs
}

/** The options with their defaults filled in, where a default doesn't depend on files. */
export type Settings = EngineOptions & Required<Pick<EngineOptions, 'mode' | 'audit' | 'clock' | 'log'>>

export function withDefaults(options: EngineOptions): Settings {
  return {
    ...options,
    mode: options.mode ?? 'page',
    audit: options.audit ?? noAudit,
    clock: options.clock ?? systemClock,
    log: options.log ?? noLog,
  }
}
