/** One timer for the heartbeats of all streams; none while there are no streams. */
import type { CancelTimer, Clock } from '@leuria/clock'

export class Heartbeat {
  readonly #listeners = new Set<{ beat(): void }>()
  #cancelTimer: CancelTimer | null = null

  constructor(
    private readonly clock: Clock,
    private readonly everyMs: number,
  ) {}

  get size(): number {
    return this.#listeners.size
  }

  add(listener: { beat(): void }): void {
    this.#listeners.add(listener)
    if (this.#cancelTimer === null) this.#arm()
  }

  delete(listener: { beat(): void }): void {
    this.#listeners.delete(listener)
    if (this.#listeners.size > 0) return
    this.#cancelTimer?.()
    this.#cancelTimer = null
  }

  #arm(): void {
    this.#cancelTimer = this.clock.setTimer(this.everyMs, () => {
      this.#arm()
      for (const listener of [...this.#listeners]) listener.beat()
    })
  }
}
