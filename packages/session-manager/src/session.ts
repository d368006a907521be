/**
 * One session: asks the table what an event means and carries out its effects.
 * The AI is `session-agent.ts`'s business, streams are `session-stream.ts`'s, who may hold sessions is the manager's.
 */
import type { AgentSession, AuditEntry, AuditSink, Prompt } from '@leuria/agent'
import type { CancelTimer, Clock } from '@leuria/clock'
import {
  type ActionReply,
  type Attachment,
  EngineError,
  type PrepareBody,
  type SessionInfo,
  type SessionStatus,
} from '@leuria/protocol'
import { Attendance } from './attendance.js'
import { waitFor } from './bounded-wait.js'
import { describeFailure, type Failure, type Problem } from './failure.js'
import type { Heartbeat } from './heartbeat.js'
import type { SessionLimits } from './limits.js'
import { type Cause, SessionAgent } from './session-agent.js'
import type { OpenRequest, Owner, SessionChange, SessionChannel } from './session-contract.js'
import { isApproved, type SessionEffect, type SessionEvent, transition } from './session-machine.js'
import { SessionStream } from './session-stream.js'
import type { StreamSink } from './stream-sink.js'
import { formatEvent } from './wire-event.js'

/** What all sessions of a manager share. */
export interface SessionSurroundings<Channel extends SessionChannel> {
  clock: Clock
  limits: SessionLimits
  heartbeat: Heartbeat
  audit: AuditSink
  open: (request: OpenRequest<Channel>) => Promise<AgentSession>
  onChange: (change: SessionChange) => void
  report: (problem: Problem) => void
}

/** What is one session's own. */
export interface SessionFacts<Channel extends SessionChannel> {
  id: string
  owner: Owner
  body: PrepareBody
  channel: Channel
}

export class Session<Channel extends SessionChannel = SessionChannel> {
  /** Resolves when the last event is out and the AI is gone; never before the session has ended. */
  readonly gone: Promise<void>
  readonly #createdAt: string
  readonly #stream: SessionStream
  readonly #agent: SessionAgent
  readonly #attendance: Attendance
  readonly #cancelApprovalTimer: CancelTimer
  #resolveGone: () => void = () => undefined
  #status: SessionStatus = 'pending_approval'
  #failure: Failure | null = null
  #started = false
  readonly #facts: Omit<SessionFacts<Channel>, 'body'>
  /** Megabytes, perhaps: let go when the session ends, since ended ones stay readable by the hundred. */
  #body: PrepareBody
  /** Of a `prepare` without a prompt: they go with the first one. */
  #heldAttachments: readonly Attachment[]

