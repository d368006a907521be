/** A token on its way to a page, by how many its turn has. */
import { cpuPerUnit } from '../cpu-per-unit.js'
import { type GrowthScenario, measureGrowth } from '../growth.js'
import { withPages } from '../many-pages.js'
import { onStage } from '../stage.js'

/** In all; each length has as many turns as make this. */
const TOKENS = 150_000

export const tokensByLength: GrowthScenario = {
  name: 'tokens-by-length',
  run: ({ scale, rounds }) =>
    onStage(({ product }) =>
      measureGrowth(rounds, {
        work: 'CPU of a token, by tokens in its turn',
        unit: 'µs',
        goal: 1.2,
        sizes: [1_000, 10_000, 50_000].map((size) => size * scale),
        cost: (size) =>
          withPages(product, 1, async (pages) => {
            const work = (): Promise<unknown> => Promise.all(pages.map((page) => page.turn(`say ${size}`)))
            return cpuPerUnit(product.process, { times: Math.ceil((TOKENS * scale) / size), units: size, work })
          }),
      }),
    ),
}
