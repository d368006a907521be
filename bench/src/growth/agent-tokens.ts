/** A token through an ACP agent, with so many agents that stream at once. A hundred of them would measure the machine. */
import { ACP_AGENT } from '../agent-floor.js'
import { cpuPerUnit } from '../cpu-per-unit.js'
import { type GrowthScenario, measureGrowth } from '../growth.js'
import { SITES_FOR_ALL, withPages } from '../many-pages.js'
import { onStage } from '../stage.js'

const TURNS = 100
const TOKENS_A_TURN = 1_000
const SIZES = [1, 10]

export const agentTokens: GrowthScenario = {
  name: 'agent-tokens',
  run: ({ scale, rounds }) =>
    onStage(
      ({ product }) =>
        measureGrowth(rounds, {
          work: 'CPU of a token through an ACP agent, by agents that stream at once',
          unit: 'µs',
          goal: 1.2,
          sizes: scale < 1 ? SIZES.slice(0, 1) : SIZES,
          cost: (size) =>
            withPages(product, size, (pages) => {
              const tokens = Math.ceil(TOKENS_A_TURN * scale)
              const work = (): Promise<unknown> => Promise.all(pages.map((page) => page.turn(`say ${tokens}`)))
              const times = Math.ceil((TURNS * scale) / size)
              return cpuPerUnit(product.process, { times, units: size * tokens, work })
            }),
        }),
      { sites: SITES_FOR_ALL, agent: { script: ACP_AGENT, warm: false } },
    ),
}
