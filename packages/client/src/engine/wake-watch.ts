/**
 * Notices that the page may have been away: the computer slept, the tab was frozen or cached, the network came back.
 * What to do about it is each connection's own.
 */
import type { CancelTimer, Clock } from '@leuria/clock'
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

/** Returns its undo. */
export function watchWakes(
  { clock, page }: { clock: Clock; page: PageHost },
  onWake: (wake: Wake) => void,
): () => void {
  let cancelTimer: CancelTimer
  const tick = (): void => {
    // The calendar goes on while the computer sleeps; monotonic clocks needn't.
    const before = clock.date().getTime()
    cancelTimer = clock.setTimer(TICK_MS, () => {
      tick()
      if (clock.date().getTime() - before > TICK_MS + GAP_MS) onWake('suspended')
    })
  }
  tick()
  const undo = page.subscribe((signal) => {
    if (signal === 'show') onWake('suspended')
    if (signal === 'visible' || signal === 'online') onWake('looked_at')
  })
  return () => {
    cancelTimer()
    undo()
  }
}
