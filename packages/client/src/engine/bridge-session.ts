/**
 * One running AI for this page: its turns, its events, its end. Joins the event stream, the tool channel and the turn
 * ledger; each of them knows nothing of the others.
 */
import type { Clock } from '@leuria/clock'
import type { Attachment } from '@leuria/protocol/browser'
import { LeuriaError } from '../errors.js'
import type { EngineHttp, RequestOptions } from './engine-http.js'
import type { SocketClass } from './engine-socket.js'
import { EventOutbox } from './event-outbox.js'
import { EventStream, isGone } from './event-stream.js'
import { orAbort } from './or-abort.js'
import type { PageTool } from './page-tool.js'
import { type EngineEvent, readEvent } from './read-event.js'
import { SessionLookup } from './session-lookup.js'
import type { SessionPhase } from './session-state.js'
import type { SseEvent } from './sse-parser.js'
import { ToolChannel } from './tool-channel.js'
import { TurnLedger } from './turn-ledger.js'
import type { Wake } from './wake-watch.js'

/** Which of a session's two connections. */
export type SessionLink = 'stream' | 'channel'

/** The engine's events (Stream events), and two of the client's own about its connections. */
export type BridgeEvent =
  | EngineEvent
  /** A connection dropped; attempt number `attempt` (from 1) follows. */
  | { event: 'reconnecting'; data: { link: SessionLink; attempt: number } }
  | { event: 'reconnected'; data: { link: SessionLink } }

export type SessionOutcome = 'completed' | 'cancelled' | 'failed'

export interface PromptOptions {
  attachments?: readonly Attachment[]
  /** Gives the prompt up: the turn, if it has begun, is cancelled. */
  signal?: AbortSignal
}

/** Made by `BridgeClient.startSession`. */
export interface SessionParts {
  id: string
  registrationToken: string
  prompted: boolean
  tools: readonly PageTool[]
  http: EngineHttp
  clock: Clock
  WebSocket: SocketClass
  socketUrl: string
  onEnd(session: BridgeSession): void
}

/** How long a closing request may take; nobody waits for it. */
const CLOSE_LIMIT_MS = 5_000
/** A prompt may carry 16 MB. */
const PROMPT_LIMIT_MS = 60_000
/** After `ready` on a new stream its replay comes at once; so long without an event, and it has come. */
const REPLAY_QUIET_MS = 250
/** Without `ready` the engine may be about to send the turn's end; it is given more time. */
const END_QUIET_MS = 5_000

export class BridgeSession {
  readonly id: string
  readonly #parts: SessionParts
  readonly #ledger: TurnLedger
  readonly #outbox = new EventOutbox<BridgeEvent>()
  readonly #stream: EventStream
  readonly #channel: ToolChannel | null
  readonly #lookup: SessionLookup
  readonly #phaseWaiters = new Set<() => void>()
  #outcome: SessionOutcome | null = null
  #error: LeuriaError | null = null
  #promptOnItsWay: Promise<unknown> | null = null
  #cancelAtStart = false
  /** Counts what the engine said. */
  #eventCount = 0
  #turnSince = 0
  /** Counts streams: what belongs to an earlier one is dropped. */
  #streamCount = 0

  /** @internal Use `BridgeClient.startSession`. */
  constructor(parts: SessionParts) {
    this.id = parts.id
    this.#parts = parts
    this.#ledger = new TurnLedger(parts.prompted)
    this.#turnSince = parts.clock.now()
    this.#lookup = new SessionLookup({ http: parts.http, clock: parts.clock, path: this.#path() })
    this.#stream = this.#createStream()
    this.#channel = parts.tools.length > 0 ? this.#createChannel() : null
  }

  /** `starting` until the AI is up, then `idle` and `running` in turns, then `ended` for good. */
  get status(): SessionPhase {
    return this.#ledger.phase
  }

  /** The text of the turn under way, or of the last one. */
  get text(): string {
    return this.#ledger.text
  }

  /** How it ended; `null` while it lives. */
  get outcome(): SessionOutcome | null {
    return this.#outcome
  }

  /** Why it failed. */
  get error(): LeuriaError | null {
    return this.#error
  }

  /** Hears everything from the session's beginning, if it is the first listener. Returns its undo. */
  onEvent(listener: (event: BridgeEvent) => void): () => void {
    return this.#outbox.add(listener)
  }

