/** From the start of the process to listening, and the memory it has then. */
import { fileURLToPath } from 'node:url'
import { startConnectedEngine } from '../connected-engine.js'
import { startMeasured } from '../measured-process.js'
import { compare, type Figures } from '../rounds.js'
import type { Scenario } from '../scenario.js'

const FLOOR = fileURLToPath(new URL('../../floors/bare-health.mjs', import.meta.url))

async function startFloor(): Promise<Figures> {
  const floor = await startMeasured({ script: FLOOR })
  const figures = { start: floor.startMs, memory: floor.memoryKb() }
  await floor.stop()
  return figures
}

async function startProduct(): Promise<Figures> {
  const { engine, stop } = await startConnectedEngine()
  const figures = { start: engine.startMs, memory: engine.memoryKb() }
  await stop()
  return figures
}

export const start: Scenario = {
  name: 'start',
  async run({ rounds }) {
    const { start: startMs, memory } = await compare(rounds, { floor: startFloor, product: startProduct })
    return [
      ...(startMs === undefined
        ? []
        : [{ work: 'start to listening', unit: 'ms' as const, comparison: startMs, goal: 1.5, limit: 2 }]),
      ...(memory === undefined
        ? []
        : [{ work: 'memory just started', unit: 'KB' as const, comparison: memory, goal: 1.4, limit: 1.75 }]),
    ]
  },
}
