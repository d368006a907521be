/** A queue that one reader iterates over: what a test pushes comes out in order, then it ends or fails. */

export class EventQueue<T> {
  readonly #waiting: T[] = []
  #closed = false
  #error: Error | null = null
  #wake: (() => void) | null = null

  push(item: T): void {
    this.#waiting.push(item)
    this.#wake?.()
  }

  /** Ends the iteration after what was pushed; with an error, it ends by throwing it. */
  close(error: Error | null = null): void {
    if (this.#closed) return
    this.#closed = true
    this.#error = error
    this.#wake?.()
  }

  async *items(): AsyncGenerator<T, void, undefined> {
    for (;;) {
      const batch = this.#waiting.splice(0)
      yield* batch
      if (batch.length > 0) continue
      if (this.#closed) break
      await new Promise<void>((resolve) => (this.#wake = resolve))
      this.#wake = null
    }
    if (this.#error !== null) throw this.#error
  }
}
