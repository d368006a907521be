/** Each scenario once, tiny, for function only: it fails when a scenario breaks, never on a timing. */
import { expect, it } from 'vitest'
import { formatTable } from './report.js'
import { scenarios } from './scenarios.js'

it.each(scenarios)(
  'the scenario $name runs and says something of each of its figures',
  { timeout: 60_000 },
  async (scenario) => {
    const rows = await scenario.run({ scale: 0.01, rounds: 1 })
    expect(rows.length).toBeGreaterThan(0)
    for (const { comparison } of rows) expect(comparison.product.median).not.toBeNaN()
    expect(formatTable(rows).split('\n')).toHaveLength(rows.length + 2)
  },
)
