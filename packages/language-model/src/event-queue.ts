/**
 * Hands events from one who makes them to one who reads them, in order. One step for each event however deep the maker
 * sits: a token must not cost a promise on every floor. Whoever makes many waits for `room`.
 */

/** Events that may wait to be read before the maker should pause. */
const ROOM = 1_024

export class EventQueue<T> implements AsyncIterableIterator<T> {
  #waiting: T[] = []
  #at = 0
  #ended: { error?: Error } | null = null
  #wakeReader: (() => void) | null = null
  #wakeMaker: (() => void) | null = null

  /** @param onLeave called when the reader leaves before the end */
  constructor(private readonly onLeave: () => void) {}

  push(event: T): void {
    this.#waiting.push(event)
    this.#wakeReader?.()
  }

  /** No more events; with `error` the reader gets that after the last event. The first end counts. */
  end(end: { error?: Error } = {}): void {
    this.#ended ??= end
    this.#wakeReader?.()
  }

  /** Takes back what was not read yet and fits. */
  discard(fits: (event: T) => boolean): void {
    this.#waiting = this.#waiting.slice(this.#at).filter((event) => !fits(event))
    this.#at = 0
  }

  /** `null`: there is room. Otherwise resolves when there is. */
  room(): Promise<void> | null {
    if (this.#waiting.length - this.#at < ROOM || this.#ended !== null) return null
    return new Promise((resolve) => {
      this.#wakeMaker = resolve
    })
  }

  async next(): Promise<IteratorResult<T>> {
    while (this.#at === this.#waiting.length) {
      if (this.#ended !== null) {
        const { error } = this.#ended
        this.#ended = {}
        if (error !== undefined) throw error
        return { done: true, value: undefined }
      }
      this.#emptied()
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve
      })
      this.#wakeReader = null
    }
    const value = this.#waiting[this.#at] as T
    this.#at += 1
    // Where the maker is always a little ahead the list is never empty; what was read must not stay in it.
    if (this.#at === ROOM) this.discard(() => false)
    return { done: false, value }
  }

  /** The reader leaves: what still waits is dropped. */
  async return(): Promise<IteratorResult<T>> {
    this.#ended = {}
    this.#emptied()
    this.onLeave()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #emptied(): void {
    this.#waiting = []
    this.#at = 0
    this.#wakeMaker?.()
    this.#wakeMaker = null
  }
}
