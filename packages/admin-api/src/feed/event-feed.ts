/**
 * The window's feed: every event gets a number, the last ones are kept for windows that come back, and each reader holds
 * only its place. Knows neither what the events mean nor HTTP: a reader is a sink, as for a session's stream.
 */
import { randomBytes } from 'node:crypto'
import type { CancelTimer, Clock } from '@leuria/clock'
import { type AdminEvent, EngineError } from '@leuria/protocol'
import type { StreamSink } from '@leuria/session-manager'
import { FeedBuffer, type FeedLimits, FEED_LIMITS } from './feed-buffer.js'

const HEARTBEAT = ': still here\n\n'

interface Reader {
  sink: StreamSink
  /** Number of the last event it has got. */
  place: number
  /** Since when its sink has enough; `null`: it takes more. */
  fullSinceMs: number | null
}

export interface EventFeedOptions {
  clock: Clock
  limits?: Partial<FeedLimits>
}

export class EventFeed {
  readonly #clock: Clock
  readonly #limits: FeedLimits
  /** Names this feed: numbers of another engine's mean nothing here. */
  readonly #name = randomBytes(6).toString('base64url')
  readonly #buffer: FeedBuffer
  readonly #readers = new Set<Reader>()
  readonly #listeners = new Set<(event: AdminEvent) => void>()
  #cancelBeat: CancelTimer | null = null
  #closed = false

  constructor({ clock, limits }: EventFeedOptions) {
    this.#clock = clock
    this.#limits = { ...FEED_LIMITS, ...limits }
    this.#buffer = new FeedBuffer(this.#limits)
  }

  /** How many windows read. */
  get readers(): number {
    return this.#readers.size
  }

  /** Tells all readers and listeners. Never throws. */
  publish(event: AdminEvent): void {
    if (this.#closed) return
    this.#buffer.add((id) => this.#format(event, id))
    for (const reader of [...this.#readers]) this.#catchUp(reader)
    for (const listener of [...this.#listeners]) listener(event)
  }

  /** Hears every event from now on. Returns its undo. */
  subscribe(listener: (event: AdminEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Adds a reader: with `lastEventId` it gets what it missed, or `reset` when that isn't known any more; without, `open`.
   * Returns what ends it.
   * @throws EngineError `too_many` when there are 16 already
   */
  stream(sink: StreamSink, lastEventId?: string): () => void {
    if (this.#closed || this.#readers.size >= this.#limits.maxReaders)
      throw new EngineError('too_many', 'Too many windows read these events already.', { retryAfterS: 5 })
    const known = this.#placeOf(lastEventId)
    const reader: Reader = { sink, place: known ?? this.#buffer.lastId, fullSinceMs: null }
    this.#readers.add(reader)
    sink.open()
    sink.onDrain(() => {
      reader.fullSinceMs = null
      this.#catchUp(reader)
    })
    if (known === null) {
      const event = lastEventId === undefined ? ('open' as const) : ('reset' as const)
      this.#write(reader, this.#format({ event }, reader.place))
    }
    this.#catchUp(reader)
    this.#cancelBeat ??= this.#beatLater()
    return () => {
      this.#remove(reader)
    }
  }

  /** Ends every reader. Idempotent. */
  close(): void {
    this.#closed = true
    for (const { sink } of this.#readers) sink.end()
    this.#readers.clear()
    this.#listeners.clear()
    this.#cancelBeat?.()
    this.#cancelBeat = null
  }

  /** `null`: not known, or it missed more than is kept. */
  #placeOf(lastEventId: string | undefined): number | null {
    const match = /^([\w-]+)\.(\d{1,15})$/.exec(lastEventId ?? '')
    if (match?.[1] !== this.#name) return null
    const place = Number(match[2])
    return place <= this.#buffer.lastId && place >= this.#buffer.firstId - 1 ? place : null
  }

  #format(event: AdminEvent, id: number): string {
    return `id: ${this.#name}.${id}\nevent: ${event.event}\ndata: ${JSON.stringify(event)}\n\n`
  }

  #catchUp(reader: Reader): void {
    if (reader.place < this.#buffer.firstId - 1) {
      if (reader.fullSinceMs !== null) return
      reader.place = this.#buffer.lastId
      this.#write(reader, this.#format({ event: 'reset' }, reader.place))
    }
    while (reader.fullSinceMs === null && reader.place < this.#buffer.lastId) {
      reader.place += 1
      this.#write(reader, this.#buffer.read(reader.place))
    }
  }

  /** A sink that throws is a window that is gone. */
  #write(reader: Reader, text: string): void {
    try {
      if (!reader.sink.write(text)) reader.fullSinceMs ??= this.#clock.now()
    } catch {
      this.#remove(reader)
    }
  }

  #remove(reader: Reader): void {
    reader.fullSinceMs ??= this.#clock.now()
    this.#readers.delete(reader)
    if (this.#readers.size > 0) return
    this.#cancelBeat?.()
    this.#cancelBeat = null
  }

  #beatLater(): CancelTimer {
    return this.#clock.setTimer(this.#limits.heartbeatMs, () => {
      this.#cancelBeat = this.#beatLater()
      for (const reader of [...this.#readers]) this.#beat(reader)
    })
  }

  /** One that doesn't read is cut: it comes back by itself and is told what it missed. */
  #beat(reader: Reader): void {
    if (reader.fullSinceMs === null) this.#write(reader, HEARTBEAT)
    else if (this.#clock.now() - reader.fullSinceMs >= this.#limits.stallMs) {
      this.#remove(reader)
      reader.sink.destroy()
    }
  }
}