  /**
   * Asks the AI; resolves when the engine has taken the prompt, the answer comes as events. Waits while the AI is starting.
   * @throws LeuriaError `busy` during a turn, `ended` after the end; AbortError; what the engine answers
   */
  async prompt(prompt: string, { attachments, signal }: PromptOptions = {}): Promise<void> {
    await this.#untilStarted(signal)
    await orAbort(this.#stream.settled(), signal)
    if (this.status === 'ended') throw this.#error ?? new LeuriaError('This conversation is over.', { code: 'ended' })
    if (this.status !== 'idle' || this.#promptOnItsWay !== null) {
      throw new LeuriaError('The AI is still answering.', { code: 'busy' })
    }
    await orAbort(this.#sendPrompt({ prompt, attachments }), signal, () => {
      this.cancelTurn().catch(noop)
    })
  }

  /** Stops the turn under way and keeps the session. Nothing to stop: nothing happens. */
  async cancelTurn(): Promise<void> {
    await this.#promptOnItsWay?.catch(noop)
    if (this.status === 'ended' || !this.#ledger.turnOpen) return
    // Engines in use forget a cancel that comes while the AI is starting; it is said again once the turn begins.
    this.#cancelAtStart = this.status === 'starting'
    await this.#post('cancel-turn')
  }

  /** Ends the session as `cancelled`. Resolves when the engine knows, or can't be reached. */
  cancel(): Promise<void> {
    return this.#finish('cancel', 'cancelled')
  }

  /** Ends the session as `completed`. The request outlives the page. Resolves when the engine knows, or can't be reached. */
  close(): Promise<void> {
    return this.#finish('close', 'completed')
  }

  /** @internal Connects the tools and opens the stream; both stand when this resolves. */
  async connect(): Promise<void> {
    await Promise.all([this.#channel?.open(), this.#stream.open()])
  }

  /** @internal Starts the AI. */
  async approve(): Promise<void> {
    await this.#post('approve')
  }

  /** @internal The page was away, or may have been. */
  wake(wake: Wake): void {
    if (wake === 'suspended') this.#stream.reopen()
    else if (this.#stream.silentMs > END_QUIET_MS) void this.#compare()
    this.#stream.hurry()
    this.#channel?.probe()
  }

  /** @internal The session can't go on. */
  fail(error: LeuriaError): void {
    if (this.status === 'ended') return
    this.#error = error
    this.#deliver([{ event: 'failed', data: error.detail ?? error.message }], () => {
      this.#ledger.end()
    })
  }

  #createStream(): EventStream {
    const { http, clock, id } = this.#parts
    return new EventStream({
      http,
      clock,
      sessionId: id,
      before: async () => {
        await this.#promptOnItsWay?.catch(noop)
      },
      onOpen: (isReopened) => {
        this.#onStreamOpen(isReopened)
      },
      onEvent: (event) => this.#onEvent(event),
      onDrop: (failures) => {
        this.#outbox.emit({ event: 'reconnecting', data: { link: 'stream', attempt: failures + 1 } })
      },
      onGone: (error) => {
        this.#giveUp(error)
      },
      onSilent: () => {
        void this.#compare()
      },
    })
  }

  #createChannel(): ToolChannel {
    const { clock, WebSocket, socketUrl, registrationToken, tools } = this.#parts
    return new ToolChannel({
      url: socketUrl,
      registrationToken,
      tools,
      clock,
      WebSocket,
      findGone: async () => {
        const found = await this.#lookup.status()
        return found.kind === 'gone' ? found.error : null
      },
      onOpen: (isReopened) => {
        if (isReopened) this.#outbox.emit({ event: 'reconnected', data: { link: 'channel' } })
      },
      onDrop: (failures) => {
        this.#outbox.emit({ event: 'reconnecting', data: { link: 'channel', attempt: failures + 1 } })
      },
      onGone: (error) => {
        this.#giveUp(error)
      },
    })
  }

  #onStreamOpen(isReopened: boolean): void {
    this.#streamCount += 1
    this.#ledger.streamOpened(isReopened)
    if (!isReopened) return
    this.#outbox.emit({ event: 'reconnected', data: { link: 'stream' } })
    if (this.#ledger.turnOpen) void this.#findMissedEnd(this.#streamCount)
  }

