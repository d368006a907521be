/**
 * What one session's page hears: joins the event stream, the turn ledger and the look-up, so that what comes out is every
 * event once and the end of every turn, whatever was dropped. Requests that change the session are `bridge-session`'s.
 */
import type { Clock } from '@leuria/clock'
import type { LeuriaError } from '../errors.js'
import type { EngineHttp } from './engine-http.js'
import { createEventStream } from './event-stream.js'
import { type EngineEvent, readEvent } from './read-event.js'
import type { LinkCallbacks } from './reconnector.js'
import { lookUpSession, untilQuiet } from './session-lookup.js'
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

export interface SessionFeed {
  /** What the page has had: phase, text, and whether a turn is open. */
  readonly ledger: TurnLedger
  /** Resolves when the engine has answered; the first failure rejects and is the end. */
  open(): Promise<void>
  /** Resolves once the stream is open, or over. */
  settled(): Promise<void>
  /** A prompt is on its way. */
  prompted(): void
  /** The session is over for the page. */
  end(): void
  /** Why the session can't be reached any more. `null`: it can, or nobody knows. */
  findGone(): Promise<LeuriaError | null>
  /** The page was away, or may have been. */
  wake(wake: Wake): void
}

export function createSessionFeed(options: SessionFeedOptions): SessionFeed {
  const { clock } = options
  const ledger = new TurnLedger(options.prompted)
  /** Counts what the engine said. */
  let eventCount = 0
  /** Counts streams: what belongs to an earlier one is dropped. */
  let streamCount = 0
  let turnSince = clock.now()

  const tell = (events: readonly EngineEvent[]): void => {
    for (const event of events) {
      if (event.event === 'turn_start') turnSince = clock.now()
      options.onEvent(event)
    }
  }

  /** Nothing has come for a while: a stream that missed something is opened again, a session that is gone ends. */
  const compare = async (): Promise<void> => {
    if (!ledger.turnOpen && ledger.phase !== 'starting') return
    const { status, gone } = await lookUpSession(options)
    if (ledger.phase === 'ended') return
    if (gone) options.onGone(gone)
    else if (status !== undefined && status !== 'running') stream.reopen()
  }

  /** After a reconnect in the middle of a turn: it may have ended meanwhile, and engines needn't say so. */
  const findMissedEnd = async (): Promise<void> => {
    const { turn } = ledger
    const current = streamCount
    // While the stream is down its silence means nothing; the next one is looked into again.
    const isCurrent = (): boolean => streamCount === current && stream.status() === 'open' && ledger.turn === turn
    if (turn === null) return
    const { status } = await lookUpSession(options)
    if (!isCurrent() || status !== 'idle') return
    const quietMs = ledger.saidReady ? REPLAY_QUIET_MS : END_QUIET_MS
    if (!(await untilQuiet({ clock, quietMs, eventCount: () => eventCount, isCurrent }))) return
    tell(ledger.closeTurn(clock.now() - turnSince))
  }

  const stream = createEventStream({
    ...options,
    onOpen: () => {
      streamCount += 1
      const isReopened = streamCount > 1
      ledger.streamOpened(isReopened)
      if (isReopened) void findMissedEnd()
    },
    // True: there was something new in it.
    onEvent: ({ event: name, data, id }) => {
      eventCount += 1
      const event = readEvent(name, data)
      const news = event ? ledger.take({ event, id }) : []
      tell(news)
      return news.length > 0
    },
    onSilent: () => void compare(),
  })

  return {
    ledger,
    open: () => stream.open(),
    settled: () => stream.settled(),
    prompted: () => {
      ledger.prompted()
      turnSince = clock.now()
    },
    end: () => {
      ledger.end()
      stream.close()
    },
    findGone: async () => (await lookUpSession(options)).gone ?? null,
    wake: (wake) => {
      if (wake === 'suspended') stream.reopen()
      else if (stream.silentMs() > LOOK_SILENCE_MS) void compare()
      stream.hurry()
    },
  }
}
