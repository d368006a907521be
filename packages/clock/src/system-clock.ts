/** The real clock, on what browsers and Node have in common: `performance.now` and `setTimeout`. */
import type { Clock } from './clock.js'

/** What both runtimes offer; declared here because this package is compiled for neither alone. */
interface Runtime {
  performance: { now(): number }
  setTimeout(fire: () => void, delayMs: number): unknown
  clearTimeout(timer: unknown): void
}

const runtime = globalThis as unknown as Runtime

/** Node's timers can be told not to keep the process alive; browsers hand out plain numbers. */
function isNodeTimer(timer: unknown): timer is { unref(): unknown } {
  return typeof timer === 'object' && timer !== null && 'unref' in timer
}

/** The machine's own clock. Timers are unreferenced in Node: they never hold a process open. */
export const systemClock: Clock = {
  now: () => runtime.performance.now(),
  date: () => new Date(),
  setTimer(delayMs, fire) {
    const timer = runtime.setTimeout(fire, delayMs)
    if (isNodeTimer(timer)) timer.unref()
    return () => {
      runtime.clearTimeout(timer)
    }
  },
}
