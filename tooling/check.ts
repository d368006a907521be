// What `npm test` runs once everything is installed: build, type check, lint, then every test of every project.
// Ends with one line, `N passed, N failed[, N skipped]`; a failed step before the tests counts as one failed.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitCodeOf, onStop, run, stopChildren } from './child.js'
import { CHROMIUM_HINT, findChromium } from './chromium.js'
import { type Counts, readReport, summaryLine } from './test-report.js'

onStop((signal) => {
  void stopChildren().then(() => process.exit(exitCodeOf(signal)))
})

/** One cached step; its output is shown only when it fails. */
async function step(title: string, tasks: readonly string[]): Promise<boolean> {
  const startedAt = performance.now()
  const { code, output } = await run('turbo', ['run', ...tasks, '--output-logs=errors-only', '--ui=stream'], 'keep')
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  if (code !== 0) console.log(output.trimEnd())
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${title} (${seconds} s)`)
  return code === 0
}

async function runTests(): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), 'leuria-check-'))
  const file = join(folder, 'report.json')
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
    const { code } = await run('vitest', ['run', ...reporters, ...process.argv.slice(2)], 'show')
    const counts = readReport(readText(file)) ?? { passed: 0, failed: 0, skipped: 0 }
    // E.g. an error that no test was waiting for, or a runner that crashed: never a green line over a red run.
    return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

console.log('Building, checking types, linting (half a minute the first time, then cached) ...')
const built = await step('build', ['build:ts', 'bundle'])
const checked = await Promise.all([step('types', ['typecheck']), step('lint', ['lint'])])
const counts = await runTests()
const failedSteps = [built, ...checked].filter((ok) => !ok).length
if (findChromium() === null) console.log(`Browser tests did not run: ${CHROMIUM_HINT}`)
const total = { ...counts, failed: counts.failed + failedSteps }
console.log(summaryLine(total))
process.exitCode = total.failed === 0 ? 0 : 1
