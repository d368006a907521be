/** A token that is told again to a reader who comes back, by how many there are. */
import { cpuPerUnit } from '../cpu-per-unit.js'
import { type GrowthScenario, measureGrowth } from '../growth.js'
import { Page } from '../page.js'
import { onStage, type Variant } from '../stage.js'

/** In all; each length is told again as often as makes this. */
const TOKENS = 300_000

async function costOfToken(product: Variant, tokens: number, total: number): Promise<number> {
  const page = new Page(product)
  await page.start()
  await page.turn(`say ${tokens}`)
  const times = Math.ceil(total / tokens)
  const cost = await cpuPerUnit(product.process, { times, units: tokens, work: () => page.replay() })
  await page.close()
  return cost
}

export const replayByTokens: GrowthScenario = {
  name: 'replay-by-tokens',
  run: ({ scale, rounds }) =>
    onStage(({ product }) =>
      measureGrowth(rounds, {
        work: 'CPU of a token told again, by tokens in the turn',
        unit: 'µs',
        goal: 1.2,
        sizes: [1_000, 10_000, 50_000].map((size) => size * scale),
        cost: (size) => costOfToken(product, size, TOKENS * scale),
      }),
    ),
}
