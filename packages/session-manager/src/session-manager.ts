/**
 * All sessions: who may see which, how many an owner may hold, and how long an ended one can be read.
 * Knows neither grants nor files nor kinds of AI: the engine passes `open` and `openChannel`.
 */
import { randomUUID } from 'node:crypto'
import { type AgentSession, type AuditSink, noAudit } from '@leuria/agent'
import type { CancelTimer, Clock } from '@leuria/clock'
import {
  type ActionReply,
  EngineError,
  isLive,
  type PrepareBody,
  type PromptBody,
  type SessionInfo,
  type SessionStatus,
} from '@leuria/protocol'
import type { Problem } from './failure.js'
import { Heartbeat } from './heartbeat.js'
import { SESSION_LIMITS, type SessionLimits } from './limits.js'
import { Session, type SessionSurroundings } from './session.js'
import type { OpenRequest, Owner, SessionChange, SessionChannel } from './session-contract.js'
import type { StreamSink } from './stream-sink.js'

export interface SessionManagerOptions<Channel extends SessionChannel> {
  clock: Clock
  /** Resolves the owner's AI and starts it. @throws AgentError with words for people */
  open: (request: OpenRequest<Channel>) => Promise<AgentSession>
  /** Opens the tool channel of a session that is being prepared. The session closes it. */
  openChannel: (session: { sessionId: string; origin: Owner }) => Channel
  /** @default keeps nothing */
  audit?: AuditSink
  limits?: Partial<SessionLimits>
  /** Takes what should not have happened. @default drops it */
  report?: (problem: Problem) => void
}

/** How much there is right now. */
export interface LiveCounts {
  /** Sessions that have not ended. */
  sessions: number
  /** Ended sessions that can still be read. */
  ended: number
  streams: number
  /** Live sessions of each owner that has one. */
  owners: ReadonlyMap<Owner, number>
}

interface Entry<Channel extends SessionChannel> {
  session: Session<Channel>
  cancelForgetting: CancelTimer | null
}

export class SessionManager<Channel extends SessionChannel = SessionChannel> {
  readonly #entries = new Map<string, Entry<Channel>>()
  readonly #listeners = new Set<(change: SessionChange) => void>()
  readonly #surroundings: SessionSurroundings<Channel>
  #closed: Promise<void> | null = null

