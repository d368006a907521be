/**
 * A whole engine, its sites and its visitor, driven over HTTP in any order, and what must be true of them meanwhile.
 * Time stands still unless a step moves it; files are real but not synced to disk.
 */
import { openGrantStore } from '@leuria/grant-store'
import type { Origin } from '@leuria/protocol'
import { nodeFs, type StateFs } from '@leuria/state'
import { type FakeClock, fakeClock, type RawAnswer, settle } from '@leuria/testing'
import { expect } from 'vitest'
import { openTestEngine, type TestEngine } from './engine.fixture.js'

const ADMIN = 'admin-token-of-at-least-32-characters'

export type Step =
  | { do: 'link' | 'claim'; site: number; nonce: number }
  | { do: 'decide'; site: number; allow: boolean }
  | { do: 'hang_up'; site: number }
  | { do: 'revoke' | 'revoke_elsewhere'; site: number }
  | { do: 'wait'; ms: number }
  | { do: 'restart' }

/** This is about what is said, not about power cuts. */
const quickFs: StateFs = {
  ...nodeFs,
  open: async (path, mode) => ({ ...(await nodeFs.open(path, mode)), sync: () => Promise.resolve() }),
  syncFolder: () => Promise.resolve(),
  watch: () => () => undefined,
}

interface Claim {
  origin: Origin
  nonce: string
  hangUp: AbortController
  answer: Promise<RawAnswer | null>
  answered: boolean
}

export class PairingWorld {
  readonly clock: FakeClock = fakeClock()
  /** Tokens that a page got, and whether they must work still. */
  readonly #tokens = new Map<string, { origin: Origin; live: boolean }>()
  /** The nonce of the last attempt that wasn't refused. */
  readonly #latest = new Map<Origin, string>()
  readonly #saidYes = new Set<Origin>()
  #claims: Claim[] = []
  /** Claims that pairing has been handed, and those it hasn't answered. */
  #arrived = 0
  #waiting = 0
  /** The claim that pairing was handed last has its outcome. */
  #lastSettled = false
  #test: TestEngine | null = null

  constructor(readonly mode: 'page' | 'app') {}

  async open(): Promise<void> {
    this.#test = await openTestEngine({ mode: this.mode, adminToken: ADMIN, clock: this.clock, fs: quickFs })
    this.#countClaims()
  }

  async close(): Promise<void> {
    await this.#engine[Symbol.asyncDispose]()
  }

