/**
 * Random sequences of links, claims, answers, time, deaths and restarts. What must hold whatever happens:
 * a token is delivered at most once, only to the named origin, only with the latest nonce, only after a Yes;
 * its grant is written before it is handed out; nothing waits for ever and nothing is left behind.
 */
import { type Origin, parseOrigin } from '@leuria/protocol'
import { type FakeClock, fakeClock, settle } from '@leuria/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Allowed, type ClaimOutcome, createPairing, type Pairing } from './index.js'

const ORIGINS = ['https://a.example', 'https://b.example', 'http://localhost:3000'].flatMap(
  (text) => parseOrigin(text) ?? [],
)
const NONCES = ['A', 'B', 'C', 'D'].map((name) => name.repeat(22))

type Command =
  | { do: 'link' | 'claim'; origin: Origin; nonce: string }
  | { do: 'decide'; origin: Origin; allow: boolean }
  | { do: 'receipt'; at: number; delivered: boolean }
  | { do: 'abort'; at: number }
  | { do: 'advance'; byMs: number }
  | { do: 'revoke'; origin: Origin }
  | { do: 'hold' }
  | { do: 'release'; failing: boolean }
  | { do: 'restart' }

const origin = fc.constantFrom(...ORIGINS)
const at = fc.nat(5)
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constantFrom('link', 'claim'), origin, nonce: fc.constantFrom(...NONCES) }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('claim'), origin, nonce: fc.constantFrom(...NONCES) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('decide'), origin, allow: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('receipt'), at, delivered: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('abort'), at }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('advance'),
      byMs: fc.constantFrom(1, 10_000, 25_000, 30_000, 299_999, 300_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('revoke'), origin }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hold') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release'), failing: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart') }) },
)

/** What usually happens, so that tokens come about often; other commands fall in between. */
const usual: fc.Arbitrary<Command[]> = fc.record({ origin, nonce: fc.constantFrom(...NONCES) }).map((named) => [
  { do: 'link', ...named },
  { do: 'claim', ...named },
  { do: 'decide', origin: named.origin, allow: true },
  { do: 'claim', ...named },
])
const commands: fc.Arbitrary<Command[]> = fc
  .array(fc.oneof({ weight: 4, arbitrary: command.map((one) => [one]) }, { weight: 1, arbitrary: usual }), {
    minLength: 5,
    maxLength: 40,
  })
  .map((parts) => parts.flat())

interface Claim {
  origin: Origin
  nonce: string
  startedAt: number
  abort: AbortController
  outcome: ClaimOutcome | null
}

/** The engine and its file, driven and watched. */
class World {
  clock: FakeClock = fakeClock()
  pairing: Pairing
  claims: Claim[] = []
  /** What is on disk; survives restarts. */
  readonly disk = new Map<Origin, { token: string; uncollected: boolean }>()
  readonly latest = new Map<Origin, string>()
  readonly saidYes = new Set<Origin>()
  readonly delivered = new Map<string, number>()
  /** Tokens whose hand-over hasn't been settled, and since when. */
  readonly underWay = new Map<string, number>()
  handedOut = 0
  /** What was found wrong while a claim was answered. */
  readonly broken: unknown[] = []
  /** The last hand-over of each token. */
  readonly #newest = new Map<string, Allowed>()
  #tokens = 0
  #gates: (() => void)[] = []
  #held = false
  #failing = false

  constructor(readonly approvals: 'page' | 'app') {
    this.pairing = this.#start()
  }

