/** Questions a day as bars, from stored figures only; nothing is drawn where there are none. */
import { count } from '../words/site-words.js'

export interface UsageDay {
  /** `2026-11-30` */
  day: string
  turns: number
  tokens: number
}

const DAYS = 14
const HEIGHT = 44
const STEP = 12
const BAR = 8

/** The last `DAYS` days up to the newest one known, oldest first; days without figures are zero. */
export function lastDays(days: readonly UsageDay[], today: string): UsageDay[] {
  const known = new Map(days.map((day) => [day.day, day]))
  const end = Date.parse(`${today}T00:00:00Z`)
  return Array.from({ length: DAYS }, (_, back) => {
    const day = new Date(end - (DAYS - 1 - back) * 86_400_000).toISOString().slice(0, 10)
    return known.get(day) ?? { day, turns: 0, tokens: 0 }
  })
}

export function UsageChart({ days, today }: { days: readonly UsageDay[]; today: string }) {
  const shown = lastDays(days, today)
  const most = Math.max(...shown.map(({ turns }) => turns))
  if (most === 0) return null
  const total = shown.reduce((sum, { turns }) => sum + turns, 0)
  return (
    <figure className="chart">
      <svg
        viewBox={`0 0 ${DAYS * STEP} ${HEIGHT}`}
        preserveAspectRatio="xMinYMax"
        role="img"
        aria-label={`${count(total, 'question')} in two weeks`}
      >
        {shown.map(({ day, turns, tokens }, at) => {
          const height = turns === 0 ? 1 : Math.max(3, (turns / most) * HEIGHT)
          return (
            <rect
              key={day}
              className={turns === 0 ? 'bar-none' : 'bar'}
              x={at * STEP}
              y={HEIGHT - height}
              width={BAR}
              height={height}
              rx={1.5}
            >
              <title>{`${day}: ${count(turns, 'question')}, ${count(tokens, 'token')}`}</title>
            </rect>
          )
        })}
      </svg>
      <figcaption>{count(total, 'question')} in the last two weeks</figcaption>
    </figure>
  )
}
