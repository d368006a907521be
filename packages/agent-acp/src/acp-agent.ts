/**
 * An agent that speaks ACP, as an `AgentAdapter`. Joins the parts: a program from the pool, a session on it, its end.
 */
import { randomUUID } from 'node:crypto'
import {
  type AgentAdapter,
  AgentError,
  type AuditSink,
  type LaunchAgent,
  noAudit,
  type OpenOptions,
} from '@leuria/agent'
import { type Clock, systemClock } from '@leuria/clock'
import type { AcpConnection } from './acp-connection.js'
import { AcpSession } from './acp-session.js'
import { type AgentModels, modelsOfConfig } from './agent-models.js'
import type { AgentProfile } from './agent-profile.js'
import { type AgentState, readState, type SeenSignIn, signIn } from './agent-state.js'
import { findProfile } from './find-profile.js'
import { ACP_LIMITS, type AcpLimits } from './limits.js'
import { openSession } from './open-session.js'
import { type HeldProcess, ProcessPool } from './process-pool.js'
import { checkBeforeStart, checkStarted, type RunRule } from './run-rule.js'
import { LogLines } from './stderr-log.js'
import type { BridgeCommand } from './tool-servers.js'

export interface AcpAgentOptions {
  /** The registry's id, or the visitor's own. */
  id: string
  /** For people. */
  name: string
  command: string
  args?: readonly string[]
  /** What the registry or the visitor sets; over the profile's. */
  env?: Readonly<Record<string, string>>
  /** @default the one that is known for `id`, else one that knows nothing */
  profile?: AgentProfile
  /** The installed version, for agents that don't say theirs. */
  version?: string
  /** Starts the program in its box. */
  launch: LaunchAgent
  /** The visitor insists on an agent without a checked profile outside a sandbox (`--trust`). @default false */
  trusted?: boolean
  /** False: no launch will be boxed, so that an agent that needs it isn't even started. @default each start shows */
  sandbox?: boolean
  /** For agents that take MCP servers over stdio only. */
  bridgeCommand?: BridgeCommand
  /** The sign-in method to use by itself when the agent asks for one; asked each time. */
  authMethod?: string | (() => string | undefined)
  /** Hears what sessions show of the visitor's sign-in: a turn was answered, or the agent wants a sign-in. Must not throw. */
  onSignIn?: (seen: SeenSignIn) => void
  /** Sessions of one site may share a program, if the profile allows it. @default true */
  share?: boolean
  /** @default the system's clock */
  clock?: Clock
  audit?: AuditSink
  /** Lines that belong to no session. */
  log?: (line: string) => void
  limits?: Partial<AcpLimits>
  /** This engine's version, as agents see it. @default '0' */
  engineVersion?: string
}

export interface AcpAgent extends AgentAdapter {
  /** The models it offered last; `null`: not known yet, or it doesn't say. */
  models(): AgentModels | null
  /**
   * What it is like, and whether it is signed in; starts it for that.
   * @throws AgentError
   */
  inspect(options?: InspectOptions): Promise<AgentState>
  /**
   * Signs in by one of its methods. Agents open a browser themselves; it may take minutes.
   * @throws AgentError
   */
  signIn(methodId: string, options?: InspectOptions): Promise<AgentState>
  /** Keeps one program started for the session to come, and another when that has opened. Never rejects. */
  warm(): Promise<void>
  /** Ends the one that stands ready, and starts no other ahead. Sessions go on. Never rejects. */
  cool(): Promise<void>
  /** Programs that run, warm ones included. */
  readonly running: number
  /** Ends all programs, warm ones and those of sessions. Idempotent. */
  close(): Promise<void>
}

export interface InspectOptions {
  signal?: AbortSignal
  /** There is a terminal: the agent then tells its ways to sign in there too. @default false */
  terminal?: boolean
  log?: (line: string) => void
}

export function createAcpAgent(options: AcpAgentOptions): AcpAgent {
  return new Agent(options)
}

class Agent implements AcpAgent {
  readonly id: string
  readonly name: string
  readonly #options: AcpAgentOptions
  readonly #profile: AgentProfile
  readonly #context: { id: string; name: string; clock: Clock; limits: AcpLimits; version: string }
  readonly #rule: RunRule
  readonly #pool: ProcessPool
  #models: AgentModels | null = null

