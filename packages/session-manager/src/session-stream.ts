/**
 * A session's events on their way out: each is written as text once, kept in the log, and sent to every reader. The
 * first words of a tick of the event loop go out at once, all that comes after them in one write at its end.
 * Knows nothing of statuses: the session says when and what.
 */
import { EngineError, type StreamEventData, type StreamEventName } from '@leuria/protocol'
import type { Clock } from '@leuria/clock'
import { EventLog } from './event-log.js'
import type { Heartbeat } from './heartbeat.js'
import type { SessionLimits } from './limits.js'
import { type ReaderStart, StreamReader } from './stream-reader.js'
import type { StreamSink } from './stream-sink.js'
import { formatEvent, parseEventId } from './wire-event.js'

/** A tick's events go out before the tick is over when they are this long, so that a burst stays in small pieces. */
const TICK_CHARS = 64 * 1024

export interface StreamOptions {
  clock: Clock
  limits: SessionLimits
  heartbeat: Heartbeat
  /** Called after a reader has come or gone. */
  onReaders: () => void
}

/** What a new reader is told first, and whether the session is in a turn. */
export interface Welcome {
  /** Events without numbers. */
  greeting: string
  /** True: without a last id, the reader gets the current turn's chunks. False: the last turn's end. */
  inTurn: boolean
}

export class SessionStream {
  readonly #log: EventLog
  readonly #readers = new Set<StreamReader>()
  #tick: string[] = []
  #tickChars = 0
  #scheduled = false
  /** Words have gone out in this tick: more of them wait for its end. */
  #spoke = false
  /** Number of the newest event that has gone out. */
  #sentId = 0
  #lastTurnEnd = ''
  #final: string | null = null

  constructor(private readonly options: StreamOptions) {
    this.#log = new EventLog(options.limits.keepChars)
  }

  get readerCount(): number {
    return this.#readers.size
  }

  /** Number of the newest event: tells whether anything has happened. */
  get lastId(): number {
    return this.#log.lastId
  }

  /** What the current turn's events hold, in characters. */
  get turnChars(): number {
    return this.#log.turnChars
  }

  beginTurn(): void {
    this.flush()
    this.#log.beginTurn()
    this.#lastTurnEnd = ''
    this.emit('turn_start', null)
  }

  /** Sends an event; it goes out at the end of the tick, with the tick's first words at the latest. */
  emit<Name extends StreamEventName>(name: Name, data: StreamEventData[Name]): void {
    if (this.#final !== null) return
    const text = this.#log.add(name === 'chunk', (id) => formatEvent(name, data, id))
    if (name === 'turn_completed') this.#lastTurnEnd = text
    if (this.#readers.size === 0) {
      this.#sentId = this.#log.lastId
      return
    }
    this.#tick.push(text)
    this.#tickChars += text.length
    this.#schedule()
    const words = name === 'chunk' || name === 'thought'
    if (this.#tickChars >= TICK_CHARS || (words && !this.#spoke)) this.flush()
    this.#spoke ||= words
  }

  /** Sends an event without a number to everyone who is here. It is not kept: a new reader's greeting has it. */
  say<Name extends StreamEventName>(name: Name, data: StreamEventData[Name]): void {
    this.flush()
    const text = formatEvent(name, data)
    for (const reader of [...this.#readers]) reader.say(text)
  }

  /** Sends the last event and ends every stream once it has everything. */
  finish(name: 'completed' | 'cancelled' | 'failed', words: string): void {
    if (this.#final !== null) return
    const text = this.#log.add(false, (id) =>
      name === 'failed' ? formatEvent(name, words, id) : formatEvent(name, null, id),
    )
    this.#tick.push(text)
    this.flush()
    this.#final = text
    for (const reader of [...this.#readers]) reader.finish()
  }

  /** Sends what the tick has so far. */
  flush(): void {
    if (this.#tick.length === 0) return
    const text = this.#tick.length === 1 ? (this.#tick[0] ?? '') : this.#tick.join('')
    const fromId = this.#sentId
    this.#sentId = this.#log.lastId
    this.#tick = []
    this.#tickChars = 0
    for (const reader of [...this.#readers]) reader.follow(text, fromId, this.#sentId)
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    // After everything that came in with this round of the event loop, and before the next one: no timer, no delay.
    setImmediate(() => {
      this.#scheduled = false
      this.#spoke = false
      this.flush()
    })
  }

  /**
   * Opens a stream; returns its undo.
   * @throws EngineError `too_many`; the sink is untouched then
   */
  attach(sink: StreamSink, welcome: Welcome, lastEventId?: string): () => void {
    const { clock, limits, heartbeat, onReaders } = this.options
    if (this.#readers.size >= limits.maxStreams)
      throw new EngineError('too_many', `A session may have at most ${limits.maxStreams} streams at once.`)
    this.flush()
    const onGone = (gone: StreamReader): void => {
      if (!this.#readers.delete(gone)) return
      heartbeat.delete(gone)
      onReaders()
    }
    const options = { clock, limits, log: this.#log, flush: () => this.flush(), onGone }
    const reader = new StreamReader(sink, options, this.#place(welcome, parseEventId(lastEventId)))
    this.#readers.add(reader)
    heartbeat.add(reader)
    onReaders()
    reader.start()
    if (this.#final !== null) reader.finish()
    return () => reader.detach()
  }

  /** Cuts every stream that is still there. */
  dropReaders(): void {
    for (const reader of [...this.#readers]) reader.drop()
  }

  #place({ greeting, inTurn }: Welcome, lastId: number | null): ReaderStart {
    const log = this.#log
    if (lastId !== null && lastId <= log.lastId && !(this.#final !== null && lastId === log.lastId))
      return { prefix: greeting, afterId: Math.max(lastId, log.firstId - 1) }
    if (this.#final !== null) return { prefix: greeting, afterId: log.lastId - 1 }
    if (inTurn) return { prefix: greeting, afterId: log.turnFirstId - 1, chunksUntil: log.lastId }
    return { prefix: greeting + this.#lastTurnEnd, afterId: log.lastId }
  }
}
