/** The last events of the feed as they went out, bounded in number and size. */

export interface FeedLimits {
  /** Events kept: a window that was away for a few minutes of busy sessions gets all of them. */
  maxEvents: number
  /** Characters of all of them; warnings and pairing questions are the longest. */
  maxChars: number
  /** Windows that read at once: one is usual, a reload may overlap. */
  maxReaders: number
  /** So that a window notices a dead engine, and the engine a dead window. */
  heartbeatMs: number
  /** How long a window may leave its events unread. */
  stallMs: number
}

export const FEED_LIMITS: FeedLimits = {
  maxEvents: 1_000,
  maxChars: 1_000_000,
  maxReaders: 16,
  heartbeatMs: 15_000,
  stallMs: 60_000,
}

export class FeedBuffer {
  #texts: string[] = []
  #chars = 0
  #lastId = 0

  constructor(private readonly limits: Pick<FeedLimits, 'maxEvents' | 'maxChars'>) {}

  /** Number of the newest event; 0: there was none. */
  get lastId(): number {
    return this.#lastId
  }

  /** Number of the oldest one kept; one more than the newest when none is. */
  get firstId(): number {
    return this.#lastId - this.#texts.length + 1
  }

  add(format: (id: number) => string): void {
    this.#lastId += 1
    const text = format(this.#lastId)
    this.#texts.push(text)
    this.#chars += text.length
    while (this.#texts.length > this.limits.maxEvents || this.#chars > this.limits.maxChars)
      this.#chars -= this.#texts.shift()?.length ?? 0
  }

  /** Empty for one that isn't kept. */
  read(id: number): string {
    return this.#texts[id - this.firstId] ?? ''
  }
}