  get #engine(): TestEngine {
    return this.#test ?? expect.fail('not open')
  }

  /** How many tokens pages have got so far. */
  get delivered(): number {
    return this.#tokens.size
  }

  async take(step: Step, sites: readonly Origin[]): Promise<void> {
    if (step.do === 'wait') return this.#wait(step.ms)
    if (step.do === 'restart') return this.#restart()
    const origin = sites[step.site] ?? expect.fail('no such site')
    if (step.do === 'link') return this.#link(origin, nonceOf(step.nonce))
    if (step.do === 'claim') return this.#claim(origin, nonceOf(step.nonce))
    if (step.do === 'decide') return this.#decide(origin, step.allow)
    if (step.do === 'hang_up') return this.#hangUp(origin)
    await this.#revoke(origin, step.do === 'revoke')
  }

  /** Every token that a page ever got works exactly when it should, and from its own origin only. */
  async check(sites: readonly Origin[]): Promise<void> {
    await this.#collectAnswers()
    for (const [token, { origin, live }] of this.#tokens) {
      if (!sites.includes(origin)) continue
      const own = await this.#engine.call('/session/none', { origin, token })
      // 404: it was let in. Everything else is a refusal, with a body or in silence.
      expect([origin, own.status === 404]).toEqual([origin, live])
      for (const other of sites) {
        if (other === origin) continue
        expect((await this.#engine.call('/session/none', { origin: other, token })).status).not.toBe(404)
      }
    }
  }

  /** Lets every question run out, so that nothing of one run is left for the next. */
  async rest(): Promise<void> {
    for (let part = 0; part < 3; part += 1) await this.#wait(5 * 60_000)
    expect(this.#claims).toEqual([])
    expect(this.#engine.engine.pairing.pending()).toEqual([])
  }

  async #link(origin: Origin, nonce: string): Promise<void> {
    if (this.mode === 'page') return
    const linked = await this.#engine.call('/admin/pairing/link', { token: ADMIN, body: { origin, nonce } })
    if (linked.status === 201) this.#latest.set(origin, nonce)
  }

  async #claim(origin: Origin, nonce: string): Promise<void> {
    const hangUp = new AbortController()
    const before = this.#arrived
    const answer = this.#engine
      .call('/connect/claim', { origin, body: { nonce }, signal: hangUp.signal })
      .catch(() => null)
    const claim: Claim = { origin, nonce, hangUp, answer, answered: false }
    void answer.then(() => (claim.answered = true))
    this.#claims.push(claim)
    await this.#until(() => claim.answered || this.#arrived > before)
    await settle()
    // Only an open question keeps a claim waiting.
    if (!this.#isAsked(origin) || this.#lastSettled) await answer
    // Where claims ask, one that isn't refused at once has the latest nonce from here on.
    const refused = claim.answered && ((await answer)?.status ?? 0) !== 200
    if (this.mode === 'page' && !refused) this.#latest.set(origin, nonce)
  }

  async #decide(origin: Origin, allow: boolean): Promise<void> {
    const open = this.#engine.engine.pairing.pending().find((question) => question.origin === origin)
    if (open === undefined) return
    if (allow) {
      this.#saidYes.add(origin)
      this.#bury(origin)
    }
    const waiting = this.#claims.filter((claim) => claim.origin === origin)
    const decided = await this.#answer(open.requestId, allow)
    expect(decided.status).toBe(200)
    await Promise.all(waiting.map(({ answer }) => answer))
  }

  #isAsked(origin: Origin): boolean {
    return this.#engine.engine.pairing.pending().some((question) => question.origin === origin)
  }

  async #until(holds: () => boolean): Promise<void> {
    await expect.poll(holds, { interval: 1, timeout: 20_000 }).toBe(true)
  }

  #answer(requestId: string, allow: boolean): Promise<RawAnswer> {
    if (this.mode === 'app') return this.#engine.call(`/admin/pairing/${requestId}`, { token: ADMIN, body: { allow } })
    const asked = this.#engine.events.find((event) => event.event === 'pairing' && event.requestId === requestId)
    const url = new URL(asked?.event === 'pairing' ? asked.approveUrl : expect.fail('never asked'))
    const body = { allow, key: url.searchParams.get('key') }
    return this.#engine.call(`${url.pathname}/decide`, { origin: this.#engine.engine.url, body })
  }

  async #hangUp(origin: Origin): Promise<void> {
    const claim = this.#claims.findLast((one) => one.origin === origin)
    claim?.hangUp.abort()
    await claim?.answer
  }

  async #revoke(origin: Origin, here: boolean): Promise<void> {
    if (here) await this.#engine.engine.grants.revoke(origin)
    else {
      const other = await openGrantStore({ home: this.#engine.home, clock: this.clock, fs: quickFs })
      await other.revoke(origin)
      await other.close()
      await this.#engine.engine.grants.refresh()
    }
    this.#bury(origin)
  }

  async #wait(ms: number): Promise<void> {
    await this.clock.advanceAsync(ms)
    await this.#collectAnswers()
  }

  async #restart(): Promise<void> {
    await this.#engine.restart()
    await Promise.all(this.#claims.map(({ answer }) => answer))
    await this.#collectAnswers()
    this.#latest.clear()
    this.#saidYes.clear()
    this.#countClaims()
  }

  /** Whatever tokens the origin has had are dead from here on. */
  #bury(origin: Origin): void {
    for (const known of this.#tokens.values()) if (known.origin === origin) known.live = false
  }

  /** Looks at what came; what is under way between pairing and a page arrives first. */
  async #collectAnswers(): Promise<void> {
    await this.#until(() => this.#claims.filter((claim) => !claim.answered).length === this.#waiting)
    const answered = this.#claims.filter((claim) => claim.answered)
    this.#claims = this.#claims.filter((claim) => !claim.answered)
    for (const claim of answered) this.#judge(claim, await claim.answer)
  }

  #judge({ origin, nonce }: Claim, answer: RawAnswer | null): void {
    const { json } = answer ?? { json: undefined }
    if (typeof json !== 'object' || json === null || !('token' in json)) return
    const token = String(json.token)
    expect(this.#tokens.has(token)).toBe(false)
    expect(nonce).toBe(this.#latest.get(origin))
    expect(this.#saidYes.has(origin)).toBe(true)
    this.#tokens.set(token, { origin, live: true })
  }

  /** A claim counts as arrived when the engine hands it to pairing. */
  #countClaims(): void {
    const { pairing } = this.#engine.engine
    const claim = pairing.claim.bind(pairing)
    pairing.claim = (request) => {
      this.#arrived += 1
      this.#waiting += 1
      this.#lastSettled = false
      const number = this.#arrived
      return claim(request).finally(() => {
        this.#waiting -= 1
        if (number === this.#arrived) this.#lastSettled = true
      })
    }
  }
}

function nonceOf(number: number): string {
  return `nonce-${number}`.padEnd(22, '_')
}
