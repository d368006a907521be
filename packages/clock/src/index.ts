/** Public names of `@leuria/clock`. */
export type { CancelTimer, Clock } from './clock.js'
export { systemClock } from './system-clock.js'
export { DeadlineError, pause, withDeadline } from './deadline.js'
export type { AbortSignalLike } from './deadline.js'
