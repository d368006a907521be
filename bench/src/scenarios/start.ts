/** From the start of the process to listening, and the memory it has once it has answered a request, when all is loaded. */
import { fileURLToPath } from 'node:url'
import { startConnectedEngine } from '../connected-engine.js'
import { KeepAliveClient } from '../keep-alive-client.js'
import { type MeasuredProcess, startMeasured } from '../measured-process.js'
import { compare, type Figures } from '../rounds.js'
import { rowsOf, type Scenario } from '../scenario.js'

const FLOOR = fileURLToPath(new URL('../../floors/bare-health.mjs', import.meta.url))

async function memoryOnceAnswered(target: MeasuredProcess): Promise<number> {
  const client = new KeepAliveClient()
  await client.send({ port: target.port, path: '/health' })
  client.close()
  return target.memoryKb()
}

async function startFloor(): Promise<Figures> {
  const floor = await startMeasured({ script: FLOOR })
  const figures = { start: floor.startMs, memory: await memoryOnceAnswered(floor) }
  await floor.stop()
  return figures
}

async function startProduct(): Promise<Figures> {
  const { engine, stop } = await startConnectedEngine()
  const figures = { start: engine.startMs, memory: await memoryOnceAnswered(engine) }
  await stop()
  return figures
}

export const start: Scenario = {
  name: 'start',
  async run({ rounds }) {
    const comparisons = await compare(rounds, { floor: startFloor, product: startProduct })
    return rowsOf(comparisons, {
      start: { work: 'start to listening', unit: 'ms', goal: 1.5, limit: 2 },
      memory: { work: 'memory just started', unit: 'KB', goal: 1.4, limit: 1.75 },
    })
  },
}
