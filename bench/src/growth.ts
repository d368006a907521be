/** How the cost of one unit grows with the size of something: each size once a round, each round in another order. */
import type { ScenarioOptions } from './scenario.js'
import { type Spread, spreadOf } from './statistics.js'

export interface GrowthAim {
  /** What one unit is, and what grows, for example "CPU of a page tool call, by open sessions". */
  work: string
  unit: 'µs' | 'KB'
  /** The cost at the largest size to that at the smallest, at most. */
  goal: number
}

/** `size` is how much there was of what grows, `ratio` the cost to that of the first size within the same round. */
export interface GrowthStep {
  size: number
  cost: Spread
  ratio: Spread
}

export interface Growth extends GrowthAim {
  steps: GrowthStep[]
}

export interface GrowthScenario {
  name: string
  run(options: ScenarioOptions): Promise<Growth>
}

export interface Growing extends GrowthAim {
  /** The smallest first. */
  sizes: readonly number[]
  /** What one unit costs at a size. */
  cost: (size: number) => Promise<number>
}

export async function measureGrowth(rounds: number, { sizes, cost, ...aim }: Growing): Promise<Growth> {
  const costs = new Map<number, number[]>(sizes.map((size) => [size, []]))
  for (let round = 0; round < rounds; round += 1) {
    const turned = [...sizes.slice(round % sizes.length), ...sizes.slice(0, round % sizes.length)]
    for (const size of turned) costs.get(size)?.push(await cost(size))
  }
  const first = costs.get(sizes[0] ?? 0) ?? []
  const steps = [...costs].map(([size, each]) => {
    const ratios = each.map((value, round) => value / (first[round] ?? Number.NaN))
    return { size, cost: spreadOf(each), ratio: spreadOf(ratios) }
  })
  return { ...aim, steps }
}
