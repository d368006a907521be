/**
 * One reader of a session's stream: a sink and a place in the event log. A reader that falls behind holds no text of
 * its own, only its place; when it takes nothing while more and more comes, it is dropped.
 */
import type { Clock } from '@leuria/clock'
import type { EventLog } from './event-log.js'
import type { SessionLimits } from './limits.js'
import type { StreamSink } from './stream-sink.js'
import { HEARTBEAT } from './wire-event.js'

/** Where a reader begins. */
export interface ReaderStart {
  /** Goes before everything else: the greeting. */
  prefix: string
  /** Number of the last event it has. */
  afterId: number
  /** Up to this number it gets chunks only. */
  chunksUntil?: number
}

export interface ReaderOptions {
  clock: Clock
  limits: Pick<SessionLimits, 'maxBehindChars' | 'stallMs'>
  log: EventLog
  /** Called before the reader catches up after a pause: whatever waits for the end of the tick goes out first. */
  flush: () => void
  /** Called once, when the reader is done: ended, dropped or detached. */
  onGone: (reader: StreamReader) => void
}

export class StreamReader {
  #place: number
  readonly #chunksUntil: number
  /** Since when the sink has enough; `null`: it takes more. */
  #fullSinceMs: number | null = null
  #behindChars = 0
  #ending = false
  #gone = false

  constructor(
    private readonly sink: StreamSink,
    private readonly options: ReaderOptions,
    private readonly begin: ReaderStart,
  ) {
    this.#place = begin.afterId
    this.#chunksUntil = begin.chunksUntil ?? 0
  }

  /** Opens the sink and sends what the reader has to be told. Called once. */
  start(): void {
    this.#guard(() => {
      this.sink.open()
      this.sink.onDrain(() => this.#resume())
    })
    this.#catchUp(this.begin.prefix)
  }

  /** Takes the events of a tick, numbers `fromId + 1` to `toId`. */
  follow(text: string, fromId: number, toId: number): void {
    if (this.#fullSinceMs !== null) {
      this.#behindChars += text.length
      this.#dropIfStalled()
    } else if (this.#place === fromId) {
      this.#place = toId
      this.#write(text)
    }
  }

  /** Takes an event without a number. It is small and can't be caught up on, so it goes out in any case. */
  say(text: string): void {
    this.#write(text)
  }

  beat(): void {
    if (this.#fullSinceMs === null) this.#write(HEARTBEAT)
    else this.#dropIfStalled()
  }

  /** Nothing more comes: ends once everything was taken. */
  finish(): void {
    this.#ending = true
    if (this.#fullSinceMs === null) this.#end()
  }

  /** The connection is gone. Idempotent. */
  detach(): void {
    if (this.#gone) return
    this.#gone = true
    this.options.onGone(this)
  }

  /** The connection is to be gone. Idempotent. */
  drop(): void {
    if (this.#gone) return
    this.detach()
    this.#guard(() => this.sink.destroy())
  }

  #resume(): void {
    if (this.#gone || this.#fullSinceMs === null) return
    this.options.flush()
    this.#fullSinceMs = null
    this.#behindChars = 0
    this.#catchUp('')
    if (this.#ending && this.#takesMore()) this.#end()
  }

  /** Writes what the log has beyond this reader's place, as far as the sink takes it. */
  #catchUp(prefix: string): void {
    let text = prefix
    while (this.#takesMore()) {
      // Older than anything kept: the reader would miss events without a word.
      if (this.#place < this.options.log.firstId - 1) return this.drop()
      const slice = this.options.log.read(this.#place, this.#chunksUntil)
      if (slice === null) break
      this.#place = slice.lastId
      text += slice.text
      if (slice.text === '') continue
      this.#write(text)
      text = ''
    }
    if (text !== '') this.#write(text)
  }

  #takesMore(): boolean {
    return !this.#gone && this.#fullSinceMs === null
  }

  #write(text: string): void {
    if (this.#gone) return
    const takesMore = this.#guard(() => this.sink.write(text))
    if (takesMore === false) this.#fullSinceMs ??= this.options.clock.now()
  }

  #end(): void {
    if (this.#gone) return
    this.detach()
    this.#guard(() => this.sink.end())
  }

  #dropIfStalled(): void {
    const { clock, limits } = this.options
    if (this.#fullSinceMs === null || this.#behindChars <= limits.maxBehindChars) return
    if (clock.now() - this.#fullSinceMs >= limits.stallMs) this.drop()
  }

  /** A sink that throws is a connection that is gone: neither the AI nor the other readers notice. */
  #guard<T>(act: () => T): T | undefined {
    try {
      return act()
    } catch {
      this.detach()
      return undefined
    }
  }
}
