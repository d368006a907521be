/** `npm run bench`: every scenario, floor and product in turn, as a table and as JSON in `bench/results`. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Growth } from './growth.js'
import { growthScenarios } from './growth-scenarios.js'
import { formatGrowth, formatTable } from './report.js'
import type { Row } from './scenario.js'
import { scenarios } from './scenarios.js'

const RESULTS = fileURLToPath(new URL('../results', import.meta.url))
/** BENCH_ROUNDS: fewer for a quick look, more where a machine is busy. */
const FULL = { scale: 1, rounds: Number(process.env.BENCH_ROUNDS ?? 5) }

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}

const wanted = process.argv.slice(2)
const isWanted = ({ name }: { name: string }): boolean => wanted.length === 0 || wanted.includes(name)
const rows: Row[] = []
for (const scenario of scenarios.filter(isWanted)) {
  console.error(`Measuring ${scenario.name} ...`)
  rows.push(...(await scenario.run(FULL)))
}
const growths: Growth[] = []
for (const scenario of growthScenarios.filter(isWanted)) {
  console.error(`Measuring ${scenario.name} ...`)
  growths.push(await scenario.run(FULL))
}
const machine = { node: process.version, cores: cpus().length, load: loadavg()[0] }
const result = { date: new Date().toISOString(), commit: commit(), ...machine, rows, growths }
mkdirSync(RESULTS, { recursive: true })
// A part of it is no run to keep in the full one's place.
writeFileSync(`${RESULTS}/${wanted.length === 0 ? 'latest' : 'part'}.json`, `${JSON.stringify(result, null, 2)}\n`)
if (rows.length > 0) console.log(formatTable(rows))
if (growths.length > 0) console.log(`${rows.length > 0 ? '\n' : ''}${formatGrowth(growths)}`)
