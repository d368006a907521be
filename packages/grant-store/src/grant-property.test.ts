/** Random sequences of what pairing, the visitor, a restart and another program may do to the grants. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Origin, parseOrigin } from '@leuria/protocol'
import { nodeFs, type StateFs } from '@leuria/state'
import { fakeClock } from '@leuria/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type GrantStore, openGrantStore } from './index.js'

const ORIGINS = ['https://a.example', 'https://b.example', 'http://localhost:3000']
  .map(parseOrigin)
  .filter((origin) => origin !== null)
const AGENTS = ['demo', 'llm:x/y', null]

type Who = 'engine' | 'other'
type Step =
  | { kind: 'issue'; who: Who; origin: Origin; uncollected: boolean }
  | { kind: 'collected' | 'uncollected' | 'discard'; who: Who; origin: Origin }
  | { kind: 'revoke'; who: Who; origin: Origin }
  | { kind: 'choose'; who: Who; origin: Origin; agent: string | null }
  | { kind: 'use'; who: Who; origin: Origin }
  | { kind: 'restart'; who: Who }
  | { kind: 'time'; ms: number }

const who = fc.constantFrom<Who>('engine', 'other')
const origin = fc.constantFrom(...ORIGINS)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('issue' as const), who, origin, uncollected: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('collected' as const, 'uncollected', 'discard'), who, origin }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('revoke' as const), who, origin }) },
  fc.record({ kind: fc.constant('choose' as const), who, origin, agent: fc.constantFrom(...AGENTS) }),
  fc.record({ kind: fc.constant('use' as const), who, origin }),
  fc.record({ kind: fc.constant('restart' as const), who }),
  fc.record({ kind: fc.constant('time' as const), ms: fc.constantFrom(1_000, 60_000) }),
)

/** What must be true of one origin. */
interface Expected {
  token: string
  agent: string | undefined
  /** Who holds the token because no page has it yet. */
  heldBy: Who | null
  /** Who made the token last: only they may say that its answer didn't arrive. */
  madeBy: Who | null
}

/** Without fsync: this is about what is said, not about power cuts. */
const quickFs: StateFs = {
  ...nodeFs,
  open: async (path, mode) => ({ ...(await nodeFs.open(path, mode)), sync: () => Promise.resolve() }),
  syncFolder: () => Promise.resolve(),
  watch: () => () => undefined,
}

class World {
  readonly clock = fakeClock()
  readonly expected = new Map<Origin, Expected>()
  readonly dead: [Origin, string][] = []
  readonly #stores = new Map<Who, GrantStore>()

  constructor(readonly home: string) {}

  async start(name: Who): Promise<void> {
    this.#stores.set(name, await openGrantStore({ home: this.home, clock: this.clock, fs: quickFs }))
  }

  async close(): Promise<void> {
    for (const store of this.#stores.values()) await store.close()
  }

  store(name: Who): GrantStore {
    const store = this.#stores.get(name)
    if (store === undefined) throw new Error('not started')
    return store
  }

  async take(next: Step): Promise<void> {
    if (next.kind === 'time') return this.clock.advanceAsync(next.ms)
    const store = this.store(next.who)
    if (next.kind === 'restart') {
      await store.close()
      this.#forgetHeldBy(next.who)
      return this.start(next.who)
    }
    const known = this.expected.get(next.origin)
    switch (next.kind) {
      case 'issue': {
        const { token } = await store.issue({ origin: next.origin, uncollected: next.uncollected })
        this.#bury(next.origin)
        const heldBy = next.uncollected ? next.who : null
        this.expected.set(next.origin, { token, agent: known?.agent, heldBy, madeBy: next.who })
        return
      }
      case 'revoke':
        expect(await store.revoke(next.origin)).toBe(known !== undefined)
        this.#bury(next.origin)
        return
      case 'choose':
        expect(await store.choose(next.origin, { agent: next.agent })).toBe(known !== undefined)
        if (known) known.agent = next.agent ?? undefined
        return
      case 'use':
        if (known) await this.#use(store, next.origin, known)
        return
      case 'collected':
        await store.collected(next.origin)
        if (known?.heldBy === next.who) known.heldBy = null
        return
      case 'uncollected':
        await store.uncollected(next.origin)
        if (known?.madeBy === next.who) known.heldBy = next.who
        return
      case 'discard':
        await store.discardUncollected(next.origin)
        if (known?.heldBy === next.who) this.#bury(next.origin)
    }
  }

  /** Both processes look at the file; then everything expected must be true in both. */
  async check(): Promise<void> {
    for (const store of this.#stores.values()) await store.refresh()
    for (const name of this.#stores.keys()) {
      const store = this.store(name)
      for (const [at, token] of this.dead) expect(store.has(at) && this.#opens(store, at, token)).toBe(false)
      expect(new Set(store.list().map((grant) => grant.origin))).toEqual(new Set(this.expected.keys()))
      for (const [at, { agent }] of this.expected) expect(store.get(at)?.agent).toBe(agent)
    }
  }

  /** A look that leaves no trace: using a token counts as having got it. */
  #opens(store: GrantStore, at: Origin, token: string): boolean {
    return this.expected.get(at)?.token !== token && store.verify(at, token)
  }

  /** The use is written down before the next step, so that both processes know of it. */
  async #use(store: GrantStore, at: Origin, known: Expected): Promise<void> {
    await store.refresh()
    expect(store.verify(at, known.token)).toBe(true)
    await this.clock.advanceAsync(60_000)
    known.heldBy = null
    await store.choose(at, {})
  }

  #bury(at: Origin): void {
    const known = this.expected.get(at)
    if (known) this.dead.push([at, known.token])
    this.expected.delete(at)
  }

  /** A token dies with the process that held it; whoever opens next removes its grant. */
  #forgetHeldBy(name: Who): void {
    for (const [at, { token, agent, heldBy, madeBy }] of this.expected) {
      if (heldBy === name) this.#bury(at)
      else if (madeBy === name) this.expected.set(at, { token, agent, heldBy, madeBy: null })
    }
  }
}

it('after a revoke the old token never works again, and both processes always agree', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'leuria-property-'))
  let run = 0
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 14 }), async (steps) => {
        const world = new World(join(parent, String(run++)))
        await world.start('engine')
        await world.start('other')
        try {
          for (const next of steps) {
            await world.take(next)
            await world.check()
          }
        } finally {
          await world.close()
        }
      }),
      { numRuns: 100 },
    )
  } finally {
    await rm(parent, { recursive: true, force: true })
  }
}, 60_000)
