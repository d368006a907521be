import { FakeBrowser, fakeClock, settle } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import { BridgeClient } from './index.js'
import './loaded-later.js'

const URL_OF_ENGINE = 'http://127.0.0.1:19570'

/** A connected client whose engine never answers; what became of each request. */
function unanswered({ connected = true } = {}) {
  const browser = new FakeBrowser('https://shop.example')
  if (connected) browser.stored.set(`leuria:token:${URL_OF_ENGINE}`, 'secret')
  const requests: { path: string; signal: AbortSignal | null | undefined }[] = []
  const clock = fakeClock()
  const client = new BridgeClient({
    clock,
    page: browser.openTab(),
    fetch: (url, { signal }) => {
      requests.push({ path: new URL(url).pathname, signal })
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')))
      })
    },
  })
  return { client, clock, requests }
}

const aborted = (requests: ReturnType<typeof unanswered>['requests']) =>
  requests.map(({ path, signal }) => [path, signal?.aborted])

describe('every request', () => {
  it.each<[string, (client: BridgeClient, signal: AbortSignal) => Promise<unknown>, string]>([
    ['an embedding', (client, signal) => client.embed(['fox'], { signal }), '/embed'],
    ['a claim', (client, signal) => client.connect({ signal }), '/connect/claim'],
  ])('is aborted with its caller’s signal: %s', async (_, ask, path) => {
    const { client, requests } = unanswered()
    const stop = new AbortController()
    const asked = expect(ask(client, stop.signal)).rejects.toMatchObject({ name: 'AbortError' })
    await settle()
    expect(aborted(requests)).toEqual([[path, false]])
    stop.abort()
    await asked
    expect(aborted(requests)).toEqual([[path, true]])
  })

  it.each<[string, (client: BridgeClient) => Promise<unknown>, number]>([
    ['health', (client) => client.detect(), 1_500],
    ['prepare', (client) => client.startSession(), 60_000],
    ['an embedding', (client) => client.embed(['fox']), 120_000],
  ])('is aborted when its time is over: %s', async (_, ask, limitMs) => {
    const { client, clock, requests } = unanswered()
    const asked = ask(client).catch(() => undefined)
    await settle()
    clock.advance(limitMs - 1)
    expect(requests.map(({ signal }) => signal?.aborted)).toEqual([false])
    clock.advance(1)
    await asked
    expect(requests.map(({ signal }) => signal?.aborted)).toEqual([true])
  })

  it('of an attempt to connect is aborted when the visitor disconnects, and when the client is destroyed', async () => {
    for (const end of ['forget', 'destroy'] as const) {
      const { client, requests } = unanswered({ connected: false })
      client.connect().catch(() => undefined)
      await settle()
      client[end]()
      await settle()
      expect(aborted(requests)).toEqual([['/connect/claim', true]])
    }
  })
})
