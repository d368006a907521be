/** A token on its way to a page, with so many sessions that stream at once. */
import { cpuPerUnit } from '../cpu-per-unit.js'
import { type GrowthScenario, measureGrowth } from '../growth.js'
import { sessionSizes, SITES_FOR_ALL, withPages } from '../many-pages.js'
import { onStage } from '../stage.js'

/** In all: each size makes as many, so that what a turn costs by itself counts alike. */
const TURNS = 100
const TOKENS_A_TURN = 1_000

export const tokensBySessions: GrowthScenario = {
  name: 'tokens-by-sessions',
  run: ({ scale, rounds }) =>
    onStage(
      ({ product }) =>
        measureGrowth(rounds, {
          work: 'CPU of a token, by sessions that stream at once',
          unit: 'µs',
          goal: 1.2,
          sizes: sessionSizes(scale),
          cost: (size) =>
            withPages(product, size, (pages) => {
              const tokens = Math.ceil(TOKENS_A_TURN * scale)
              const work = (): Promise<unknown> => Promise.all(pages.map((page) => page.turn(`say ${tokens}`)))
              return cpuPerUnit(product.process, {
                times: Math.ceil((TURNS * scale) / size),
                units: size * tokens,
                work,
              })
            }),
        }),
      { sites: SITES_FOR_ALL },
    ),
}
