/**
 * One program that speaks ACP: its SDK connection, `initialize`, and who of its sessions hears what.
 * Knows nothing of turns. Every request ends: by its answer, by its limit, or by the program's end.
 */
import type { ClientConnection } from '@agentclientprotocol/sdk'
import { AgentError, type AgentExit, type AgentProcess } from '@leuria/agent'
import { type Clock, withDeadline } from '@leuria/clock'
import type * as z from 'zod/mini'
import { exitWords, fromAnswer } from './agent-errors.js'
import type { AcpLimits } from './limits.js'
import { createMessageStream } from './message-stream.js'
import { ReadGate } from './read-gate.js'
import { followStderr } from './stderr-log.js'
import { type AgentFacts, permissionRequest, readAgentFacts } from './wire-shapes.js'

export interface ConnectionContext {
  /** The adapter's id and name, for errors. */
  id: string
  name: string
  clock: Clock
  limits: AcpLimits
  /** Shown to agents. */
  version: string
  /** A terminal is there to sign in with: agents then tell their ways that need one. @default false */
  terminal?: boolean
}

/** ACP's answer to a permission request. */
export type PermissionAnswer = { outcome: 'selected'; optionId: string } | { outcome: 'cancelled' }

/** What a session hears. Called in the order of the agent's messages. */
export interface SessionListener {
  update(update: unknown): void
  /** `withdrawn` aborts when the agent takes the request back. */
  permission(request: { toolCall: unknown; options: readonly unknown[] }, withdrawn: AbortSignal): PermissionAnswer
}

const PROTOCOL_VERSION = 1

export class AcpConnection {
  readonly process: AgentProcess
  readonly gate = new ReadGate()
  /** How the program ended, or the connection to it; also after `close`. */
  readonly ended: Promise<AgentExit>
  readonly #context: ConnectionContext
  readonly #listeners = new Map<string, SessionListener>()
  readonly #logs = new Set<(line: string) => void>()
  /** All that the program wrote was handed on. */
  readonly #read: Promise<void>
  #endRead: () => void = () => undefined
  #connection: ClientConnection | null = null
  #facts: AgentFacts | null = null
  #closing: Promise<void> | null = null

  private constructor(process: AgentProcess, context: ConnectionContext) {
    this.process = process
    this.#context = context
    followStderr(process.stderr, (line) => {
      this.#log(line)
    })
    this.#read = new Promise((resolve) => (this.#endRead = resolve))
    this.ended = this.#watch()
  }

  /**
   * Takes over a program that was just started, and introduces itself.
   * @throws AgentError; the program is gone then
   */
  static async start(
    process: AgentProcess,
    context: ConnectionContext,
    log: (line: string) => void,
  ): Promise<AcpConnection> {
    const connection = new AcpConnection(process, context)
    const unlog = connection.onLog(log)
    try {
      await connection.#connect()
      await connection.#initialize()
      return connection
    } catch (error) {
      await connection.close()
      throw error
    } finally {
      unlog()
    }
  }

