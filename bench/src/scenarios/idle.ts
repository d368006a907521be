/** What waiting costs: the memory of an idle session's stream and channel, and the CPU time of many of them. */
import { setTimeout as wait } from 'node:timers/promises'
import { openPages, SESSIONS_A_SITE, withPages } from '../many-pages.js'
import type { Page } from '../page.js'
import { compare, type Figures } from '../rounds.js'
import { rowsOf, type Scenario } from '../scenario.js'
import { onStage, type Variant } from '../stage.js'

const SESSIONS = 100
/** Of so many sessions each, at once at most. */
const PARTS = 3
const IDLE_MS = 10_000

/** KB that each of so many more sessions adds to what a process holds in memory. */
async function addedBy(variant: Variant, sessions: number, open: Page[]): Promise<number> {
  const before = variant.process.memoryKb()
  open.push(...(await openPages(variant, sessions, { firstSession: open.length })))
  return (variant.process.memoryKb() - before) / sessions
}

/** `kept` and `resident`: KB a session with its stream and its channel; `cpu`: percent of a core while nothing happens. */
async function measure(variant: Variant, sessions: number, idleMs: number): Promise<Figures> {
  // What as many sessions load, compile and let the heap grow to is there once, however many come after them.
  await withPages(variant, sessions, () => Promise.resolve())
  const keptBefore = await variant.process.keptKb()
  const open = await openPages(variant, sessions)
  const kept = ((await variant.process.keptKb()) - keptBefore) / sessions
  // The collection goes on a little behind the answer.
  await wait(idleMs / 5)
  const cpuBefore = variant.process.cpuUs()
  await wait(idleMs)
  const cpu = ((variant.process.cpuUs() - cpuBefore) / (idleMs * 1_000)) * 100
  // A collection gives room for garbage back: the first ones after it take that again, and aren't counted.
  await addedBy(variant, sessions, open)
  const resident = await addedBy(variant, sessions, open)
  await Promise.all(open.map((page) => page.close()))
  return { kept, resident, cpu }
}

export const idle: Scenario = {
  name: 'idle',
  async run({ scale }) {
    const sessions = Math.max(SESSIONS_A_SITE, Math.ceil(SESSIONS * scale))
    const sites = PARTS * Math.ceil(sessions / SESSIONS_A_SITE)
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