  constructor(options: AcpAgentOptions) {
    const { id, name, clock = systemClock, log = () => undefined, engineVersion: version = '0' } = options
    this.id = id
    this.name = name
    this.#options = options
    this.#profile = options.profile ?? findProfile(id)
    this.#context = { id, name, clock, limits: { ...ACP_LIMITS, ...options.limits }, version }
    const { version: installed, trusted = false, sandbox } = options
    this.#rule = { id, name, profile: this.#profile, version: installed, trusted, sandbox }
    this.#pool = new ProcessPool({
      ...this.#context,
      command: options.command,
      args: options.args ?? [],
      env: options.env ?? {},
      profile: this.#profile,
      launch: options.launch,
      share: options.share ?? true,
      rule: {
        before: () => {
          checkBeforeStart(this.#rule)
        },
        started: ({ facts, process }) => {
          checkStarted(this.#rule, { version: facts.version, boxed: process.boxed })
        },
      },
      log,
    })
  }

  get running(): number {
    return this.#pool.size
  }

  models(): AgentModels | null {
    return this.#models
  }

  warm(): Promise<void> {
    return this.#pool.warm()
  }

  cool(): Promise<void> {
    return this.#pool.cool()
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  inspect(options: InspectOptions = {}): Promise<AgentState> {
    return this.#alone(options, (connection) => readState(connection, this.#context, this.#authMethod()))
  }

  signIn(methodId: string, options: InspectOptions = {}): Promise<AgentState> {
    return this.#alone({ ...options, keepSignIn: true }, (connection) => signIn(connection, methodId, this.#context))
  }

  async #alone(
    options: InspectOptions & { keepSignIn?: boolean },
    ask: (connection: AcpConnection) => Promise<AgentState>,
  ): Promise<AgentState> {
    const { signal = new AbortController().signal, log = () => undefined } = options
    const sessionId = `inspect-${randomUUID()}`
    const held = await this.#pool.take({ ...options, wishes: {}, sessionId, signal, log })
    const unlog = held.connection.onLog(log)
    const abort = (): void => void held.release(true)
    signal.addEventListener('abort', abort)
    try {
      const state = await ask(held.connection)
      this.#models = state.models ?? this.#models
      return state
    } finally {
      signal.removeEventListener('abort', abort)
      unlog()
      await held.release(true)
    }
  }

  async open(options: OpenOptions): Promise<AcpSession> {
    const { signal, sessionId, site, systemPrompt, maxTurns } = options
    if (signal.aborted) throw endedEarly()
    const lines = new LogLines({
      clock: this.#context.clock,
      write: (line) => {
        options.log(line)
      },
      secrets: [options.mcp.token],
    })
    const log = (line: string): void => {
      lines.line(line)
    }
    const wishes = { systemPrompt, maxTurns }
    const held = await this.#pool.take({ wishes, sessionId, site, signal, log })
    const abort = (): void => void held.release(true)
    signal.addEventListener('abort', abort)
    try {
      signal.throwIfAborted()
      const session = await this.#openOn(held, { options, lines })
      void this.#pool.renew(wishes)
      return session
    } catch (error) {
      await held.release(true)
      throw hasEnded(signal) ? endedEarly(error) : error
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  async #openOn(held: HeldProcess, { options, lines }: { options: OpenOptions; lines: LogLines }): Promise<AcpSession> {
    const { connection } = held
    const log = (line: string): void => {
      lines.line(line)
    }
    const unlog = connection.onLog(log)
    const { bridgeCommand: bridge, audit = noAudit } = this.#options
    const shared = { ...this.#context, connection, options, profile: this.#profile, bridge, log }
    const parts = { ...shared, authMethod: this.#authMethod() }
    const sawSignIn = this.#signInNotes(connection)
    try {
      const { agentSession, models, notice, usedMethod } = await openSession(parts)
      this.#models = models ?? this.#models
      return new AcpSession({
        ...parts,
        agentSession,
        notice,
        audit,
        lines,
        answered: (error) => {
          if (error === null) sawSignIn('signed_in', usedMethod)
          else if (error.code === 'signed_out') sawSignIn('signed_out')
        },
        onConfig: (configOptions) => {
          this.#models = modelsOfConfig(configOptions) ?? this.#models
        },
        release: async (broken) => {
          unlog()
          await held.release(broken)
        },
      })
    } catch (error) {
      unlog()
      if (error instanceof AgentError && error.code === 'signed_out') sawSignIn('signed_out')
      throw error
    }
  }

  #authMethod(): string | undefined {
    const { authMethod } = this.#options
    return typeof authMethod === 'function' ? authMethod() : authMethod
  }

  #signInNotes({ facts }: AcpConnection): (state: SeenSignIn['state'], method?: string) => void {
    const { onSignIn, version: installed } = this.#options
    const version = facts.version ?? installed
    return (state, method) => {
      onSignIn?.({ state, ...(method !== undefined && { method }), ...(version !== undefined && { version }) })
    }
  }
}

/** Asked anew: it may have ended while something was waited for. */
function hasEnded(signal: AbortSignal): boolean {
  return signal.aborted
}

function endedEarly(cause?: unknown): AgentError {
  return new AgentError('failed', 'The session ended before its AI had started.', { cause })
}
