/** Notices when nothing has come over a connection for a while: half-open sockets say nothing by themselves. */
import type { CancelTimer, Clock } from '@leuria/clock'

/** One timer in all, however much comes. */
export class SilenceWatch {
  #lastAt: number
  #cancel: CancelTimer = () => undefined

  constructor(
    readonly clock: Clock,
    readonly limitMs: number,
    readonly onSilent: () => void,
  ) {
    this.#lastAt = clock.now()
    this.#arm(limitMs)
  }

  /** How long nothing has come. */
  get silentMs(): number {
    return this.clock.now() - this.#lastAt
  }

  heard(): void {
    this.#lastAt = this.clock.now()
  }

  stop(): void {
    this.#cancel()
  }

  #arm(delayMs: number): void {
    this.#cancel = this.clock.setTimer(delayMs, () => {
      const leftMs = this.limitMs - this.silentMs
      this.#arm(leftMs > 0 ? leftMs : this.limitMs)
      if (leftMs <= 0) this.onSilent()
    })
  }
}
