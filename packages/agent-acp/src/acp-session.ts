/**
 * A session with an agent, as `AgentSession`: turns one after the other, what the agent reports between its start and its
 * end, permissions, and the end. How it was opened is `open-session.ts`.
 */
import {
  AgentError,
  type AgentExit,
  type AgentSession,
  type AuditSink,
  type OpenOptions,
  type Prompt,
  type TurnEvent,
} from '@leuria/agent'
import type { AcpConnection, ConnectionContext, PermissionAnswer, SessionListener } from './acp-connection.js'
import { AcpTurn } from './acp-turn.js'
import type { AgentProfile } from './agent-profile.js'
import { type AgentUpdate, readToolCall, readUpdate, type ToolCallPiece } from './agent-update.js'
import { OutsideWatch } from './outside-watch.js'
import { leaveSession } from './open-session.js'
import { decidePermission, nameOf, type PermissionDecision } from './permission-policy.js'
import { promptBlocks } from './prompt-blocks.js'
import type { LogLines } from './stderr-log.js'
import { type KnownCall, ToolCallBook } from './tool-call-book.js'
import { identifyTool, type ToolIdentity } from './tool-identity.js'
import { TurnEvents } from './turn-events.js'
import { readOptions } from './wire-shapes.js'

export interface AcpSessionParts extends ConnectionContext {
  connection: AcpConnection
  /** The agent's id of the session. */
  agentSession: string
  options: OpenOptions
  profile: AgentProfile
  audit: AuditSink
  lines: LogLines
  /** For the first turn: something the visitor should know. */
  notice?: string
  /** The agent has answered a prompt, or refused to. */
  answered: (error: AgentError | null) => void
  /** Takes config updates. */
  onConfig: (options: readonly unknown[]) => void
  /** Gives the connection back: it is ended, or kept for another session. */
  release: (broken: boolean) => Promise<void>
}

export class AcpSession implements AgentSession, SessionListener {
  readonly exited: Promise<AgentExit>
  readonly #parts: AcpSessionParts
  readonly #calls: ToolCallBook
  readonly #watch: OutsideWatch
  readonly #detach: () => void
  #turn: AcpTurn | null = null
  #settled: Promise<void> = Promise.resolve()
  #exit: (exit: AgentExit) => void = () => undefined
  #closing: Promise<void> | null = null
  /** Set when the session can't go on: nothing is allowed any more, whatever still comes. */
  #failure: AgentError | null = null
  #preface: string | undefined
  #notice: string | undefined
  /** Of page tools, in this turn. */
  #counted = new Set<string>()