  #onEvent({ event: name, data, id }: SseEvent): boolean {
    this.#eventCount += 1
    const event = readEvent(name, data)
    if (event === null) return false
    const news = this.#ledger.take({ event, id })
    if (event.event === 'failed' && news.length > 0) this.#error = sessionFailed(event.data)
    this.#deliver(news)
    return news.length > 0
  }

  /** Tells the page; `settle` brings the state up to date first where the ledger hasn't. */
  #deliver(events: readonly BridgeEvent[], settle: () => void = noop): void {
    settle()
    for (const event of events) {
      if (event.event === 'turn_start') this.#onTurnStart()
      if (event.event === 'turn_completed') this.#cancelAtStart = false
      if (event.event === 'completed' || event.event === 'cancelled' || event.event === 'failed') this.#end(event.event)
      this.#outbox.emit(event)
    }
    if (this.status === 'starting') return
    for (const resolve of this.#phaseWaiters) resolve()
    this.#phaseWaiters.clear()
  }

  #onTurnStart(): void {
    this.#turnSince = this.#parts.clock.now()
    if (this.#cancelAtStart) this.cancelTurn().catch(noop)
  }

  /** Frees everything; the page is told by whoever calls. */
  #end(outcome: SessionOutcome): void {
    this.#outcome = outcome
    this.#stream.close()
    this.#channel?.close()
    this.#parts.onEnd(this)
  }

  #finish(action: 'close' | 'cancel', outcome: 'completed' | 'cancelled'): Promise<void> {
    if (this.status === 'ended') return Promise.resolve()
    // The request leaves first: while the page is being left nothing asynchronous would.
    const posted = this.#parts.http.request(this.#path(action), {
      body: {},
      keepalive: true,
      timeoutMs: CLOSE_LIMIT_MS,
    })
    this.#deliver([{ event: outcome, data: null }], () => {
      this.#ledger.end()
    })
    return posted.then(noop, noop)
  }

  /** Lost, or gone: the engine is told where it can still hear, so that the session doesn't count any more. */
  #giveUp(error: LeuriaError): void {
    if (this.status === 'ended') return
    if (!isGone(error))
      this.#parts.http.request(this.#path('close'), { body: {}, timeoutMs: CLOSE_LIMIT_MS }).catch(noop)
    this.fail(error)
  }

  #path(action?: string): string {
    return `/session/${this.id}${action === undefined ? '' : `/${action}`}`
  }

  async #post(action: string, options: RequestOptions = {}): Promise<void> {
    try {
      await this.#parts.http.request(this.#path(action), { body: {}, ...options })
    } catch (error) {
      if (error instanceof LeuriaError && (error.status === 404 || error.code === 'not_paired')) this.fail(error)
      throw error
    }
  }

  async #sendPrompt(body: { prompt: string; attachments?: readonly Attachment[] }): Promise<void> {
    this.#ledger.prompted()
    this.#turnSince = this.#parts.clock.now()
    const posted = this.#post('prompt', { body, timeoutMs: PROMPT_LIMIT_MS })
    this.#promptOnItsWay = posted
    try {
      await posted
    } catch (error) {
      this.#ledger.refused()
      throw error
    } finally {
      this.#promptOnItsWay = null
    }
  }

  async #untilStarted(signal: AbortSignal | undefined): Promise<void> {
    if (this.status !== 'starting') return
    await orAbort(new Promise<void>((resolve) => this.#phaseWaiters.add(resolve)), signal)
  }

  /** Nothing has come for a while: a stream that missed something is opened again, a session that is gone ends. */
  async #compare(): Promise<void> {
    if (!this.#ledger.turnOpen && this.status !== 'starting') return
    const found = await this.#lookup.status()
    if (this.status === 'ended') return
    if (found.kind === 'gone') this.fail(found.error)
    else if (found.kind === 'status' && found.status !== 'running') this.#stream.reopen()
  }

  /** After a reconnect in the middle of a turn: it may have ended meanwhile, and engines needn't say so. */
  async #findMissedEnd(stream: number): Promise<void> {
    const { turn } = this.#ledger
    // While the stream is down its silence means nothing; the next one is looked into again.
    const isCurrent = (): boolean =>
      this.#streamCount === stream && this.#stream.isOpen && turn !== null && this.#ledger.turn === turn
    const found = await this.#lookup.status()
    if (!isCurrent() || found.kind !== 'status' || found.status !== 'idle') return
    const quietMs = this.#ledger.saidReady ? REPLAY_QUIET_MS : END_QUIET_MS
    if (!(await this.#lookup.quiet({ quietMs, eventCount: () => this.#eventCount, isCurrent }))) return
    this.#deliver(this.#ledger.closeTurn(this.#parts.clock.now() - this.#turnSince))
  }
}

function sessionFailed(detail: string): LeuriaError {
  return new LeuriaError('The AI stopped because of an error.', { code: 'session_failed', detail, cause: detail })
}

function noop(): void {
  // Nothing more to do.
}
