/** The suite that the client passes with the fake engine, with the real one: both sides of every sentence between them. */
import { BridgeClient } from '@leuria/client'
import { clientEngineContract } from '@leuria/testing'
import { type RealEngine, startRealEngine } from './client-and-engine.fixture.js'

/** The engine of the command line, and the silent one behind the desktop app. */
for (const mode of ['page', 'app'] as const) {
  let started: RealEngine
  clientEngineContract(`the real engine in ${mode} mode`, {
    startEngine: async (puppet) => (started = await startRealEngine(puppet, mode)),
    createClient({ url, page, network }) {
      started.takeLinks(page)
      return new BridgeClient({ url, page, fetch: network.fetch, WebSocket: network.WebSocket })
    },
  })
}