  constructor(parts: AcpSessionParts) {
    this.#parts = parts
    this.#calls = new ToolCallBook(parts.limits.maxToolCalls)
    this.#watch = new OutsideWatch({
      clock: parts.clock,
      askMs: parts.limits.askMs,
      ran: (name) => {
        this.#failOutside(name)
      },
    })
    const elsewhere = parts.profile.systemPrompt === 'profile' || parts.connection.facts.systemPromptMode !== null
    this.#preface = elsewhere ? undefined : parts.options.systemPrompt
    this.#notice = parts.notice
    this.exited = new Promise((resolve) => (this.#exit = resolve))
    this.#detach = parts.connection.attach(parts.agentSession, this)
    void parts.connection.ended.then((exit) => {
      this.#watch.close()
      if (this.#closing === null)
        this.#exit(this.#failure === null ? exit : { clean: false, reason: this.#failure.message })
    })
  }

  prompt(prompt: Prompt, signal: AbortSignal): AsyncIterable<TurnEvent> {
    let turn: AcpTurn | null = null
    const stop = (): void => turn?.cancel()
    const { connection, limits } = this.#parts
    const events = new TurnEvents({ gate: connection.gate, maxWaiting: limits.maxWaitingEvents, onLeave: stop })
    const run = async (): Promise<void> => {
      await this.#settled
      if (events.left) return
      if (signal.aborted) {
        events.push({ type: 'turn_end', stopReason: 'cancelled' })
        events.end()
        return
      }
      turn = this.#begin(prompt, events)
      signal.addEventListener('abort', stop)
      await turn.settled
      signal.removeEventListener('abort', stop)
    }
    run().catch((error: unknown) => {
      events.end(error instanceof Error ? error : new Error(String(error)))
    })
    return events
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  update(value: unknown): void {
    const update = readUpdate(value)
    if (update !== null) this.#take(update)
  }

  permission(request: { toolCall: unknown; options: readonly unknown[] }): PermissionAnswer {
    const piece = readToolCall(request.toolCall)
    if (piece === null) {
      this.#parts.lines.line('A permission was asked for no tool call, and refused.')
      return { outcome: 'cancelled' }
    }
    const call = this.#calls.merge(piece, 'request')
    const decision = decidePermission({
      call: call.over ? { ...call, ...pieceFacts(piece) } : call,
      options: readOptions(request.options),
      tools: this.#parts.options.tools.listTools(),
      profile: this.#parts.profile,
      turn: this.#permissionPhase(),
    })
    if (!call.over) call.permission = decision.allow ? 'allowed' : 'refused'
    this.#report(call, this.#identify(call))
    if (decision.reason !== 'turn_cancelled') this.#tell(decision)
    return decision.answer
  }

  #permissionPhase(): 'open' | 'cancelling' | 'none' {
    if (this.#turn === null || this.#failure !== null) return 'none'
    const step = this.#turn.step('permission')
    if (step === 'answer_cancelled') return 'cancelling'
    return this.#turn.phase === 'open' ? 'open' : 'none'
  }

  #begin(prompt: Prompt, events: TurnEvents): AcpTurn {
    const { connection } = this.#parts
    const giveUp = (): void => void this.#parts.release(true)
    const turn = new AcpTurn({ ...this.#parts, giveUp }, events, (stopReason) => {
      this.#closeCalls(stopReason === 'cancelled')
    })
    this.#turn = turn
    this.#counted = new Set()
    this.#settled = turn.settled
    this.#limitSteps(turn)
    if (this.#failure !== null) turn.fail(this.#failure)
    else if (this.#closing !== null) turn.leave()
    else {
      if (this.#notice !== undefined) turn.report('speech', { type: 'status', text: this.#notice })
      turn.start(promptBlocks(prompt, { images: connection.facts.images, preface: this.#preface }))
    }
    this.#notice = undefined
    this.#preface = undefined
    return turn
  }

  #take(update: AgentUpdate): void {
    switch (update.kind) {
      case 'text':
      case 'thought':
        if (this.#parts.profile.notices?.test(update.text) === true) this.#parts.lines.line(update.text)
        else this.#turn?.report('speech', { type: update.kind, text: update.text })
        return
      case 'plan':
        this.#turn?.report('speech', { type: 'status', text: update.text })
        return
      case 'tool':
        this.#takeTool(update.piece)
        return
      case 'usage':
        if (this.#turn?.step('usage') === 'report') this.#turn.noteContext(update.usedTokens)
        return
      case 'mode':
        this.#keepMode(update.modeId)
        return
      case 'config':
        this.#parts.onConfig(update.options)
    }
  }

  #takeTool(piece: ToolCallPiece): void {
    const known = this.#calls.find(piece.toolCallId)
    // Under the id of a call that is over, another one may hide: what it says it is must be looked at on its own.
    const call = known?.over === true ? { ...known, ...pieceFacts(piece), over: false } : this.#calls.merge(piece)
    const identity = this.#identify(call)
    this.#watch.look(call, identity)
    if (known?.over === true) return
    this.#report(call, identity)
    if (call.status === 'completed' || call.status === 'failed') this.#calls.finish(call)
  }

  #identify(call: KnownCall): ToolIdentity {
    return identifyTool(call, { tools: this.#parts.options.tools.listTools(), profile: this.#parts.profile })
  }

  #report(call: KnownCall, identity: ToolIdentity): void {
    const { id: toolCallId, title, kind, status } = call
    const toolName = identity.kind === 'unknown' ? undefined : nameOf(identity, call)
    const event = { type: 'tool_call', toolCallId, title, kind, status, toolName } as const
    // Agents repeat themselves while arguments stream in.
    const shown = JSON.stringify(event)
    if (call.shown !== shown) this.#turn?.report('tool', event)
    call.shown = shown
    if (identity.kind === 'page') this.#countCall(toolCallId)
  }

  /** For agents that don't hold themselves to `maxTurns`: a step is a call of the page's tools, as it reaches them. */
  #limitSteps(turn: AcpTurn): void {
    if (this.#maxCalls === undefined) return
    const onOver = (): void => {
      turn.cancel('max_turns')
    }
    this.#parts.options.tools.limitCalls({ maxCalls: this.#maxCalls, onOver })
  }

  /** Calls that never get to the tools (refused ones, say) are steps too. */
  #countCall(id: string): void {
    if (this.#maxCalls === undefined) return
    this.#counted.add(id)
    if (this.#counted.size > this.#maxCalls) this.#turn?.cancel('max_turns')
  }

  get #maxCalls(): number | undefined {
    const { options, profile } = this.#parts
    return profile.maxTurns === 'count' ? options.maxTurns : undefined
  }

  #tell(decision: PermissionDecision): void {
    const { toolName, allow, reason } = decision
    const { audit, lines, options } = this.#parts
    lines.line(`Permission for ${toolName}: ${allow ? 'allowed' : 'refused'} (${reason}).`)
    const turn = this.#turn
    if (turn !== null && turn.phase !== 'over') turn.report('tool', { type: 'permission', toolName, allow })
    // In a turn the session writes it down from the event.
    else if (!allow)
      audit.record({
        kind: 'permission_refused',
        origin: options.site ?? 'local',
        sessionId: options.sessionId,
        tool: toolName,
      })
  }

  /** Agents that show nothing after a permission leave their calls open: the turn's end is theirs. */
  #closeCalls(cancelled: boolean): void {
    for (const call of this.#calls.open()) {
      const identity = this.#identify(call)
      const ran = !cancelled && call.permission !== 'refused' && (identity.kind === 'page' || identity.kind === 'own')
      call.status = ran ? 'completed' : 'failed'
      this.#report(call, identity)
      this.#calls.finish(call)
    }
  }

  /** Some agents leave the mode in which they ask, unasked. */
  #keepMode(modeId: string): void {
    const { profile, connection, agentSession, lines } = this.#parts
    if (profile.mode === undefined || modeId === profile.mode) return
    lines.line(`The agent went into mode ${modeId.slice(0, 50)}; it was told to go back to ${profile.mode}.`)
    void connection
      .request('session/set_mode', { sessionId: agentSession, modeId: profile.mode }, this.#parts.limits.requestMs)
      .catch(() => {
        this.#fail(new AgentError('failed', `${this.#parts.name} left the mode in which it asks before it acts.`))
      })
  }

  #failOutside(name: string): void {
    const { audit, options, name: agent } = this.#parts
    audit.record({
      kind: 'tool_outside_page',
      origin: options.site ?? 'local',
      sessionId: options.sessionId,
      tool: name,
    })
    this.#fail(
      new AgentError('failed', `${agent} used a tool that is not the page’s (${name}). It was stopped to protect you.`),
    )
  }

  #fail(error: AgentError): void {
    if (this.#failure !== null) return
    this.#failure = error
    this.#turn?.fail(error)
    this.#exit({ clean: false, reason: error.message })
    void this.#parts.release(true)
  }

  async #close(): Promise<void> {
    this.#watch.close()
    const { connection, agentSession: sessionId, limits } = this.#parts
    const working = this.#turn !== null && this.#turn.phase !== 'over'
    this.#turn?.leave()
    this.#detach()
    // A program that goes on for others has to stop this.
    if (connection.alive && connection.sessions > 0) {
      if (working) await connection.notify('session/cancel', { sessionId })
      await leaveSession(connection, { sessionId, limits })
    }
    await this.#parts.release(this.#failure !== null)
  }
}

function pieceFacts(piece: ToolCallPiece): Partial<KnownCall> {
  const { title, kind, rawInput, meta = {}, texts = [], name } = piece
  return {
    title,
    titles: new Set(title === undefined ? [] : [title]),
    kind,
    rawInputs: rawInput === undefined ? [] : [rawInput],
    meta,
    texts,
    names: new Set(name === undefined ? [] : [name]),
  }
}
