/** Memory of an idle session with its stream and its channel, by how many there are. */
import { type GrowthScenario, measureGrowth } from '../growth.js'
import { withPages } from '../many-pages.js'
import { onStage } from '../stage.js'

/** Fewer than 50 drown in what a process takes and gives back by itself. */
const SIZES = [50, 200]

/** A process of its own each time: memory is given back late and never whole. */
function memoryOfSession(sessions: number): Promise<number> {
  return onStage(
    async ({ product }) => {
      // What one session loads is loaded once.
      await withPages(product, 1, () => Promise.resolve())
      const before = product.process.memoryKb()
      return withPages(product, sessions, () => Promise.resolve((product.process.memoryKb() - before) / sessions))
    },
    { sites: Math.ceil(sessions / 4) },
  )
}

export const memoryBySessions: GrowthScenario = {
  name: 'memory-by-sessions',
  run: ({ scale, rounds }) =>
    measureGrowth(rounds, {
      work: 'memory of an idle session with stream and channel, by sessions',
      unit: 'KB',
      goal: 1.2,
      sizes: SIZES.map((size) => Math.ceil(size * scale)),
      cost: memoryOfSession,
    }),
}
