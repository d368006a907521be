/** `GET /health` with a token, by how many sites are connected. */
import { type ConnectedEngine, ORIGIN, startConnectedEngine } from '../connected-engine.js'
import { cpuPerUnit } from '../cpu-per-unit.js'
import { type GrowthScenario, measureGrowth } from '../growth.js'
import { KeepAliveClient } from '../keep-alive-client.js'

const REQUESTS = 5_000
const SIZES = [1, 100, 10_000]

async function costOfRequest({ engine, token }: ConnectedEngine, times: number): Promise<number> {
  const client = new KeepAliveClient()
  const call = { port: engine.port, path: '/health', headers: { origin: ORIGIN, authorization: `Bearer ${token}` } }
  const cost = await cpuPerUnit(engine, { times, work: () => client.send(call) })
  client.close()
  return cost
}

export const gateByGrants: GrowthScenario = {
  name: 'gate-by-grants',
  async run({ scale, rounds }) {
    const engines = new Map<number, ConnectedEngine>()
    try {
      for (const sites of SIZES) engines.set(sites, await startConnectedEngine({ sites }))
      return await measureGrowth(rounds, {
        work: 'CPU of GET /health with a token, by grants',
        unit: 'µs',
        goal: 1.2,
        sizes: SIZES,
        async cost(size) {
          const engine = engines.get(size)
          return engine === undefined ? Number.NaN : costOfRequest(engine, Math.ceil(REQUESTS * scale))
        },
      })
    } finally {
      await Promise.all([...engines.values()].map((engine) => engine.stop()))
    }
  },
}
