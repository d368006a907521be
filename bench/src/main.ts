/** `npm run bench`: every scenario, floor and product in turn, as a table and as JSON in `bench/results`. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { formatTable } from './report.js'
import type { Row } from './scenario.js'
import { scenarios } from './scenarios.js'

const RESULTS = fileURLToPath(new URL('../results', import.meta.url))
const FULL = { scale: 1, rounds: 5 }

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}

const wanted = process.argv.slice(2)
const rows: Row[] = []
for (const scenario of scenarios.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  console.error(`Measuring ${scenario.name} ...`)
  rows.push(...(await scenario.run(FULL)))
}
const result = { date: new Date().toISOString(), commit: commit(), node: process.version, cores: cpus().length, rows }
mkdirSync(RESULTS, { recursive: true })
writeFileSync(`${RESULTS}/latest.json`, `${JSON.stringify(result, null, 2)}\n`)
console.log(formatTable(rows))