  constructor(private readonly options: SessionManagerOptions<Channel>) {
    const { clock, audit = noAudit, open, report = () => undefined } = options
    const limits = { ...SESSION_LIMITS, ...options.limits }
    this.#surroundings = {
      clock,
      audit,
      limits,
      heartbeat: new Heartbeat(clock, limits.heartbeatMs),
      open,
      report,
      onChange: (change) => this.#onChange(change),
    }
  }

  /** Makes a session that waits for `approve`. @throws EngineError `bad_request` when the owner holds 4 already */
  prepare(owner: Owner, body: PrepareBody): SessionInfo {
    const { maxLive } = this.#surroundings.limits
    if (this.#closed !== null) throw new EngineError('bad_request', 'The engine is stopping.')
    if (body.prompt !== undefined) requirePrompt(body.prompt)
    if (this.#liveOf(owner).length >= maxLive)
      throw new EngineError('bad_request', `There are ${maxLive} live sessions already: close one first.`)
    const id = randomUUID()
    const channel = this.options.openChannel({ sessionId: id, origin: owner })
    const session = new Session({ id, owner, body, channel }, this.#surroundings)
    this.#entries.set(id, { session, cancelForgetting: null })
    this.#tell({ kind: 'status', sessionId: id, owner, status: session.status })
    return session.info()
  }

  /** Starts the AI, and its first turn when `prepare` had a prompt. @throws EngineError `not_found`, `bad_request` */
  approve(owner: Owner, id: string): ActionReply {
    return this.#find(owner, id).act('approve')
  }

  /** Begins a turn on an idle session. @throws EngineError `not_found`, `bad_request` */
  prompt(owner: Owner, id: string, body: PromptBody): ActionReply {
    const session = this.#find(owner, id)
    requirePrompt(body.prompt)
    return session.act('prompt', { prompt: { text: body.prompt, attachments: body.attachments } })
  }

  /** Stops the turn and keeps the session; does nothing when there is no turn. @throws EngineError `not_found` */
  cancelTurn(owner: Owner, id: string): ActionReply {
    return this.#find(owner, id).cancelTurn()
  }

  /** Ends a session as `cancelled`; an ended one stays as it is. @throws EngineError `not_found` */
  cancel(owner: Owner, id: string): ActionReply {
    return this.#find(owner, id).act('cancel')
  }

  /** Ends a session as `completed`; an ended one stays as it is. @throws EngineError `not_found` */
  closeSession(owner: Owner, id: string): ActionReply {
    return this.#find(owner, id).act('close')
  }

  /** Without the rest of `info`. @throws EngineError `not_found` */
  status(owner: Owner, id: string): SessionStatus {
    return this.#find(owner, id).status
  }

  /** @throws EngineError `not_found` */
  info(owner: Owner, id: string): SessionInfo {
    return this.#find(owner, id).info()
  }

  /**
   * Opens a stream on a session; returns its undo, to be called when the connection closes.
   * The sink is untouched when this throws. A `lastEventId` that isn't one of the session's counts as none.
   * @throws EngineError `not_found`, `too_many`
   */
  stream(owner: Owner, id: string, to: { sink: StreamSink; lastEventId?: string }): () => void {
    return this.#find(owner, id).attach(to.sink, to.lastEventId)
  }

  /** Ends every live session of an owner as `cancelled`; `reason` is shown as its `error`. */
  endFor(owner: Owner, reason: string): void {
    for (const session of this.#liveOf(owner)) session.act('cancel', { failure: { message: reason } })
  }

  live(): LiveCounts {
    const sessions = [...this.#entries.values()].map(({ session }) => session)
    const live = sessions.filter(({ status }) => isLive(status))
    const owners = new Map<Owner, number>()
    for (const { owner } of live) owners.set(owner, (owners.get(owner) ?? 0) + 1)
    const streams = sessions.reduce((sum, { streamCount }) => sum + streamCount, 0)
    return { sessions: live.length, ended: sessions.length - live.length, streams, owners }
  }

  /** Tells every change of every session. Returns its undo. */
  subscribe(listener: (change: SessionChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Ends every session as `cancelled`, tells the pages, stops every AI (10 s at most), and forgets all. Idempotent. */
  close(): Promise<void> {
    this.#closed ??= this.#closeAll()
    return this.#closed
  }

  async #closeAll(): Promise<void> {
    const sessions = [...this.#entries.values()].map(({ session }) => session)
    for (const session of sessions) session.act('cancel', { failure: { message: 'The engine is stopping.' } })
    await Promise.all(sessions.map(({ gone }) => gone))
    for (const session of sessions) this.#forget(session)
  }

  #find(owner: Owner, id: string): Session<Channel> {
    const session = this.#entries.get(id)?.session
    // A foreign session is as good as none: nobody learns which ids exist.
    if (session?.owner !== owner) throw new EngineError('not_found', 'Session not found')
    return session
  }

  #liveOf(owner: Owner): Session<Channel>[] {
    return this.#of(owner).filter(({ status }) => isLive(status))
  }

  #of(owner: Owner): Session<Channel>[] {
    return [...this.#entries.values()].map(({ session }) => session).filter((session) => session.owner === owner)
  }

  #onChange(change: SessionChange): void {
    if (change.kind === 'status' && !isLive(change.status)) this.#onEnd(change)
    this.#tell(change)
  }

  #onEnd({ sessionId, owner }: { sessionId: string; owner: Owner }): void {
    const entry = this.#entries.get(sessionId)
    if (entry === undefined) return
    const { clock, limits } = this.#surroundings
    entry.cancelForgetting = clock.setTimer(limits.readableMs, () => this.#forget(entry.session))
    const ended = this.#of(owner).filter(({ status }) => !isLive(status))
    for (const session of ended.slice(0, Math.max(0, ended.length - limits.maxEnded))) this.#forget(session)
  }

  #forget(session: Session<Channel>): void {
    this.#entries.get(session.id)?.cancelForgetting?.()
    if (!this.#entries.delete(session.id)) return
    session.dropStreams()
    this.#tell({ kind: 'forgotten', sessionId: session.id, owner: session.owner })
  }

  #tell(change: SessionChange): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(change)
      } catch (error) {
        this.#surroundings.report({ id: randomUUID().slice(0, 8), sessionId: change.sessionId, error })
      }
    }
  }
}

/** Spaces alone are no prompt (Sessions, Rules). */
function requirePrompt(text: string): void {
  if (text.trim() === '') throw new EngineError('bad_request', 'prompt must be a non-empty string')
}

/** All sessions of an engine. */
export function createSessionManager<Channel extends SessionChannel>(
  options: SessionManagerOptions<Channel>,
): SessionManager<Channel> {
  return new SessionManager(options)
}
