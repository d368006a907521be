// Reads vitest's JSON report into counts, and writes the one line that sums everything up.
// A test file that couldn't be loaded has no tests in the report: it counts as one failed.
import * as z from 'zod/mini'

export interface Counts {
  passed: number
  failed: number
  skipped: number
}

const report = z.object({
  success: z.boolean(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
})

/** Counts of a report's text; `null` when the text isn't a report (the runner crashed). */
export function readReport(text: string): Counts | null {
  const parsed = report.safeParse(parseJson(text))
  if (!parsed.success) return null
  const files = parsed.data.testResults
  const statuses = files.flatMap((file) => file.assertionResults.map((assertion) => assertion.status))
  const passed = statuses.filter((status) => status === 'passed').length
  const failed = statuses.filter((status) => status === 'failed').length
  const brokenFiles = files.filter((file) => file.status === 'failed' && !hasFailure(file.assertionResults)).length
  return { passed, failed: failed + brokenFiles, skipped: statuses.length - passed - failed }
}

function hasFailure(assertions: readonly { status: string }[]): boolean {
  return assertions.some((assertion) => assertion.status === 'failed')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** `N passed, N failed`, with `, N skipped` when some were. */
export function summaryLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
