/**
 * Started by `grant-crash.test.ts`: another process that issues grants. Waits for a line on stdin, then writes; each
 * line of stdout is an origin and a token that was acknowledged.
 *   grant-writer.fixture.ts <home> <name> <count>   count 0: until it is killed
 */
import { once } from 'node:events'
import { type Origin, parseOrigin } from '@leuria/protocol'
import { type GrantStore, openGrantStore } from './index.js'

const [home = '', name = '', count = '0'] = process.argv.slice(2)

function originOf(n: number): Origin {
  const origin = parseOrigin(`https://${name}-${n}.example`)
  if (origin === null) throw new Error('not an origin')
  return origin
}

async function issue(store: GrantStore, n: number): Promise<void> {
  const origin = originOf(n)
  const { token } = await store.issue({ origin, app: `Writer ${name}` })
  process.stdout.write(`${origin} ${token}\n`)
}

process.stdout.write('ready\n')
await once(process.stdin, 'data')

if (Number(count) > 0) {
  // A store for each grant: each write takes the lock by itself, nothing is joined.
  const stores = await Promise.all(Array.from({ length: Number(count) }, () => openGrantStore({ home })))
  await Promise.all(stores.map((store, n) => issue(store, n)))
  await Promise.all(stores.map((store) => store.close()))
  process.exit(0)
}
const store = await openGrantStore({ home })
for (let n = 0; ; n += 2) await Promise.all([issue(store, n), issue(store, n + 1)])
