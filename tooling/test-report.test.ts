import { describe, expect, it } from 'vitest'
import { readReport, summaryLine } from './test-report.js'

const file = (status: string, ...assertions: string[]) => ({
  status,
  assertionResults: assertions.map((assertion) => ({ status: assertion })),
})
const text = (...testResults: object[]) => JSON.stringify({ success: true, testResults })

describe('readReport', () => {
  it('sums over all files', () => {
    const report = text(file('passed', 'passed', 'pending', 'todo'), file('failed', 'passed', 'failed'))
    expect(readReport(report)).toEqual({ passed: 2, failed: 1, skipped: 2 })
  })

  it('counts a file that could not be loaded as one failed', () => {
    expect(readReport(text(file('failed'), file('passed', 'passed')))).toEqual({ passed: 1, failed: 1, skipped: 0 })
  })

  it('counts a file whose hook failed as one failed, though its tests are marked skipped', () => {
    expect(readReport(text(file('failed', 'skipped')))).toEqual({ passed: 0, failed: 1, skipped: 1 })
  })

  it.each(['', 'not json', 'null', '{}', '{"testResults":1}'])('takes %j for no report', (broken) => {
    expect(readReport(broken)).toBeNull()
  })
})

describe('summaryLine', () => {
  it('names the skipped only when there are some', () => {
    expect(summaryLine({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed')
    expect(summaryLine({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped')
  })
})
