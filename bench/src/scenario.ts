/** What every scenario is: a piece of work, done by a floor and by the product, and the ratio it should keep to. */
import type { Comparison } from './rounds.js'

export interface ScenarioOptions {
  /** How much work: 1 is the full run; the function test takes a small part. */
  scale: number
  rounds: number
}

/** What a figure should keep to. */
export interface Aim {
  /** What was measured, for example "GET /health with a token: p50". */
  work: string
  unit: 'µs' | 'ms' | 'KB' | '/s' | '%'
  /** Product to floor: at most, or for a rate (`/s`) at least. With `of: 'figure'` the product's figure itself, at most. */
  goal: number
  limit: number
  /** @default 'ratio' */
  of?: 'ratio' | 'figure'
}

/** A figure of a scenario with its aim. */
export interface Row extends Aim {
  comparison: Comparison
}

/** Each figure with its aim; a figure without one is left out. */
export function rowsOf(comparisons: Readonly<Record<string, Comparison>>, aims: Readonly<Record<string, Aim>>): Row[] {
  return Object.entries(aims).flatMap(([name, aim]) => {
    const comparison = comparisons[name]
    return comparison === undefined ? [] : [{ ...aim, comparison }]
  })
}

export interface Scenario {
  name: string
  run(options: ScenarioOptions): Promise<Row[]>
}
