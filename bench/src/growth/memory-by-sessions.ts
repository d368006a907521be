/** What an idle session with its stream, its channel and a kept connection keeps in memory, by how many there are. */
import { type GrowthScenario, measureGrowth } from '../growth.js'
import { SESSIONS_A_SITE, withPages } from '../many-pages.js'
import { onStage } from '../stage.js'

const SIZES = [10, 100, 400]

/** A process of its own each time: an ended session can be read for a while. */
function memoryOfSession(sessions: number): Promise<number> {
  return onStage(
    async ({ product }) => {
      // What the first sessions load is loaded once.
      await withPages(product, 4, () => Promise.resolve())
      const before = await product.process.keptKb()
      return withPages(product, sessions, async () => ((await product.process.keptKb()) - before) / sessions)
    },
    { sites: Math.ceil(sessions / SESSIONS_A_SITE), inspect: true },
  )
}

export const memoryBySessions: GrowthScenario = {
  name: 'memory-by-sessions',
  run: ({ scale, rounds }) =>
    measureGrowth(rounds, {
      work: 'memory that an idle session keeps, by sessions',
      unit: 'KB',
      goal: 1.2,
      sizes: SIZES.map((size) => Math.ceil(size * scale)),
      cost: memoryOfSession,
    }),
}
