/** Whether an engine that died is started again, and after how long. Pure. */

/** An engine that dies more often than this isn't helped by starting it. */
export const MAX_DEATHS = 5
export const DEATH_WINDOW_MS = 60_000
export const FIRST_RESTART_MS = 200

/** @param deathsMs when it died, this time included, oldest first. `null`: not again. */
export function restartDelayMs(deathsMs: readonly number[]): number | null {
  const now = deathsMs.at(-1) ?? 0
  const recent = deathsMs.filter((at) => now - at < DEATH_WINDOW_MS).length
  return recent > MAX_DEATHS ? null : FIRST_RESTART_MS * 2 ** (recent - 1)
}
