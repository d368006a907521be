/**
 * The client and the real engine with a bad network between them: each connection may be cut anywhere in a request or an
 * answer, stall, or be late. Whatever happens, a page hears every piece of every turn once, and each tool runs once.
 */
import { BridgeClient, type BridgeEvent, type BridgeSession } from '@leuria/client'
import {
  between,
  FakeBrowser,
  fakeClock,
  type FakeClock,
  type FaultProxy,
  faultProxy,
  PageNetwork,
  pick,
  puppetAi,
  type PuppetAi,
  type Random,
  seededRandom,
} from '@leuria/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type RealEngine, startRealEngine } from './client-and-engine.fixture.js'

const ORIGIN = 'https://shop.example'
const TURNS = 3
/** 8 are enough to notice; `LEURIA_FAULT_ROUNDS=200` looks harder. */
const ROUNDS = Number(process.env.LEURIA_FAULT_ROUNDS ?? 8)
const FAULTS = { cut_answer: 25, cut_request: 10, stall: 10, delay: 25 }

const puppet: PuppetAi = puppetAi()
let engine: RealEngine
let browser: FakeBrowser

beforeAll(async () => {
  engine = await startRealEngine(puppet)
  browser = new FakeBrowser(ORIGIN)
  const { fetch, WebSocket } = new PageNetwork(ORIGIN)
  const client = new BridgeClient({ url: engine.url, page: browser.openTab(), fetch, WebSocket })
  const connected = client.connect()
  await engine.answerPairing(true)
  await connected
  client.destroy()
})
afterAll(() => engine.close())

/** A page of the connected site behind a proxy, and what it has heard. */
class Visit implements AsyncDisposable {
  readonly clock: FakeClock = fakeClock()
  readonly network = new PageNetwork(ORIGIN, this.clock)
  readonly tab = browser.openTab()
  readonly client: BridgeClient
  readonly events: BridgeEvent[] = []
  calls = 0

  constructor(
    readonly seed: number,
    readonly random: Random,
    readonly proxy: FaultProxy,
  ) {
    const { fetch, WebSocket } = this.network
    this.client = new BridgeClient({ url: engine.url, page: this.tab, fetch, WebSocket, clock: this.clock })
    this.network.via = proxy.port
    proxy.calm()
  }

  start(): Promise<BridgeSession> {
    const count = { name: 'count', execute: () => `(${(this.calls += 1)})` }
    return this.client.startSession({ tools: [count], onEvent: (event) => this.events.push(event) })
  }

  /** Looks often while the client's time goes by. */
  until(holds: () => void): Promise<void> {
    return vi.waitFor(
      () => {
        this.clock.advance(10)
        holds()
      },
      { interval: 1, timeout: 20_000 },
    )
  }

  /** The channel stands as far as the page knows. */
  hasChannel(): boolean {
    const last = this.events.findLast(isChannel)
    return last?.event !== 'reconnecting'
  }

  /** What a page or a network may do at any time. */
  disturb(): void {
    const disturbances = [
      () => {
        this.network.cut()
      },
      () => {
        this.tab.signal('show')
      },
      () => {
        this.tab.signal('visible')
      },
      () => undefined,
    ]
    pick(this.random, disturbances)()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.client.destroy()
    await this.proxy.close()
  }
}

function isChannel({ event, data }: BridgeEvent): boolean {
  return (event === 'reconnecting' || event === 'reconnected') && data.link === 'channel'
}

/** A lost answer leaves open whether the prompt was taken; asking again finds out. */
async function ask(visit: Visit, session: BridgeSession, prompt: string): Promise<void> {
  const before = puppet.prompts.length
  await visit.until(() => {
    expect(session.status).toBe('idle')
  })
  let taken = false
  while (!taken) {
    const outcome: { error?: unknown; done?: true } = {}
    session.prompt(prompt).then(
      () => (outcome.done = true),
      (error: unknown) => (outcome.error = error),
    )
    await visit.until(() => {
      expect(outcome).not.toEqual({})
    })
    if (outcome.error !== undefined)
      await visit
        .until(() => {
          expect(puppet.prompts.length > before || session.status === 'idle').toBe(true)
        })
        .catch(() => undefined)
    taken = outcome.done === true || puppet.prompts.length > before
  }
}

async function turn(visit: Visit, session: BridgeSession, number: number): Promise<void> {
  const { seed, random, proxy } = visit
  const before = visit.events.length
  proxy.worry()
  await ask(visit, session, 'say ha ha ha\nhold\nsay ho 🙂\nhold\ncall count\nsay end')
  for (const step of ['text', 'call']) {
    await puppet.held()
    visit.disturb()
    const endsAt = visit.clock.now() + between(random, 0, 1_000)
    await visit.until(() => {
      expect(visit.clock.now()).toBeGreaterThanOrEqual(endsAt)
    })
    if (step === 'call') {
      proxy.calm()
      await visit.until(() => {
        expect(visit.hasChannel()).toBe(true)
      })
    }
    puppet.release()
  }
  await visit.until(() => {
    expect([session.status, session.error]).toEqual(['idle', null])
  })
  const events = visit.events.slice(before)
  const text = events.map((each) => (each.event === 'chunk' ? each.data : '')).join('')
  const count = (name: string): number => events.filter(({ event }) => event === name).length
  expect({
    seed,
    number,
    text,
    starts: count('turn_start'),
    ends: count('turn_completed'),
    calls: visit.calls,
  }).toEqual({
    ...{ seed, number, text: `ha ha haho 🙂(${number})end`, starts: 1, ends: 1, calls: number },
  })
}

/** What the connections of all rounds met. */
const tot: Record<string, number> = {}
const met = new Set<string>()

async function round(seed: number): Promise<void> {
  const random = seededRandom(seed)
  const proxy = await faultProxy({ target: engine.engine.port, random, percent: FAULTS, maxBytes: 1_500 })
  await using visit = new Visit(seed, random, proxy)
  const session = await visit.start()
  for (let number = 1; number <= TURNS; number += 1) await turn(visit, session, number)
  proxy.calm()
  await session.close()
  for (const fault of proxy.counts.keys()) {
    met.add(fault)
    tot[fault] = (tot[fault] ?? 0) + (proxy.counts.get(fault) ?? 0)
  }
}

describe('a bad network between the client and the real engine', () => {
  it(
    'loses no piece of a turn, doubles none, and runs each tool once',
    { timeout: 60_000 + ROUNDS * 10_000 },
    async () => {
      for (let seed = 1; seed <= ROUNDS; seed += 1) await round(seed)
      expect([...met]).toEqual(expect.arrayContaining(['none', ...Object.keys(FAULTS)]))
      // All sessions were closed, and nothing of them is left.
      await vi.waitFor(
        () => {
          expect(engine.engine.openSockets).toBe(0)
        },
        { timeout: 20_000 },
      )
    },
  )
})