  #start(): Pairing {
    // The next start removes what was never collected, as the store does.
    for (const [site, grant] of this.disk) if (grant.uncollected) this.disk.delete(site)
    const { clock } = this
    const life = { over: false }
    this.#life = life
    return createPairing({
      clock,
      approvals: this.approvals,
      grants: {
        issue: async (input) => {
          if (this.#held) await new Promise<void>((resolve) => this.#gates.push(resolve))
          if (life.over) return new Promise(() => undefined)
          if (this.#failing) throw new Error('disk full')
          this.#tokens += 1
          const token = `token-${this.#tokens}`
          this.disk.set(input.origin, { token, uncollected: true })
          return { token }
        },
        collected: async (site) => {
          const grant = this.disk.get(site)
          if (grant === undefined) return
          grant.uncollected = false
        },
        uncollected: async (site) => {
          const grant = this.disk.get(site)
          if (grant !== undefined) grant.uncollected = true
        },
        discardUncollected: async (site) => {
          if (this.disk.get(site)?.uncollected === true) this.disk.delete(site)
        },
      },
      onError: (error) => {
        throw error
      },
    })
  }
  #life = { over: false }

  async run(step: Command): Promise<void> {
    switch (step.do) {
      case 'link': {
        const linked = this.pairing.link(step)
        if (linked.kind === 'asked') this.latest.set(step.origin, step.nonce)
        break
      }
      case 'claim':
        await this.#claim(step)
        break
      case 'decide': {
        const question = this.pairing.pending().find(({ origin: asking }) => asking === step.origin)
        if (question === undefined) break
        const { requestId } = question
        if (step.allow) this.saidYes.add(question.origin)
        void this.pairing.decide({ requestId, allow: step.allow, admin: true }).catch(() => undefined)
        break
      }
      case 'receipt': {
        const handed = this.claims
          .flatMap(({ outcome }) => (outcome?.kind === 'allowed' ? [outcome] : []))
          .at(-1 - step.at)
        if (handed === undefined) break
        this.#noteReceipt(handed, step.delivered)
        if (step.delivered) handed.delivered()
        else handed.lost()
        break
      }
      case 'abort':
        this.claims.at(-1 - step.at)?.abort.abort()
        break
      case 'advance':
        await this.clock.advanceAsync(step.byMs)
        break
      case 'revoke':
        this.disk.delete(step.origin)
        this.pairing.revoked(step.origin)
        break
      case 'hold':
        this.#held = true
        break
      case 'release':
        await this.release(step.failing)
        break
      case 'restart':
        this.#restart()
    }
    await settle()
    this.#judge()
  }

  async release(failing: boolean): Promise<void> {
    this.#failing = failing
    this.#held = false
    for (const open of this.#gates.splice(0)) open()
    await settle()
    this.#failing = false
  }

  async #claim({ origin: site, nonce }: { origin: Origin; nonce: string }): Promise<void> {
    const abort = new AbortController()
    const claim: Claim = { origin: site, nonce, startedAt: this.clock.now(), abort, outcome: null }
    this.claims.push(claim)
    const claimed = this.pairing.claim({ origin: site, nonce, signal: abort.signal })
    let settled = false
    const judged = claimed.then((outcome) => {
      claim.outcome = outcome
      // Where claims ask, one that isn't refused has the latest nonce from its arrival on.
      if (!settled && this.approvals === 'page' && outcome.kind !== 'refused') this.latest.set(site, nonce)
      if (outcome.kind !== 'allowed') return
      this.#judgeToken(claim, outcome.token)
      this.#newest.set(outcome.token, outcome)
    })
    judged.catch((error: unknown) => this.broken.push(error))
    await settle()
    settled = true
    if (this.approvals === 'page' && claim.outcome === null) this.latest.set(site, nonce)
  }

  /** Only the newest hand-over of a token counts, once, and not after it was given up. */
  #noteReceipt(handed: Allowed, delivered: boolean): void {
    const { token } = handed
    const since = this.underWay.get(token)
    if (since === undefined || this.#newest.get(token) !== handed) return
    this.underWay.delete(token)
    if (delivered && this.clock.now() - since < 10_000) this.delivered.set(token, (this.delivered.get(token) ?? 0) + 1)
  }

  /** The process dies: its memory, its timers and its connections with it. */
  #restart(): void {
    this.#life.over = true
    this.clock = fakeClock()
    this.claims = []
    this.underWay.clear()
    this.latest.clear()
    this.saidYes.clear()
    this.pairing = this.#start()
  }

  #judge(): void {
    if (this.broken.length > 0) throw this.broken[0]
    const waiting = this.claims.filter(({ outcome }) => outcome === null)
    for (const { startedAt } of waiting) expect(this.clock.now() - startedAt).toBeLessThan(25_000)
    for (const times of this.delivered.values()) expect(times).toBe(1)
  }

  #judgeToken(claim: Claim, token: string): void {
    this.handedOut += 1
    expect(claim.nonce).toBe(this.latest.get(claim.origin))
    expect(this.saidYes.has(claim.origin)).toBe(true)
    // On disk before it leaves: a crash after the answer must not take it back.
    expect(this.disk.get(claim.origin)).toEqual({ token, uncollected: false })
    expect(this.delivered.has(token)).toBe(false)
    const since = this.underWay.get(token)
    if (since !== undefined) expect(this.clock.now() - since).toBeGreaterThanOrEqual(10_000)
    this.underWay.set(token, this.clock.now())
  }
}

/** Runs in `npm test`; a change of the machine deserves more. */
const RUNS = 200

describe.each(['page', 'app'] as const)('any sequence of events, approvals: %s', (approvals) => {
  it('delivers each token at most once, to the named origin with the latest nonce, and leaves nothing behind', async () => {
    let handedOut = 0
    await fc.assert(
      fc.asyncProperty(commands, async (steps) => {
        const world = new World(approvals)
        for (const step of steps) await world.run(step)
        await world.release(false)
        await world.run({ do: 'advance', byMs: 30 * 60_000 })
        handedOut += world.handedOut
        expect(world.claims.filter(({ outcome }) => outcome === null)).toEqual([])
        expect(world.pairing.pending()).toEqual([])
        expect([...world.disk.values()].filter(({ uncollected }) => uncollected)).toEqual([])
        expect(world.clock.pending).toBe(0)
      }),
      { numRuns: RUNS },
    )
    // A test of tokens that never sees one would prove nothing.
    expect(handedOut).toBeGreaterThan(RUNS)
  }, 60_000)
})
