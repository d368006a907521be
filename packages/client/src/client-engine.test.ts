import { clientEngineContract, fakeEngine, type FakeEngineOptions } from '@leuria/testing'
import { BridgeClient } from './index.js'

/** Engines differ in what they replay, whether events have ids, and how their bytes arrive. */
const ENGINES: Readonly<Record<string, FakeEngineOptions>> = {
  'the page to the letter': {},
  'event ids': { ids: true },
  'replays of what is over': { replayLastTurn: true, replayCompletion: true },
  'unknown events and fields, byte by byte': { extras: true, delivery: 'bytewise' },
  'many events at once, ids': { delivery: 'coalesced', ids: true, extras: true },
  'no acknowledgements': { acks: false },
}

for (const [name, switches] of Object.entries(ENGINES)) {
  clientEngineContract(name, {
    createClient: ({ url, page, network }) =>
      new BridgeClient({ url, page, fetch: network.fetch, WebSocket: network.WebSocket }),
    startEngine: async (puppet) => {
      const engine = await fakeEngine({ ...switches, puppet })
      return {
        url: engine.url,
        answerPairing: (allow) => engine.pairing.answer(allow),
        revoke: (origin) => {
          engine.revoke(origin)
        },
        close: () => engine.close(),
      }
    },
  })
}
