/** A page tool call, from session to session in turn. */
import { cpuPerUnit, inTurn } from '../cpu-per-unit.js'
import { type GrowthScenario, measureGrowth } from '../growth.js'
import { sessionSizes, SITES_FOR_ALL, withPages } from '../many-pages.js'
import { McpCaller } from '../mcp-caller.js'
import { onStage } from '../stage.js'

const CALLS = 3_000

export const callsBySessions: GrowthScenario = {
  name: 'calls-by-sessions',
  run: ({ scale, rounds }) =>
    onStage(
      ({ product }) =>
        measureGrowth(rounds, {
          work: 'CPU of a page tool call, by sessions',
          unit: 'µs',
          goal: 1.2,
          sizes: sessionSizes(scale),
          cost: (size) =>
            withPages(product, size, async (pages) => {
              const callers = pages.map((page) => new McpCaller(product.port, page))
              for (const caller of callers) await caller.start()
              const work = (time: number): Promise<string> => inTurn(callers, time).call()
              const cost = await cpuPerUnit(product.process, { times: Math.ceil(CALLS * scale), work })
              for (const caller of callers) caller.close()
              return cost
            }),
        }),
      { sites: SITES_FOR_ALL },
    ),
}
