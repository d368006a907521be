/** A clock that a test moves by hand: timers fire in order of their time, never by themselves. */
import type { CancelTimer, Clock } from '@leuria/clock'

interface Timer {
  at: number
  order: number
  fire: () => void
}

export interface FakeClock extends Clock {
  /** Moves time on and fires what is due, in order; timers set meanwhile fire too when they fall inside. */
  advance(byMs: number): void
  /** The same, letting promises settle after each timer. */
  advanceAsync(byMs: number): Promise<void>
  /** Timers that are set and have not fired. */
  readonly pending: number
  /** Changes the calendar only, as a visitor who sets the system's date does. */
  setDate(date: Date): void
}

/** Lets everything that waits for resolved promises run, including what that causes. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 5; round += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** @param start the calendar time at `now() === 0` */
export function fakeClock(start = new Date('2026-01-01T00:00:00Z')): FakeClock {
  let nowMs = 0
  let offsetMs = start.getTime()
  let order = 0
  const timers = new Set<Timer>()

  const next = (untilMs: number): Timer | undefined =>
    [...timers].filter((timer) => timer.at <= untilMs).sort((a, b) => a.at - b.at || a.order - b.order)[0]

  const fireNext = (untilMs: number): boolean => {
    const timer = next(untilMs)
    if (timer === undefined) return false
    timers.delete(timer)
    nowMs = Math.max(nowMs, timer.at)
    timer.fire()
    return true
  }

  return {
    now: () => nowMs,
    date: () => new Date(offsetMs + nowMs),
    setTimer(delayMs, fire): CancelTimer {
      const timer = { at: nowMs + Math.max(0, delayMs), order: order++, fire }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    advance(byMs) {
      const untilMs = nowMs + byMs
      while (fireNext(untilMs));
      nowMs = untilMs
    },
    async advanceAsync(byMs) {
      const untilMs = nowMs + byMs
      await settle()
      while (fireNext(untilMs)) await settle()
      nowMs = untilMs
      await settle()
    },
    get pending() {
      return timers.size
    },
    setDate(date) {
      offsetMs = date.getTime() - nowMs
    },
  }
}
