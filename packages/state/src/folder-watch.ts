/**
 * Tells when something in a folder may have changed: the system's own events, gathered for a moment, and a slow poll
 * as the net below them (events get lost, folders are replaced, some file systems have none).
 */
import type { CancelTimer, Clock } from '@leuria/clock'
import type { StateFs } from './file-system.js'

/** One save makes a handful of events within a few milliseconds; they become one look. */
export const WATCH_GATHER_MS = 30
/** How late a change is noticed when no event came. One `stat` each time: nothing that shows as load. */
export const WATCH_POLL_MS = 2_000

export interface WatchOptions {
  fs: StateFs
  clock: Clock
  /** True for names whose change matters. */
  concerns: (name: string) => boolean
  /** Goes and looks; never throws. */
  look: () => void
}

/** Watches `folder` until the returned undo is called. */
export function watchFolder(folder: string, options: WatchOptions): () => void {
  const { fs, clock, concerns, look } = options
  let cancelGathered: CancelTimer | null = null
  const changed = (name: string | null): void => {
    if (cancelGathered !== null || (name !== null && !concerns(name))) return
    cancelGathered = clock.setTimer(WATCH_GATHER_MS, () => {
      cancelGathered = null
      look()
    })
  }
  const poll = (): void => {
    cancelPoll = clock.setTimer(WATCH_POLL_MS, poll)
    look()
  }
  let cancelPoll = clock.setTimer(WATCH_POLL_MS, poll)
  const unwatch = watchOrPoll(folder, fs, changed)
  return () => {
    unwatch()
    cancelPoll()
    cancelGathered?.()
  }
}

/** A system that has run out of watches (or has none) is no reason to fail: the poll does. */
function watchOrPoll(folder: string, fs: StateFs, changed: (name: string | null) => void): () => void {
  try {
    return fs.watch(folder, changed)
  } catch {
    return () => undefined
  }
}
