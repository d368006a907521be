/** When a dropped connection is tried again (Conformance: 5 attempts, 0.5 s doubling up to 8 s). */

/** Wait before the first attempt. */
export const FIRST_DELAY_MS = 500
/** Longest wait before an attempt. */
export const MAX_DELAY_MS = 8_000
/** Attempts in a row before a connection counts as lost. */
export const MAX_ATTEMPTS = 5

/** Wait before attempt number `attempt` (0-based). */
export function backoffMs(attempt: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** attempt, MAX_DELAY_MS)
}
