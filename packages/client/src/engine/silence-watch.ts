/** Notices when nothing has come over a connection for a while: half-open sockets say nothing by themselves. */
import type { CancelTimer, Clock } from '@leuria/clock'

export interface SilenceWatch {
  heard(): void
  /** How long nothing has come. */
  silentMs(): number
  stop(): void
}

/** One timer in all, however much comes. */
export function watchSilence(clock: Clock, limitMs: number, onSilent: () => void): SilenceWatch {
  let lastAt = clock.now()
  let cancelTimer: CancelTimer
  const silentMs = (): number => clock.now() - lastAt
  const arm = (delayMs: number): void => {
    cancelTimer = clock.setTimer(delayMs, () => {
      const leftMs = limitMs - silentMs()
      arm(leftMs > 0 ? leftMs : limitMs)
      if (leftMs <= 0) onSilent()
    })
  }
  arm(limitMs)
  return {
    heard: () => {
      lastAt = clock.now()
    },
    silentMs,
    stop: () => {
      cancelTimer()
    },
  }
}
