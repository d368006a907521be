/**
 * Time as a value that can be passed in: a monotonic clock and its timers.
 * Owns no policy; whoever sets a timer cancels it.
 */

/** Undoes a timer; calling it twice, or after the timer fired, does nothing. */
export type CancelTimer = () => void

/** A source of time. Rules and parts take one as an option so that tests can move time by hand. */
export interface Clock {
  /** Milliseconds since an arbitrary start. Never goes back, unaffected by changes of the system's date. */
  now(): number
  /** The calendar time, for what is shown or stored. Never used to decide whether something has expired. */
  date(): Date
  /** Calls `fire` once after `delayMs` (0 to 2^31-1). The timer does not keep a process alive. */
  setTimer(delayMs: number, fire: () => void): CancelTimer
}
