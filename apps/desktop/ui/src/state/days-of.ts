import type { UsageDay } from '../parts/usage-chart.js'
import type { WindowState } from './window-state.js'

/** A site's figures by day, from what the engine stored. */
export function daysOf(usage: WindowState['usage'], origin: string): UsageDay[] {
  return (usage?.days ?? []).map(({ day, sites }) => {
    const used = sites.find((site) => site.origin === origin)
    return { day, turns: used?.turns ?? 0, tokens: used?.tokens ?? 0 }
  })
}
