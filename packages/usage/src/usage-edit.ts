/** What becomes of `usage.json` when counts are added: pure, bounded in days and in minutes. */
import type { UsageDay, UsageFile } from '@leuria/protocol'
import { WINDOW_MINUTES } from './budget.js'
import { type Owner, NOTHING_USED, sum, type Tally } from './tally.js'

/** How many days are kept: enough for "last month". */
export const USAGE_KEEP_DAYS = 31

export const emptyUsageFile = (): UsageFile => ({ version: 1, days: [], recent: [] })

/** Adds the tally to what the file says, whoever wrote that, and forgets what is too old. */
export function addTally(file: UsageFile, tally: Tally, nowMinute: number): UsageFile {
  return {
    ...file,
    days: withDays(file.days, tally).slice(-USAGE_KEEP_DAYS),
    recent: withRecent(file, tally, nowMinute),
  }
}

/** The days with the tally's counts added, oldest first. */
export function withDays(days: readonly UsageDay[], tally: Tally): UsageDay[] {
  const added = new Map(days.map((day) => [day.day, day]))
  for (const [day, sites] of tally.days) {
    let entry = added.get(day) ?? { day, sites: [] }
    for (const [owner, counts] of sites) {
      const old = entry.sites.find(({ origin }) => origin === owner)
      const site = { ...old, origin: owner, ...sum(old ?? NOTHING_USED, counts) }
      entry = { ...entry, sites: [...entry.sites.filter((other) => other !== old), site] }
    }
    added.set(day, entry)
  }
  return [...added.values()].sort((a, b) => (a.day < b.day ? -1 : 1))
}

function withRecent({ recent }: UsageFile, tally: Tally, nowMinute: number): UsageFile['recent'] {
  const turns = new Map<string, UsageFile['recent'][number]>()
  const add = (entry: { origin: Owner; minute: number; turns: number }): void => {
    if (entry.minute < nowMinute - WINDOW_MINUTES || entry.minute > nowMinute) return
    const key = `${entry.minute} ${entry.origin}`
    const old = turns.get(key)
    turns.set(key, { ...old, ...entry, turns: (old?.turns ?? 0) + entry.turns })
  }
  for (const entry of recent) add(entry)
  for (const [origin, minutes] of tally.minutes)
    for (const [minute, count] of minutes) add({ origin, minute, turns: count })
  return [...turns.values()]
}
