/** Rows as a table for people; the same as JSON is what is kept. */
import type { Growth } from './growth.js'
import type { Row } from './scenario.js'

function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1)
}

function verdict({ comparison, goal, limit, unit, of = 'ratio' }: Row): string {
  const value = (of === 'ratio' ? comparison.ratio : comparison.product).median
  // What is left of a difference may be less than nothing where noise is greater than it.
  if (!Number.isFinite(value) || value < 0) return 'not measured here'
  // A rate is better the higher it is.
  const isWithin = (bound: number): boolean => (of === 'ratio' && unit === '/s' ? value >= bound : value <= bound)
  if (isWithin(goal)) return 'at its goal'
  return isWithin(limit) ? 'within its limit' : 'over its limit'
}

function aimOf({ goal, unit, of = 'ratio' }: Row): string {
  if (of === 'figure') return `${goal} ${unit}`
  return unit === '/s' ? `≥ ${goal}×` : `${goal}×`
}

/** Markdown. */
export function formatTable(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const { floor, product, ratio } = row.comparison
    const spread = `${ratio.min.toFixed(2)} to ${ratio.max.toFixed(2)}`
    const figures = `${figure(floor.median)} ${row.unit} | ${figure(product.median)} ${row.unit}`
    return `| ${row.work} | ${figures} | ${ratio.median.toFixed(2)}× (${spread}) | ${aimOf(row)} | ${verdict(row)} |`
  })
  return [
    '| work | floor | engine | ratio (spread) | goal | |',
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n')
}

/** Markdown: what a unit costs at each size, and to the first size. */
export function formatGrowth(growths: readonly Growth[]): string {
  const lines = growths.flatMap(({ work, unit, goal, steps }) =>
    steps.map(({ size, cost, ratio }, place) => {
      const growth =
        place === 0 ? '1' : `${ratio.median.toFixed(2)}× (${ratio.min.toFixed(2)} to ${ratio.max.toFixed(2)})`
      const aim = place === steps.length - 1 ? `${goal}×` : ''
      return `| ${place === 0 ? work : ''} | ${size} | ${figure(cost.median)} ${unit} | ${growth} | ${aim} |`
    }),
  )
  return [
    '| how cost grows | at | a unit | to the first (spread) | goal |',
    '| --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n')
}
