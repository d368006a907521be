/** Clocks for tests of how long something takes, on machines that have other things to do, too. */

/** How often lived time goes on, in ms. */
const TICK_MS = 5

export interface LivedTime extends Disposable {
  /** Since it began, in ms. */
  readonly ms: number
}

/**
 * Time as this process lives it: waiting counts, being kept from running by other processes doesn't. For bounds on what
 * goes on in this process alone (an engine, a model's server and a page in one test). Dispose it to end it.
 */
export function livedTime(): LivedTime {
  let ms = 0
  const ticks = setInterval(() => (ms += TICK_MS), TICK_MS)
  return {
    get ms() {
      return ms
    },
    [Symbol.dispose]() {
      clearInterval(ticks)
    },
  }
}

/** How long this process has computed so far, in ms. For bounds on what only computes. */
export function computedMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
