/** What every scenario is: a piece of work, done by a floor and by the product, and the ratio it should keep to. */
import type { Comparison } from './rounds.js'

export interface ScenarioOptions {
  /** How much work: 1 is the full run; the function test takes a small part. */
  scale: number
  rounds: number
}

/** A figure of a scenario with the ratio that is its goal. */
export interface Row {
  /** What was measured, for example "GET /health with a token: p50". */
  work: string
  unit: 'µs' | 'ms' | 'KB'
  comparison: Comparison
  /** Product to floor, at most. */
  goal: number
  limit: number
}

export interface Scenario {
  name: string
  run(options: ScenarioOptions): Promise<Row[]>
}
