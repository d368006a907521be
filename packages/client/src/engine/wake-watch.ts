/**
 * Notices that the page may have been away: the computer slept, the tab was frozen or cached, the network came back.
 * What to do about it is each connection's own.
 */
import type { CancelTimer, Clock } from '@leuria/clock'
import { Listeners } from './callbacks.js'
import type { PageHost } from './page-host.js'

/** `suspended`: connections may be dead without having said so. `looked_at`: a good moment to try again. */
export type Wake = 'suspended' | 'looked_at'

/** How often the calendar is looked at. */
const TICK_MS = 15_000
/**
 * How much longer than a tick counts as sleep. Hidden tabs get their timers once a minute at worst, and a shorter sleep
 * hurts no connection on the same computer.
 */
const GAP_MS = 90_000

export interface WakeWatchOptions {
  clock: Clock
  page: PageHost
}

export class WakeWatch {
  readonly #clock: Clock
  readonly #page: PageHost
  readonly #listeners = new Listeners<Wake>()
  #stop: (() => void) | null = null

  constructor({ clock, page }: WakeWatchOptions) {
    this.#clock = clock
    this.#page = page
  }

  /** Returns its undo. Nothing is watched while nobody listens. */
  subscribe(listener: (wake: Wake) => void): () => void {
    const undo = this.#listeners.add(listener)
    this.#stop ??= this.#start()
    return () => {
      undo()
      if (this.#listeners.size > 0) return
      this.#stop?.()
      this.#stop = null
    }
  }

  #start(): () => void {
    let cancelTimer: CancelTimer = () => undefined
    const tick = (): void => {
      // The calendar goes on while the computer sleeps; monotonic clocks needn't.
      const before = this.#clock.date().getTime()
      cancelTimer = this.#clock.setTimer(TICK_MS, () => {
        tick()
        if (this.#clock.date().getTime() - before > TICK_MS + GAP_MS) this.#listeners.emit('suspended')
      })
    }
    tick()
    const undo = this.#page.subscribe((signal) => {
      if (signal === 'show') this.#listeners.emit('suspended')
      if (signal === 'visible' || signal === 'online') this.#listeners.emit('looked_at')
    })
    return () => {
      cancelTimer()
      undo()
    }
  }
}
