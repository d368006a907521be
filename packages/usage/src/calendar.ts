/** Days and minutes as the visitor's own calendar has them: "today" ends at their midnight, not at UTC's. */

const MINUTE_MS = 60_000

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}

/** `2026-11-30`, in this computer's time zone. */
export function dayOf(date: Date): string {
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
}

/** Until midnight, in ms. A day with a change of the clocks has its own length. */
export function untilTomorrowMs(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime() - date.getTime()
}

/** Whole minutes since 1970. */
export function minuteOf(date: Date): number {
  return Math.floor(date.getTime() / MINUTE_MS)
}

/** From `date` until minute number `minute` begins, in ms. */
export function untilMinuteMs(date: Date, minute: number): number {
  return minute * MINUTE_MS - date.getTime()
}
