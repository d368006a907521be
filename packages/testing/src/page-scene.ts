/** A page with its client and the fake engine it talks to, on a clock that the test moves: the stage of a client's tests. */
import type { Clock } from '@leuria/clock'
import { vi } from 'vitest'
import { FakeBrowser, type FakeTab } from './fake-browser.js'
import { type FakeClock, fakeClock } from './fake-clock.js'
import { type FakeEngine, fakeEngine, type FakeEngineOptions } from './fake-engine/fake-engine.js'
import { PageNetwork } from './page-network.js'

/** What a client of the scene is made of; fits `BridgeClientOptions`. */
export interface PageSceneParts {
  url: string
  page: FakeTab
  fetch: PageNetwork['fetch']
  WebSocket: PageNetwork['WebSocket']
  clock: Clock
}

interface PageSceneOptions<Client> {
  create: (parts: PageSceneParts) => Client
  engine: FakeEngine
  clock: FakeClock
  browser: FakeBrowser
}

export class PageScene<Client extends { destroy(): void }> {
  readonly engine: FakeEngine
  readonly clock: FakeClock
  readonly browser: FakeBrowser
  readonly network: PageNetwork
  readonly tab: FakeTab
  readonly client: Client
  private readonly create: (parts: PageSceneParts) => Client
  private readonly clients: Client[] = []

  constructor({ create, engine, clock, browser }: PageSceneOptions<Client>) {
    this.create = create
    this.engine = engine
    this.clock = clock
    this.browser = browser
    this.network = new PageNetwork(browser.origin, clock)
    this.tab = browser.openTab()
    this.client = this.open(this.tab)
  }

  /** Another client, in a tab of the same browser. */
  open(page = this.browser.openTab()): Client {
    const { fetch, WebSocket } = this.network
    const client = this.create({ url: this.engine.url, page, fetch, WebSocket, clock: this.clock })
    this.clients.push(client)
    return client
  }

  /** Looks often, gives up late; moves no clock. */
  until(holds: () => unknown): Promise<unknown> {
    return vi.waitFor(holds, { interval: 1, timeout: 20_000 })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.clients) client.destroy()
    await this.engine.close()
  }
}

/**
 * Sets a scene. Use `await using`.
 * @param options `connected`: the site has a grant, and its token is stored before the client is made
 */
export async function pageScene<Client extends { destroy(): void }>(
  create: (parts: PageSceneParts) => Client,
  { connected = true, ...switches }: Omit<FakeEngineOptions, 'clock'> & { connected?: boolean } = {},
): Promise<PageScene<Client>> {
  const clock = fakeClock()
  const engine = await fakeEngine({ ...switches, clock })
  const browser = new FakeBrowser('https://shop.example')
  if (connected) browser.stored.set(`leuria:token:${engine.url}`, engine.pairing.grant(browser.origin))
  return new PageScene({ create, engine, clock, browser })
}
