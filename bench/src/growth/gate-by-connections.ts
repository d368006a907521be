/** `GET /health` with a token over one open connection after another, by how many there are. */
import { ORIGIN, startConnectedEngine } from '../connected-engine.js'
import { cpuPerUnit, inTurn } from '../cpu-per-unit.js'
import { type GrowthScenario, measureGrowth } from '../growth.js'
import { KeepAliveClient } from '../keep-alive-client.js'

const REQUESTS = 6_000

export const gateByConnections: GrowthScenario = {
  name: 'gate-by-connections',
  async run({ scale, rounds }) {
    const { engine, token, stop } = await startConnectedEngine()
    const headers = { origin: ORIGIN, authorization: `Bearer ${token}` }
    const call = { port: engine.port, path: '/health', headers }
    try {
      return await measureGrowth(rounds, {
        work: 'CPU of GET /health with a token, by open connections',
        unit: 'µs',
        goal: 1.5,
        sizes: [200, 2_000].map((size) => Math.ceil(size * scale)),
        async cost(size) {
          const clients = Array.from({ length: size }, () => new KeepAliveClient())
          for (const client of clients) await client.send(call)
          const work = (time: number): Promise<string> => inTurn(clients, time).send(call)
          const cost = await cpuPerUnit(engine, { times: Math.ceil(REQUESTS * scale), work })
          for (const client of clients) client.close()
          return cost
        },
      })
    } finally {
      await stop()
    }
  },
}
