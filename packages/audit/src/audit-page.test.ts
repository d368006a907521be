/** Pages of the log, newest first: nothing twice, nothing left out, whatever the times. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fakeClock } from '@leuria/testing'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openAudit, type PlacedRecord, readAuditPage } from './index.js'

const SHOP = 'https://shop.example'
const BLOG = 'https://blog.example'

let home = ''
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'leuria-audit-page-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

/** Records one entry for each step, after so many milliseconds. */
async function record(steps: readonly number[]): Promise<void> {
  const clock = fakeClock()
  const audit = openAudit({ home, clock })
  for (const [at, stepMs] of steps.entries()) {
    clock.advance(stepMs)
    audit.record({ kind: 'session_started', origin: at % 3 === 0 ? BLOG : SHOP, sessionId: `s${at}` })
  }
  await audit.close()
}

async function readAll(limit: number, origin?: string): Promise<PlacedRecord[]> {
  const all: PlacedRecord[] = []
  let before: string | undefined
  for (;;) {
    const page = await readAuditPage({ home, limit, ...(origin && { origin }), ...(before && { before }) })
    if (page === null) throw new Error(`${before ?? ''} is no place`)
    all.push(...page.records)
    if (page.next === null) return all
    expect(page.records).toHaveLength(limit)
    before = page.next
  }
}

const sessions = (records: readonly PlacedRecord[]): string[] =>
  records.map((each) => ('sessionId' in each ? each.sessionId : each.kind))

it('has nothing where there is no log', async () => {
  expect(await readAuditPage({ home, limit: 10 })).toEqual({ records: [], next: null })
})

// FC-22: entries of the same moment are neither lost nor shown twice where a page ends between them.
it('shows every record once, newest first, whatever the page size and the times', async () => {
  const steps = fc.array(fc.constantFrom(0, 0, 1, 3_600_000, 86_400_000), { minLength: 1, maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 26 }), async (times, limit) => {
      await rm(home, { recursive: true, force: true })
      await record(times)
      const kept = await readAll(1_000)
      expect(sessions(await readAll(limit))).toEqual(sessions(kept))
      expect(sessions(kept)).toEqual(
        times
          .map((_, at) => `s${at}`)
          .reverse()
          .slice(0, kept.length),
      )
    }),
    { numRuns: 25 },
  )
})

it('shows one site only, and goes on where it was although more was recorded', async () => {
  await record([0, 0, 0, 0, 0, 0])
  expect(sessions(await readAll(2, SHOP))).toEqual(['s5', 's4', 's2', 's1'])
  const first = await readAuditPage({ home, limit: 2 })
  await record([0, 0])
  const second = await readAuditPage({ home, limit: 2, before: first?.next ?? '' })
  expect(sessions(second?.records ?? [])).toEqual(['s3', 's2'])
})

it.each(['', 'x', '2026-11-30', '2026-11-30.x', '../2026-11-30.1'])('knows no place %j', async (before) => {
  expect(await readAuditPage({ home, limit: 1, before })).toBeNull()
})
