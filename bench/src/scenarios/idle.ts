/** What waiting costs: the memory of an idle session's stream and channel, and the CPU time of many of them. */
import { setTimeout as wait } from 'node:timers/promises'
import { openPages, SESSIONS_A_SITE, withPages } from '../many-pages.js'
import { compare, type Figures } from '../rounds.js'
import { rowsOf, type Scenario } from '../scenario.js'
import { onStage, type Variant } from '../stage.js'

const SESSIONS = 100
const IDLE_MS = 10_000

/** `kept` and `resident`: KB a session with its stream and its channel; `cpu`: percent of a core while nothing happens. */
async function measure(variant: Variant, sessions: number, idleMs: number): Promise<Figures> {
  // What the first sessions load is loaded once.
  await withPages(variant, SESSIONS_A_SITE, () => Promise.resolve())
  const keptBefore = await variant.process.keptKb()
  const residentBefore = variant.process.memoryKb()
  const pages = await openPages(variant, sessions)
  const resident = (variant.process.memoryKb() - residentBefore) / sessions
  const kept = ((await variant.process.keptKb()) - keptBefore) / sessions
  const cpuBefore = variant.process.cpuUs()
  await wait(idleMs)
  const cpu = ((variant.process.cpuUs() - cpuBefore) / (idleMs * 1_000)) * 100
  await Promise.all(pages.map((page) => page.close()))
  return { kept, resident, cpu }
}

export const idle: Scenario = {
  name: 'idle',
  async run({ scale }) {
    const sessions = Math.max(SESSIONS_A_SITE, Math.ceil(SESSIONS * scale))
    const sites = Math.ceil(sessions / SESSIONS_A_SITE)
    // Memory is given back late and never whole: each variant is measured once, in a process of its own.
    const comparisons = await onStage(
      ({ floor, product }) =>
        compare(1, {
          floor: () => measure(floor, sessions, IDLE_MS * scale),
          product: () => measure(product, sessions, IDLE_MS * scale),
        }),
      { sites, inspect: true },
    )
    return rowsOf(comparisons, {
      // The goal is 16 KB each for a stream and a channel; the connection that the page keeps for requests comes on top.
      kept: {
        work: `memory that an idle session keeps, its three connections included, ${sessions} of them`,
        unit: 'KB',
        of: 'figure',
        goal: 32,
        limit: 64,
      },
      resident: { work: 'resident memory that such a session adds', unit: 'KB', of: 'figure', goal: 32, limit: 64 },
      cpu: { work: `CPU of ${sessions} idle sessions`, unit: '%', of: 'figure', goal: 0.05, limit: 0.2 },
    })
  },
}
