/**
 * What one session's page hears: joins the event stream, the turn ledger and the look-up, so that what comes out is every
 * event once and the end of every turn, whatever was dropped. Requests that change the session are `bridge-session`'s.
 */
import type { Clock } from '@leuria/clock'
import type { LeuriaError } from '../errors.js'
import type { EngineHttp } from './engine-http.js'
import { EventStream } from './event-stream.js'
import { type EngineEvent, readEvent } from './read-event.js'
import type { LinkCallbacks } from './reconnector.js'
import { lookUpSession, untilQuiet } from './session-lookup.js'
import type { SessionPhase } from './session-state.js'
import type { SseEvent } from './sse-parser.js'
import { TurnLedger } from './turn-ledger.js'
import type { Wake } from './wake-watch.js'

export interface SessionFeedOptions extends LinkCallbacks {
  http: EngineHttp
  clock: Clock
  /** `/session/<id>` */
  path: string
  /** The session was prepared with a prompt. */
  prompted: boolean
  /** Settles once no prompt is on its way. */
  settled: () => Promise<unknown>
  onEvent: (event: EngineEvent) => void
}

/** After `ready` on a new stream its replay comes at once; so long without an event, and it has come. */
const REPLAY_QUIET_MS = 250
/** Without `ready` the engine may be about to send the turn's end; it is given more time. */
const END_QUIET_MS = 5_000
/** A stream that was silent for less is left alone when the page is looked at. */
const LOOK_SILENCE_MS = 5_000

export class SessionFeed {
  readonly #options: SessionFeedOptions
  readonly #ledger: TurnLedger
  readonly #stream: EventStream
  /** Counts what the engine said. */
  #eventCount = 0
  /** Counts streams: what belongs to an earlier one is dropped. */
  #streamCount = 0
  #turnSince: number

  constructor(options: SessionFeedOptions) {
    this.#options = options
    this.#ledger = new TurnLedger(options.prompted)
    this.#turnSince = options.clock.now()
    this.#stream = new EventStream({
      ...options,
      onOpen: () => {
        this.#onOpen()
      },
      onEvent: (event) => this.#onEvent(event),
      onSilent: () => {
        void this.#compare()
      },
    })
  }

  get phase(): SessionPhase {
    return this.#ledger.phase
  }

  get text(): string {
    return this.#ledger.text
  }

  /** The page has asked for a turn, or seen one begin, that hasn't ended. */
  get turnOpen(): boolean {
    return this.#ledger.turn !== null
  }

  /** Resolves when the engine has answered; the first failure rejects and is the end. */
  open(): Promise<void> {
    return this.#stream.open()
  }

  /** Resolves once the stream is open, or over. */
  settled(): Promise<void> {
    return this.#stream.settled()
  }

  prompted(): void {
    this.#ledger.prompted()
    this.#turnSince = this.#options.clock.now()
  }

  refused(): void {
    this.#ledger.refused()
  }

  /** The session is over for the page. */
  end(): void {
    this.#ledger.end()
    this.#stream.close()
  }

  /** Why the session can't be reached any more. `null`: it can, or nobody knows. */
  async findGone(): Promise<LeuriaError | null> {
    return (await lookUpSession(this.#options)).gone ?? null
  }

  /** The page was away, or may have been. */
  wake(wake: Wake): void {
    if (wake === 'suspended') this.#stream.reopen()
    else if (this.#stream.silentMs > LOOK_SILENCE_MS) void this.#compare()
    this.#stream.hurry()
  }

  #onOpen(): void {
    this.#streamCount += 1
    const isReopened = this.#streamCount > 1
    this.#ledger.streamOpened(isReopened)
    if (isReopened) void this.#findMissedEnd(this.#streamCount)
  }

  /** True: there was something new in it. */
  #onEvent({ event: name, data, id }: SseEvent): boolean {
    this.#eventCount += 1
    const event = readEvent(name, data)
    if (event === null) return false
    const news = this.#ledger.take({ event, id })
    this.#tell(news)
    return news.length > 0
  }

  #tell(events: readonly EngineEvent[]): void {
    for (const event of events) {
      if (event.event === 'turn_start') this.#turnSince = this.#options.clock.now()
      this.#options.onEvent(event)
    }
  }

  /** Nothing has come for a while: a stream that missed something is opened again, a session that is gone ends. */
  async #compare(): Promise<void> {
    if (!this.turnOpen && this.phase !== 'starting') return
    const { status, gone } = await lookUpSession(this.#options)
    if (this.phase === 'ended') return
    if (gone !== undefined) this.#options.onGone(gone)
    else if (status !== undefined && status !== 'running') this.#stream.reopen()
  }

  /** After a reconnect in the middle of a turn: it may have ended meanwhile, and engines needn't say so. */
  async #findMissedEnd(stream: number): Promise<void> {
    const { turn } = this.#ledger
    // While the stream is down its silence means nothing; the next one is looked into again.
    const isCurrent = (): boolean =>
      this.#streamCount === stream && this.#stream.status === 'open' && turn !== null && this.#ledger.turn === turn
    if (turn === null) return
    const { status } = await lookUpSession(this.#options)
    if (!isCurrent() || status !== 'idle') return
    const quietMs = this.#ledger.saidReady ? REPLAY_QUIET_MS : END_QUIET_MS
    const { clock } = this.#options
    if (!(await untilQuiet({ clock, quietMs, eventCount: () => this.#eventCount, isCurrent }))) return
    this.#tell(this.#ledger.closeTurn(clock.now() - this.#turnSince))
  }
}
