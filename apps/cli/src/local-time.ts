/** Times as people here read and write them: in this computer's own time zone. */

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}

/** `2026-11-30 14:05:09` of an ISO time; the seconds can be left out. */
export function showTime(iso: string, { seconds = true } = {}): string {
  const time = new Date(iso)
  const day = [time.getFullYear(), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join('-')
  const clock = [time.getHours(), time.getMinutes(), ...(seconds ? [time.getSeconds()] : [])].map(twoDigits).join(':')
  return `${day} ${clock}`
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A day (its first moment), a time, or a span before `now`: `2026-11-30`, `2026-11-30 14:05`, `30m`, `2h`, `7d`. `null`: none of them. */
export function readTime(text: string, now: Date): Date | null {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  if (count !== undefined && unit !== undefined) return new Date(now.getTime() - Number(count) * (UNIT_MS[unit] ?? 0))
  // A bare day would be read as one of UTC.
  const time = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text)
  return Number.isNaN(time.getTime()) ? null : time
}
