/** `POST /embed` with a full batch through the engine and through the smallest proxy. */
import { KeepAliveClient } from '../keep-alive-client.js'
import { measureCalls } from '../measure-calls.js'
import { ORIGIN } from '../connected-engine.js'
import { compare, type Figures } from '../rounds.js'
import { rowsOf, type Scenario } from '../scenario.js'
import { onStage, type Variant } from '../stage.js'

const CALLS = 40
/** As many as a request may carry, each the length of a short paragraph. */
const TEXTS = Array.from({ length: 256 }, (_, place) => `${place}: ${'a few words of a text '.repeat(10)}`)

async function measure(variant: Variant, count: number): Promise<Figures> {
  const client = new KeepAliveClient()
  const headers = {
    origin: ORIGIN,
    authorization: `Bearer ${variant.token}`,
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ texts: TEXTS })
  const call = { port: variant.port, path: '/embed', method: 'POST' as const, headers, body }
  const figures = await measureCalls(variant, { count, call: () => client.send(call) })
  client.close()
  return figures
}

export const embed: Scenario = {
  name: 'embed',
  async run({ scale, rounds }) {
    const count = Math.ceil(CALLS * scale)
    const comparisons = await onStage(({ floor, product }) =>
      compare(rounds, { floor: () => measure(floor, count), product: () => measure(product, count) }),
    )
    return rowsOf(comparisons, { p50: { work: 'POST /embed, 256 texts: p50', unit: 'µs', goal: 1.1, limit: 1.3 } })
  },
}
