/**
 * What late readers need: a session's numbered events as the text that went out, in segments, so that a long turn
 * is a few dozen large strings and a place is found by its number. Keeps the last two turns, and older ones while small.
 */
import { endOfEvent } from './wire-event.js'

/** A segment is joined into one string at this size: large enough to be few, small enough to write at once. */
const SEGMENT_CHARS = 64 * 1024
/** Pieces are joined at this number: a string of its own costs several times what a short event's characters do. */
const MAX_PARTS = 512

interface Segment {
  /** Chunks are kept apart from the rest: the page's replay is made of chunks only. */
  chunks: boolean
  turn: number
  firstId: number
  lastId: number
  chars: number
  parts: string[]
}

/** A stretch of events; `text` is empty when everything up to `lastId` was left out. */
export interface LogSlice {
  text: string
  lastId: number
}

export class EventLog {
  #segments: Segment[] = []
  #lastId = 0
  #turn = 0
  #turnFirstId = 1
  #turnChars = 0
  #lastTurnChars = 0
  /** What turns before the last one hold, in characters. */
  #olderChars = 0

  /** @param keepChars what turns before the last two may hold together */
  constructor(private readonly keepChars: number) {}

  /** Number of the newest event; 0 when there is none. */
  get lastId(): number {
    return this.#lastId
  }

  /** Number of the oldest event that is kept. */
  get firstId(): number {
    return this.#segments[0]?.firstId ?? this.#lastId + 1
  }

  /** Number of the current or last turn's first event. */
  get turnFirstId(): number {
    return this.#turnFirstId
  }

  /** What the current or last turn's events hold, in characters. */
  get turnChars(): number {
    return this.#turnChars
  }

  /** A turn begins with the next event. Older turns make room. Costs what the last turn took, however many there were. */
  beginTurn(): void {
    for (let at = this.#segments.length - 1; this.#segments[at]?.turn === this.#turn; at -= 1)
      joined(this.#segments[at])
    this.#turn += 1
    this.#olderChars += this.#lastTurnChars
    this.#lastTurnChars = this.#turnChars
    this.#turnChars = 0
    this.#turnFirstId = this.#lastId + 1
    this.#segments.splice(0, this.#countDispensable())
  }

  /** How many segments at the front are older than the last turn and don't fit; they no longer count. */
  #countDispensable(): number {
    let count = 0
    for (const { turn, chars } of this.#segments) {
      // Whole turns only: what is kept begins where a turn begins.
      if (this.#olderChars <= this.keepChars && turn !== this.#segments[count - 1]?.turn) break
      this.#olderChars -= chars
      count += 1
    }
    return count
  }

  /** Takes the event with the next number: `write` gets it and gives the text. Returns the text. */
  add(chunk: boolean, write: (id: number) => string): string {
    const id = this.#lastId + 1
    const text = write(id)
    this.#lastId = id
    this.#turnChars += text.length
    const segment = this.#openSegment(chunk, id)
    segment.lastId = id
    segment.chars += text.length
    segment.parts.push(text)
    if (segment.chars >= SEGMENT_CHARS || segment.parts.length >= MAX_PARTS) joined(segment)
    return text
  }

  #openSegment(chunks: boolean, firstId: number): Segment {
    const last = this.#segments.at(-1)
    if (last !== undefined && last.chunks === chunks && last.turn === this.#turn && last.chars < SEGMENT_CHARS)
      return last
    const segment = { chunks, turn: this.#turn, firstId, lastId: firstId, chars: 0, parts: [] }
    this.#segments.push(segment)
    return segment
  }

  /**
   * The next stretch of what comes after number `afterId`. `null`: nothing does.
   * @param chunksUntil up to this number everything but chunks is left out
   */
  read(afterId: number, chunksUntil = 0): LogSlice | null {
    const segment = this.#segments[this.#indexAfter(afterId)]
    if (segment === undefined) return null
    if (afterId < chunksUntil && !segment.chunks) return { text: '', lastId: Math.min(segment.lastId, chunksUntil) }
    const text = joined(segment)
    return { text: afterId < segment.firstId ? text : text.slice(endOfEvent(text, afterId)), lastId: segment.lastId }
  }

  /** Index of the first segment that holds something after number `afterId`. */
  #indexAfter(afterId: number): number {
    let low = 0
    let high = this.#segments.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#segments[middle]?.lastId ?? Infinity) > afterId) high = middle
      else low = middle + 1
    }
    return low
  }
}

function joined(segment: Segment | undefined): string {
  if (segment === undefined) return ''
  if (segment.parts.length > 1) segment.parts = [segment.parts.join('')]
  return segment.parts[0] ?? ''
}
