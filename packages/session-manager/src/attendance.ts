/**
 * Notices sessions that nobody attends to any more: no stream, no channel, and nothing happening.
 * Costs nothing while a stream is open, and one timer otherwise.
 */
import type { CancelTimer, Clock } from '@leuria/clock'

/** A channel says only whether it is connected, not when it was: it is looked at this often, at least. */
const LOOK_EVERY_MS = 60_000

export interface AttendanceOptions {
  clock: Clock
  limitMs: number
  /** True while somebody can be seen to be there. */
  attended: () => boolean
  /** A number that moves when anything happens. */
  activity: () => number
  /** Nobody has been there for `limitMs`, within a minute. The watch is over then. */
  onForgotten: () => void
}

export class Attendance {
  #cancelTimer: CancelTimer | null = null
  #lastSeenMs = 0
  #lastActivity = 0

  constructor(private readonly options: AttendanceOptions) {}

  /** Begins to watch; counts from now. Does nothing when it watches already. */
  watch(): void {
    if (this.#cancelTimer !== null) return
    this.#seen()
    this.#arm()
  }

  stop(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = null
  }

  #seen(): void {
    this.#lastSeenMs = this.options.clock.now()
    this.#lastActivity = this.options.activity()
  }

  #arm(): void {
    const { clock, limitMs } = this.options
    const leftMs = this.#lastSeenMs + limitMs - clock.now()
    this.#cancelTimer = clock.setTimer(Math.min(leftMs, LOOK_EVERY_MS), () => this.#look())
  }

  #look(): void {
    this.#cancelTimer = null
    const { clock, limitMs, attended, activity, onForgotten } = this.options
    if (attended() || activity() !== this.#lastActivity) this.#seen()
    if (clock.now() - this.#lastSeenMs >= limitMs) onForgotten()
    else this.#arm()
  }
}
