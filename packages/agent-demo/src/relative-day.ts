/** "Today" and its neighbours as calendar days. */

const OFFSETS: ReadonlyMap<string, number> = new Map([
  ...['yesterday', 'gestern', 'hier', 'ayer', '昨日'].map((word): [string, number] => [word, -1]),
  ...['today', 'tonight', 'heute', 'hoy', '今日'].map((word): [string, number] => [word, 0]),
  ...['tomorrow', 'morgen', 'demain', 'manana', '明日'].map((word): [string, number] => [word, 1]),
])

/** True for a word that stands for a day near today. */
export const isRelativeDay = (word: string): boolean => OFFSETS.has(word)

/** The day a word stands for, `YYYY-MM-DD` in local time, or `undefined`. */
export function relativeDay(word: string, today: Date): string | undefined {
  const offset = OFFSETS.get(word)
  if (offset === undefined) return undefined
  return toDay(new Date(today.getFullYear(), today.getMonth(), today.getDate() + offset))
}

/** `YYYY-MM-DD` in local time. */
export function toDay(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
