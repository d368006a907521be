/** A report as lines for people. */
import type { ClauseResult, Report } from './report.js'

const MARKS = { passed: 'ok   ', failed: 'FAIL ', not_observable: '  -  ' } as const

function detailOf(result: ClauseResult): string[] {
  if (result.status === 'failed') return [`        seen: ${result.seen}`]
  return result.status === 'not_observable' ? [`        not observable: ${result.reason}`] : []
}

function lineOf(result: ClauseResult): string[] {
  const { id, sentence, level } = result.clause
  const should = level === 'should' ? ' (should)' : ''
  return [`${MARKS[result.status]} ${id}${should}: ${sentence}`, ...detailOf(result)]
}

/** The last line: "N of N", since what could not be observed proves nothing either way. */
export function summaryOf({ passed, failed, notObservable }: Report): string {
  const rest = notObservable === 0 ? '' : `, ${notObservable} not observable`
  return `${passed} of ${passed + failed} clauses passed${rest}`
}

/** The whole report as text. */
export function formatReport(report: Report): string {
  const lines: string[] = [`Leuria engine protocol 0.2: ${report.subject}`]
  let section = ''
  for (const result of report.results) {
    if (result.clause.section !== section) {
      section = result.clause.section
      lines.push('', section)
    }
    lines.push(...lineOf(result))
  }
  return [...lines, '', summaryOf(report)].join('\n')
}
