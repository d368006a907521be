/**
 * Keeps the process running during a wait that somebody has asked for. The clock's timers and the watches don't: they
 * serve programs that live for other reasons, but a command like `leuria sites revoke` has only its wait.
 */

/** Longest delay a timer takes; nothing ever happens at its end. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Returns its undo. */
export function keepAlive(): () => void {
  const timer = setInterval(() => undefined, MAX_TIMER_MS)
  return () => {
    clearInterval(timer)
  }
}
