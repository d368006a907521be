/** Our engine passes every clause that can be seen from outside: as the command line runs it, and behind the desktop app. */
import { describe, expect, it } from 'vitest'
import { checkEngine, type Report } from './index.js'
import { openOurEngine } from './our-engine.fixture.js'

const failures = (report: Report): string[] =>
  report.results.flatMap((result) => (result.status === 'failed' ? [`${result.clause.id}: ${result.seen}`] : []))

describe('our engine with the demo AI', () => {
  it.concurrent.each(['page', 'app'] as const)('passes N of N in %s mode', { timeout: 120_000 }, async (mode) => {
    await using engine = await openOurEngine({ mode })
    const report = await checkEngine({ ...engine, mode, flood: true })
    expect(failures(report)).toEqual([])
    expect(report.passed).toBeGreaterThan(120)
  })
})
