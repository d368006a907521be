/** `GET /health` with a token through the whole gate: Host, caller, CORS, grant; with 1 and with 10,000 grants. */
import { fileURLToPath } from 'node:url'
import { ORIGIN, startConnectedEngine } from '../connected-engine.js'
import { KeepAliveClient } from '../keep-alive-client.js'
import { type MeasuredProcess, startMeasured } from '../measured-process.js'
import { compare, type Figures } from '../rounds.js'
import { type Row, rowsOf, type Scenario, type ScenarioOptions } from '../scenario.js'
import { median } from '../statistics.js'

const FLOOR = fileURLToPath(new URL('../../floors/bare-health.mjs', import.meta.url))
const REQUESTS = 5_000

async function measure(target: MeasuredProcess, token: string, count: number): Promise<Figures> {
  const client = new KeepAliveClient()
  const call = { port: target.port, path: '/health', headers: { origin: ORIGIN, authorization: `Bearer ${token}` } }
  await client.time(call, Math.ceil(count / 10))
  const cpuBefore = target.cpuUs()
  const tookUs = await client.time(call, count)
  const cpu = (target.cpuUs() - cpuBefore) / count
  client.close()
  return { p50: median(tookUs), cpu }
}

async function measureWith(sites: number, { scale, rounds }: ScenarioOptions): Promise<Row[]> {
  const count = Math.ceil(REQUESTS * scale)
  const floor = await startMeasured({ script: FLOOR })
  const { engine, token, stop } = await startConnectedEngine({ sites })
  try {
    const comparisons = await compare(rounds, {
      floor: () => measure(floor, token, count),
      product: () => measure(engine, token, count),
    })
    const work = `GET /health with a token, ${sites} ${sites === 1 ? 'grant' : 'grants'}`
    return rowsOf(comparisons, {
      p50: { work: `${work}: p50`, unit: 'µs', goal: 1.3, limit: 2 },
      cpu: { work: `${work}: CPU`, unit: 'µs', goal: 1.4, limit: 2 },
    })
  } finally {
    await Promise.all([floor.stop(), stop()])
  }
}

export const gate: Scenario = {
  name: 'gate',
  run: async (options) => [...(await measureWith(1, options)), ...(await measureWith(10_000, options))],
}