  get facts(): AgentFacts {
    if (this.#facts === null) throw new Error('The agent has not introduced itself.')
    return this.#facts
  }

  /** True until the connection has ended or `close` was called. */
  get alive(): boolean {
    return this.#closing === null && this.#connection?.signal.aborted === false
  }

  /** Stderr and noise. Returns its undo. */
  onLog(log: (line: string) => void): () => void {
    this.#logs.add(log)
    return () => this.#logs.delete(log)
  }

  /** Who hears about this session of the agent's. Returns its undo. */
  attach(sessionId: string, listener: SessionListener): () => void {
    this.#listeners.set(sessionId, listener)
    return () => {
      if (this.#listeners.get(sessionId) === listener) this.#listeners.delete(sessionId)
    }
  }

  /** How many of its sessions are in use. */
  get sessions(): number {
    return this.#listeners.size
  }

  /** The agent has given this id before, and it is in use. */
  has(sessionId: string): boolean {
    return this.#listeners.has(sessionId)
  }

  /**
   * Asks the agent. The answer is unchecked.
   * @param limitMs `null`: the caller ends it otherwise
   * @throws AgentError `timed_out`, `crashed` when the program ends, or what the agent answered
   */
  async request(method: string, params: object, limitMs: number | null): Promise<unknown> {
    try {
      const answer = this.raw(method, params)
      return await (limitMs === null ? answer : withDeadline(this.#context.clock, limitMs, answer))
    } catch (error) {
      throw fromAnswer(this.#context, error)
    }
  }

  /** Like `request`, with the agent's own error. @throws AgentError `crashed`, or what the agent answered as it came */
  async raw(method: string, params: object): Promise<unknown> {
    const connection = this.#connection
    if (connection === null || !this.alive) throw await this.#crash()
    try {
      return await connection.agent.request<unknown>(method, params)
    } catch (error) {
      throw connection.signal.aborted ? await this.#crash() : error
    }
  }

  /** Tells the agent something. Never rejects: an agent that is gone needs to hear nothing. */
  async notify(method: string, params: object): Promise<void> {
    await this.#connection?.agent.notify(method, params).catch(() => undefined)
  }

  /** Ends the program and everything it started. Idempotent, never rejects. */
  close(): Promise<void> {
    this.#closing ??= this.#stop()
    return this.#closing
  }

  async #connect(): Promise<void> {
    const { limits } = this.#context
    const { stdin, stdout } = this.process
    // Loaded with the first agent: it brings all of ACP's schemas, which an engine without agents never needs.
    const { client } = await import('@agentclientprotocol/sdk')
    const stream = createMessageStream({
      stdin,
      stdout,
      gate: this.gate,
      maxMessageBytes: limits.maxMessageBytes,
      noise: (line) => {
        this.#log(line)
      },
      update: (params) => {
        // Without a schema: it is there for every token.
        if (typeof params !== 'object' || params === null || !('sessionId' in params)) return
        const { sessionId } = params
        if (typeof sessionId === 'string' && 'update' in params) this.#listeners.get(sessionId)?.update(params.update)
      },
      ended: () => {
        this.#endRead()
      },
    })
    this.#connection = client({ name: 'leuria' })
      .onRequest(
        'session/request_permission',
        (params) => permissionRequest.parse(params),
        ({ params, signal }) => ({ outcome: this.#decide(params, signal) }),
      )
      .onNotification('*', () => undefined)
      .connect(stream)
  }

  /** A request for a session that isn't ours (yet), or no more, gets no permission. */
  #decide(request: z.infer<typeof permissionRequest>, withdrawn: AbortSignal): PermissionAnswer {
    const listener = this.#listeners.get(request.sessionId ?? '')
    if (listener === undefined) {
      this.#log('A permission was asked for in no session of ours, and refused.')
      return { outcome: 'cancelled' }
    }
    return listener.permission({ toolCall: request.toolCall, options: request.options ?? [] }, withdrawn)
  }

  async #initialize(): Promise<void> {
    const { name, limits, version, terminal = false } = this.#context
    const answer = await this.request(
      'initialize',
      {
        protocolVersion: PROTOCOL_VERSION,
        clientInfo: { name: 'leuria', title: 'Leuria', version },
        clientCapabilities: {
          fs: { readTextFile: false, writeTextFile: false },
          terminal: false,
          ...(terminal && { auth: { terminal } }),
        },
      },
      limits.initializeMs,
    )
    try {
      this.#facts = readAgentFacts(answer)
    } catch (error) {
      throw new AgentError('failed', `${name} did not introduce itself as an ACP agent.`, { cause: error })
    }
    const { protocolVersion } = this.#facts
    if (protocolVersion !== PROTOCOL_VERSION) {
      throw new AgentError(
        'failed',
        `${name} speaks version ${protocolVersion} of the Agent Client Protocol; this engine speaks version ${PROTOCOL_VERSION}.`,
      )
    }
  }

  #log(line: string): void {
    for (const log of [...this.#logs]) log(line)
  }

  async #crash(): Promise<AgentError> {
    return new AgentError('crashed', (await this.ended).reason)
  }

  /** A program that ended may have written its last answer before: its output is read to the end first. */
  async #watch(): Promise<AgentExit> {
    const { clock, limits, name } = this.#context
    const { process } = this
    const cut = new Promise<void>((resolve) => {
      process.stdout.once('close', resolve).once('end', resolve)
    })
    const exit = process.exited.then(async (how) => {
      this.gate.openForGood()
      await withDeadline(clock, limits.drainMs, this.#drained()).catch(() => undefined)
      return how
    })
    const how = await Promise.race([exit, cut.then(() => null)])
    if (how !== null) {
      this.#connection?.close()
      return { clean: how.code === 0, reason: `${name}'s program ${exitWords(how)}.` }
    }
    // It closed its output. Usually it is about to end; one that stays can't be spoken to any more.
    const ended = await withDeadline(clock, limits.drainMs, process.exited).catch(() => null)
    this.#connection?.close()
    void this.close()
    return ended === null
      ? { clean: false, reason: `${name}'s program stopped speaking.` }
      : { clean: ended.code === 0, reason: `${name}'s program ${exitWords(ended)}.` }
  }

  async #drained(): Promise<void> {
    await this.#read
    // One round for what was read to be handled.
    await new Promise((resolve) => setImmediate(resolve))
  }

  async #stop(): Promise<void> {
    this.#connection?.close()
    await this.process.kill()
    this.process.stdout.destroy()
    this.process.stderr.destroy()
    this.#endRead()
  }
}
