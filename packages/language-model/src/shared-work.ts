/** Work that several wait for and that is done once: it goes on while anybody waits, and ends when nobody does. */

interface Running<T> {
  result: Promise<T>
  waiting: number
  stop(): void
}

/** Work under way, by key. */
export class SharedWork<T> {
  readonly #running = new Map<string, Running<T>>()

  isRunning(key: string): boolean {
    return this.#running.has(key)
  }

  /**
   * Joins the work for `key`, or starts it. Rejects with the signal's reason at once when `signal` aborts; the work
   * itself is stopped when its last waiter has left.
   */
  async join(key: string, signal: AbortSignal, start: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    const work = this.#running.get(key) ?? this.#begin(key, start)
    work.waiting += 1
    try {
      return await this.#wait(work, signal)
    } finally {
      work.waiting -= 1
      if (work.waiting === 0) work.stop()
    }
  }

  #begin(key: string, start: (signal: AbortSignal) => Promise<T>): Running<T> {
    const own = new AbortController()
    const work: Running<T> = {
      waiting: 0,
      result: start(own.signal),
      stop: () => {
        if (this.#running.get(key) === work) this.#running.delete(key)
        own.abort()
      },
    }
    this.#running.set(key, work)
    return work
  }

  #wait(work: Running<T>, signal: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        reject(signal.reason instanceof Error ? signal.reason : new Error('Nobody waits any more.'))
      }
      signal.addEventListener('abort', leave)
      work.result.then(resolve, reject).finally(() => {
        signal.removeEventListener('abort', leave)
      })
    })
  }
}
