/** One scene of a client's check: an engine of the kit, a browser's storage, and pages with the client under test. */
import { parseLink } from '@leuria/protocol'
import { holds } from '../report/observe.js'
import type { LoggedRequest } from '../fake-engine/engine-log.js'
import { FakeEngine, type Interception } from '../fake-engine/fake-engine.js'
import type { FakeSession } from '../fake-engine/fake-session.js'
import type { PageTimes } from '../page-times.js'
import type { ClientPage, ClientSession, ClientTool, OpenPage, PageStorage } from './client-page.js'
import { PageNetwork } from './page-network.js'

/** Longest wait for what should happen at once. */
export const SOON_MS = 5_000

/** How long a claim of the kit's engine is held: `pending` comes several times in a scene. */
const TIMES: Partial<PageTimes> = { claimWaitMs: 700, cooldownMs: 3_000 }

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** True as soon as it holds; false once the time is over. */
export async function until(condition: () => boolean, limitMs = SOON_MS): Promise<boolean> {
  const endsAt = performance.now() + limitMs
  while (!condition()) {
    if (performance.now() > endsAt) return false
    await pause(10)
  }
  return true
}

/** How a promise ended, within a time. */
export async function outcomeOf(
  promise: Promise<unknown>,
  limitMs = SOON_MS,
): Promise<'resolved' | 'rejected' | 'open'> {
  const late = pause(limitMs).then(() => 'open' as const)
  const settled = promise.then(
    () => 'resolved' as const,
    () => 'rejected' as const,
  )
  return Promise.race([settled, late])
}

export const GREET: ClientTool = { name: 'greet', description: 'Greets.', says: 'hello', run: () => 'hello' }
export const BREAK: ClientTool = {
  name: 'break',
  description: 'Fails.',
  fails: 'The shelf is empty.',
  run: () => {
    throw new Error('The shelf is empty.')
  },
}

class MemoryStorage implements PageStorage {
  readonly values = new Map<string, string>()

  getItem(key: string): string | null {
    return this.values.get(key) ?? null
  }

  setItem(key: string, value: string): void {
    this.values.set(key, value)
  }

  removeItem(key: string): void {
    this.values.delete(key)
  }
}

export class Stage {
  /** Of the pages; a client in a real browser may have another. */
  origin = 'https://shop.example'
  readonly storage = new MemoryStorage()
  readonly links: string[] = []
  readonly network = new PageNetwork(this.origin)
  readonly #pages: ClientPage[] = []
  readonly #engines: FakeEngine[]

  constructor(
    private readonly open: OpenPage,
    readonly engine: FakeEngine,
  ) {
    this.#engines = [engine]
  }

  static async set(open: OpenPage): Promise<Stage> {
    return new Stage(open, await FakeEngine.start({ times: TIMES }))
  }

  /** Another engine on this computer. */
  async anotherEngine(): Promise<FakeEngine> {
    const engine = await FakeEngine.start({ times: TIMES })
    this.#engines.push(engine)
    return engine
  }

  async page(engine = this.engine): Promise<ClientPage> {
    const { origin, storage, network } = this
    const page = await this.open({
      url: engine.url,
      origin,
      storage,
      fetch: network.fetch,
      WebSocket: network.WebSocket,
      openLink: (link) => {
        this.links.push(link)
      },
    })
    this.#pages.push(page)
    this.origin = page.origin ?? this.origin
    return page
  }

  /** Clicks Connect and says yes; gives the token that the page got. */
  async connect(page: ClientPage): Promise<string> {
    const connecting = page.connect()
    connecting.catch(() => undefined)
    holds(await until(() => this.engine.pairing.named(this.origin)), 'no claim came after the click')
    this.engine.pairing.answer(this.origin, true)
    holds((await outcomeOf(connecting)) === 'resolved', 'connect() did not resolve after the visitor had allowed it')
    const [token = ''] = this.engine.pairing.grants.get(this.origin) ?? []
    return token
  }

  async connected(): Promise<ClientPage> {
    const page = await this.page()
    await this.connect(page)
    return page
  }

  /** Starts a session and waits until the engine has it running. */
  async start(page: ClientPage, options: { prompt?: string; tools?: readonly ClientTool[] } = {}) {
    const before = this.engine.sessions.size
    const session: ClientSession = await page.startSession({ tools: [], ...options })
    const inEngine: FakeSession | undefined = [...this.engine.sessions.values()].at(before)
    holds(inEngine !== undefined, 'startSession() resolved without a session')
    holds(await until(() => inEngine.approved), 'the session was not approved')
    return { session, inEngine }
  }

  /** The next requests that fit end so, in this order. */
  meet(pattern: RegExp, ...what: readonly Interception[]): void {
    const queue = [...what]
    this.engine.intercept = (request) => (pattern.test(keyOf(request)) ? queue.shift() : undefined)
  }

  /** Every request that fits ends so. */
  meetAll(pattern: RegExp, what: Interception): void {
    this.engine.intercept = (request) => (pattern.test(keyOf(request)) ? what : undefined)
  }

  /** Nonces of the links so far. */
  nonces(): (string | null)[] {
    return this.links.map((text) => {
      const link = parseLink(text)
      return link?.kind === 'connect' && link.origin === this.origin ? link.nonce : null
    })
  }

  async close(): Promise<void> {
    for (const page of this.#pages) await Promise.resolve(page.close()).catch(() => undefined)
    this.network.close()
    for (const engine of this.#engines) await engine[Symbol.asyncDispose]()
  }
}

function keyOf({ method, path }: LoggedRequest): string {
  return `${method} ${path}`
}
