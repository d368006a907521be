/** Rows as a table for people; the same as JSON is what is kept. */
import type { Row } from './scenario.js'

function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1)
}

function verdict({ comparison, goal, limit }: Row): string {
  const ratio = comparison.ratio.median
  if (!Number.isFinite(ratio)) return 'not measured here'
  if (ratio <= goal) return 'at its goal'
  return ratio <= limit ? 'within its limit' : 'over its limit'
}

/** Markdown. */
export function formatTable(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const { floor, product, ratio } = row.comparison
    const spread = `${ratio.min.toFixed(2)} to ${ratio.max.toFixed(2)}`
    return `| ${row.work} | ${figure(floor.median)} ${row.unit} | ${figure(product.median)} ${row.unit} | ${ratio.median.toFixed(2)}× (${spread}) | ${row.goal}× | ${verdict(row)} |`
  })
  return [
    '| work | floor | engine | ratio (spread) | goal | |',
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n')
}
