/** Each scenario once, tiny, for function only: it fails when a scenario breaks, never on a timing. */
import { expect, it } from 'vitest'
import { growthScenarios } from './growth-scenarios.js'
import { formatGrowth, formatTable } from './report.js'
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

it.each(growthScenarios)(
  'the growth $name runs and says what each size costs',
  { timeout: 60_000 },
  async (scenario) => {
    const growth = await scenario.run({ scale: 0.01, rounds: 1 })
    expect(growth.steps.length).toBeGreaterThan(0)
    for (const { cost, ratio } of growth.steps) expect([cost.median, ratio.median]).not.toContain(Number.NaN)
    expect(formatGrowth([growth]).split('\n')).toHaveLength(growth.steps.length + 2)
  },
)
