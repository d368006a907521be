/**
 * The signal of one quick call. Making an `AbortController` costs about a tenth of such a call, and this one is made for
 * each: it knows one thing to do and forgets it.
 */
import type { CallSignal } from '@leuria/agent'

export class CallEnd implements CallSignal {
  #listener: (() => void) | null = null
  #aborted = false

  get aborted(): boolean {
    return this.#aborted
  }

  /** Idempotent. */
  abort(): void {
    if (this.#aborted) return
    this.#aborted = true
    this.#listener?.()
    this.#listener = null
  }

  /** For one listener at a time: the one wait for the page. */
  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listener = listener
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    if (this.#listener === listener) this.#listener = null
  }
}