  constructor(
    { id, owner, body, channel }: SessionFacts<Channel>,
    private readonly around: SessionSurroundings<Channel>,
  ) {
    const { clock, limits, heartbeat } = around
    this.#facts = { id, owner, channel }
    this.#body = body
    this.gone = new Promise((resolve) => (this.#resolveGone = resolve))
    this.#createdAt = clock.date().toISOString()
    this.#heldAttachments = body.attachments ?? []
    this.#stream = new SessionStream({ clock, limits, heartbeat, onReaders: () => this.#attend() })
    this.#agent = new SessionAgent({
      clock,
      limits,
      stream: this.#stream,
      open: (signal, log) => this.#open(signal, log),
      happened: (event, cause) => this.#dispatch(event, cause),
      describe: (error) => describeFailure(error, id, around.report),
      onTrouble: (error) => void describeFailure(error, id, around.report),
      onSent: () => channel.beginTurn?.(),
      onPermissionRefused: (tool) => {
        this.#record({ kind: 'permission_refused', origin: owner, sessionId: id, tool })
      },
    })
    this.#attendance = new Attendance({
      clock,
      limitMs: limits.unattendedMs,
      attended: () => channel.connected(),
      activity: () => this.#stream.lastId,
      onForgotten: () => this.#forget(`Nobody was connected to the session for ${inWords(limits.unattendedMs)}.`),
    })
    this.#cancelApprovalTimer = clock.setTimer(limits.unapprovedMs, () => {
      this.#forget(`The session was not approved within ${inWords(limits.unapprovedMs)}.`)
    })
  }

  get id(): string {
    return this.#facts.id
  }

  get owner(): Owner {
    return this.#facts.owner
  }

  get status(): SessionStatus {
    return this.#status
  }

  get streamCount(): number {
    return this.#stream.readerCount
  }

  info(): SessionInfo {
    const { message, code } = this.#failure ?? {}
    return {
      id: this.id,
      status: this.#status,
      origin: this.owner,
      createdAt: this.#createdAt,
      ...(message === undefined ? {} : { error: message }),
      ...(code === undefined ? {} : { code }),
      ...this.#tokens(),
    }
  }

  /** Carries out an action of the page. @throws EngineError `bad_request` when the status doesn't allow it */
  act(event: 'approve' | 'prompt' | 'cancel' | 'close', cause?: Cause): ActionReply {
    this.#dispatch(event, cause)
    return this.#reply()
  }

  /** Frees the page at once: when this returns, the turn's end is on its way. Without a turn it does nothing. */
  cancelTurn(): ActionReply {
    if (this.#agent.turn !== null) this.#dispatch('cancel_turn', { stopReason: 'cancelled' })
    // The answer to this call must not overtake the turn's last chunks.
    this.#stream.flush()
    return this.#reply()
  }

  /** Opens a stream; returns its undo. @throws EngineError `too_many`, the sink being untouched */
  attach(sink: StreamSink, lastEventId?: string): () => void {
    const ready = this.#status === 'idle' ? formatEvent('ready', null) : ''
    const greeting = isApproved(this.#status) ? formatEvent('webmcp_ready', this.#tokens()) + ready : ''
    return this.#stream.attach(sink, { greeting, inTurn: this.#agent.turn !== null }, lastEventId)
  }

  /** Cuts the streams that are left. */
  dropStreams(): void {
    this.#stream.dropReaders()
  }

  #reply(): ActionReply {
    return { sessionId: this.id, status: this.#status }
  }

  #tokens(): { registrationToken: string; webmcpUrl: string } {
    const { registrationToken, webmcpUrl } = this.#facts.channel
    return { registrationToken, webmcpUrl }
  }

  #dispatch(event: SessionEvent, cause: Cause = {}): void {
    const step = transition(this.#status, event)
    if (step.kind === 'refuse') throw new EngineError('bad_request', step.reason)
    if (step.kind === 'stay') return
    this.#status = step.to
    this.around.onChange({ kind: 'status', sessionId: this.id, owner: this.owner, status: step.to })
    for (const effect of step.effects) this.#effects[effect](cause)
    this.#attend()
  }

  readonly #effects: Record<SessionEffect, (cause: Cause) => void> = {
    start: () => this.#start(),
    say_ready: () => this.#stream.say('ready', null),
    begin_turn: ({ prompt }) => this.#beginTurn(prompt),
    stop_turn: () => this.#agent.turn?.stop(),
    complete_turn: (cause) => this.#completeTurn(cause),
    end: (cause) => this.#end(cause),
  }

  #start(): void {
    const { prompt } = this.#body
    this.#cancelApprovalTimer()
    this.#started = true
    this.#record({ kind: 'session_started', origin: this.owner, sessionId: this.id })
    this.#stream.say('webmcp_ready', this.#tokens())
    void this.#agent.start()
    if (prompt !== undefined) this.#beginTurn({ text: prompt })
  }

  async #open(signal: AbortSignal, log: (line: string) => void): Promise<AgentSession> {
    const { id, owner, channel } = this.#facts
    const { systemPrompt, maxTurns } = this.#body
    return this.around.open({
      sessionId: id,
      owner,
      channel,
      tools: channel.tools,
      ...(systemPrompt === undefined ? {} : { systemPrompt }),
      ...(maxTurns === undefined ? {} : { maxTurns }),
      signal,
      log,
    })
  }

  #beginTurn(prompt: Prompt = { text: '' }): void {
    const attachments = [...this.#heldAttachments, ...(prompt.attachments ?? [])]
    this.#heldAttachments = []
    this.#agent.beginTurn(attachments.length === 0 ? { text: prompt.text } : { text: prompt.text, attachments })
    this.around.onChange({ kind: 'turn_started', sessionId: this.id, owner: this.owner })
  }

  #completeTurn({ stopReason = 'end_turn' }: Cause): void {
    const turn = this.#agent.turn
    if (turn === null) return
    const text = turn.text.toString()
    this.#stream.emit('turn_completed', { text, durationMs: turn.durationMs(this.around.clock), stopReason })
    this.#endTurn(stopReason)
    this.#agent.noteTurnEnd()
  }

  #endTurn(outcome: 'failed' | 'interrupted' | NonNullable<Cause['stopReason']>): void {
    const turn = this.#agent.endTurn()
    if (turn === null) return
    if (turn.sent) this.#safely(() => this.#facts.channel.endTurn?.())
    this.around.onChange({
      kind: 'turn_ended',
      sessionId: this.id,
      owner: this.owner,
      outcome,
      durationMs: turn.durationMs(this.around.clock),
      promptChars: turn.prompt.text.length,
      textChars: turn.text.length,
      usage: turn.usage,
    })
  }

  #forget(message: string): void {
    this.#dispatch('forgotten', { failure: { message, code: 'reclaimed' } })
  }

  /** A stream shows that somebody is there; without one, the session is watched. */
  #attend(): void {
    if (isApproved(this.#status) && this.#stream.readerCount === 0) this.#attendance.watch()
    else this.#attendance.stop()
  }

  #end({ failure }: Cause): void {
    this.#failure = failure ?? null
    this.#cancelApprovalTimer()
    this.#agent.turn?.stop()
    this.#endTurn(this.#status === 'failed' ? 'failed' : 'interrupted')
    this.#body = {}
    this.#heldAttachments = []
    void this.#finish()
  }

  /** The AI first, then the channel, then the last event: a page that hears of the end finds nothing running. */
  async #finish(): Promise<void> {
    const { clock, limits } = this.around
    const words = this.#failure?.message ?? ''
    const stopping = this.#agent.stop()
    await waitFor(stopping, { clock, limitMs: limits.stopWaitMs })
    this.#safely(() => this.#facts.channel.close(words === '' ? 'The session has ended.' : words))
    if (this.#status === 'completed' || this.#status === 'cancelled' || this.#status === 'failed')
      this.#stream.finish(this.#status, words)
    if (this.#started) this.#recordEnd()
    await stopping
    this.#resolveGone()
  }

  #recordEnd(): void {
    const code = this.#failure?.code
    const entry = { kind: 'session_ended', origin: this.owner, sessionId: this.id, status: this.#status } as const
    this.#record(code === undefined ? entry : { ...entry, code })
  }

  #record(entry: AuditEntry): void {
    this.#safely(() => this.around.audit.record(entry))
  }

  /** What others do in between must not keep a session from its end. */
  #safely(act: () => void): void {
    try {
      act()
    } catch (error) {
      describeFailure(error, this.id, this.around.report)
    }
  }
}

function inWords(ms: number): string {
  const [count, unit] = ms % 60_000 === 0 ? [ms / 60_000, 'minute'] : [Math.round(ms / 1_000), 'second']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
