/** A short turn, from session to session in turn. */
import { cpuPerUnit, inTurn } from '../cpu-per-unit.js'
import { type GrowthScenario, measureGrowth } from '../growth.js'
import { sessionSizes, SITES_FOR_ALL, withPages } from '../many-pages.js'
import { onStage } from '../stage.js'

/** As many as fit into conversations that stay short: a turn's cost follows what was said before. */
const TURNS = 600
const TURNS_A_SESSION = 20

export const firstTokensBySessions: GrowthScenario = {
  name: 'first-tokens-by-sessions',
  run: ({ scale, rounds }) =>
    onStage(
      ({ product }) =>
        measureGrowth(rounds, {
          work: 'CPU of a turn of one token, by sessions',
          unit: 'µs',
          goal: 1.2,
          sizes: sessionSizes(scale),
          cost: async (size) => {
            // Fresh sessions again and again, so that conversations are as long at each size.
            const times = size * Math.ceil(TURNS_A_SESSION * scale)
            const repeats = Math.max(1, Math.ceil((TURNS * scale) / times))
            let sum = 0
            for (let repeat = 0; repeat < repeats; repeat += 1) {
              sum += await withPages(product, size, (pages) =>
                cpuPerUnit(product.process, { times, work: (time) => inTurn(pages, time).turn('say 1') }),
              )
            }
            return sum / repeats
          },
        }),
      { sites: SITES_FOR_ALL },
    ),
}
