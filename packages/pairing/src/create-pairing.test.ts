import { type Origin, parseOrigin } from '@leuria/protocol'
import { fakeClock, settle } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import {
  type ClaimOutcome,
  createPairing,
  type IssueInput,
  type PairingEvent,
  type PairingGrants,
  type PairingOptions,
} from './index.js'

const MINUTE = 60_000
const TTL = 5 * MINUTE

function originOf(text: string): Origin {
  const origin = parseOrigin(text)
  if (origin === null) throw new Error(`${text} is not an origin`)
  return origin
}
const SHOP = originOf('https://shop.example')
const OTHER = originOf('https://other.example')

/** A nonce from a short name: `A` → `AAAA…`. */
function nonceOf(name: string): string {
  return name.padEnd(22, '_')
}

/** Keeps grants as the engine's store does, and holds or fails the writing when told to. */
function fakeGrants() {
  const written = new Map<Origin, { token: string; uncollected: boolean }>()
  const issued: IssueInput[] = []
  let count = 0
  const gates: (() => void)[] = []
  let held = false
  let failure: Error | null = null
  const grants: PairingGrants = {
    async issue(input) {
      issued.push(input)
      if (held) await new Promise<void>((resolve) => gates.push(resolve))
      if (failure !== null) throw failure
      count += 1
      const token = `token-${count}`
      written.set(input.origin, { token, uncollected: true })
      return { token }
    },
    async collected(origin) {
      const grant = written.get(origin)
      if (grant !== undefined) grant.uncollected = false
    },
    async uncollected(origin) {
      const grant = written.get(origin)
      if (grant !== undefined) grant.uncollected = true
    },
    async discardUncollected(origin) {
      if (written.get(origin)?.uncollected === true) written.delete(origin)
    },
  }
  return {
    grants,
    written,
    issued,
    hold: () => {
      held = true
    },
    release: async () => {
      held = false
      for (const open of gates.splice(0)) open()
      await settle()
    },
    fail: (error: Error | null) => {
      failure = error
    },
  }
}

function setUp(approvals: 'page' | 'app', options: Partial<PairingOptions> = {}) {
  const clock = fakeClock()
  const store = fakeGrants()
  const errors: unknown[] = []
  const pairing = createPairing({
    clock,
    approvals,
    grants: store.grants,
    onError: (error) => errors.push(error),
    ...options,
  })
  const events: PairingEvent[] = []
  pairing.subscribe((event) => events.push(event))
  const link = (nonce: string, origin: string = SHOP) => pairing.link({ origin, nonce: nonceOf(nonce) })
  const claim = (nonce: string, origin = SHOP, signal?: AbortSignal) =>
    pairing.claim({ origin, nonce: nonceOf(nonce), signal })
  /** The id of the origin's last question. */
  const lastId = (): string => events.findLast((event) => event.kind === 'asked')?.requestId ?? ''
  const answer = (allow: boolean, requestId = lastId()) => pairing.decide({ requestId, allow, admin: true })
  return {
    clock,
    store,
    errors,
    pairing,
    events,
    link,
    claim,
    lastId,
    answer,
    kinds: () => events.map(({ kind }) => kind),
  }
}
type Bench = ReturnType<typeof setUp>

/** What a claim came to, or `waits` while it hasn't. A token is left undelivered. */
async function peek(claim: Promise<ClaimOutcome>): Promise<string> {
  let seen = 'waits'
  void claim.then((outcome) => {
    seen = outcome.kind === 'refused' ? outcome.code : outcome.kind
  })
  await settle()
  return seen
}

async function takeToken(claim: Promise<ClaimOutcome>): Promise<Extract<ClaimOutcome, { kind: 'allowed' }>> {
  const outcome = await claim
  if (outcome.kind !== 'allowed') throw new Error(`Not allowed but ${outcome.kind}`)
  return outcome
}

type Place =
  | 'nothing asked'
  | 'asked'
  | 'grant being written'
  | 'allowed'
  | 'token under way'
  | 'delivered'
  | 'denied'
  | 'denied, cooled'
  | 'denial collected'
  | 'denial collected, cooled'
  | 'expired'
  | 'allowed, never collected'

/** Nonces: `Z` was replaced by `A`, which is the latest. */
const PLACES: Record<Place, (bench: Bench) => Promise<void>> = {
  'nothing asked': async () => undefined,
  asked: async ({ link }) => {
    link('Z')
    link('A')
  },
  'grant being written': async (bench) => {
    await PLACES.asked(bench)
    bench.store.hold()
    void bench.answer(true)
  },
  allowed: async (bench) => {
    await PLACES.asked(bench)
    await bench.answer(true)
  },
  'token under way': async (bench) => {
    await PLACES.allowed(bench)
    await takeToken(bench.claim('A'))
  },
  delivered: async (bench) => {
    await PLACES.allowed(bench)
    ;(await takeToken(bench.claim('A'))).delivered()
  },
  denied: async (bench) => {
    await PLACES.asked(bench)
    await bench.answer(false)
  },
  'denied, cooled': async (bench) => {
    await PLACES.denied(bench)
    bench.clock.advance(30_000)
  },
  'denial collected': async (bench) => {
    await PLACES.denied(bench)
    await bench.claim('A')
  },
  'denial collected, cooled': async (bench) => {
    await PLACES['denial collected'](bench)
    bench.clock.advance(30_000)
  },
  expired: async (bench) => {
    await PLACES.asked(bench)
    bench.clock.advance(TTL)
  },
  'allowed, never collected': async (bench) => {
    await PLACES.allowed(bench)
    bench.clock.advance(TTL)
  },
}

type Action =
  | 'fresh link'
  | 'same link'
  | 'replaced link'
  | 'fresh claim'
  | 'claim'
  | 'replaced claim'
  | 'yes'
  | 'no'
  | 'named'
  | 'decision'

const ACTIONS: Record<Action, (bench: Bench) => Promise<string>> = {
  'fresh link': async (bench) => describeLink(bench, 'B'),
  'same link': async (bench) => describeLink(bench, 'A'),
  'replaced link': async (bench) => describeLink(bench, 'Z'),
  'fresh claim': async (bench) => describeClaim(bench, 'B'),
  claim: async (bench) => describeClaim(bench, 'A'),
  'replaced claim': async (bench) => describeClaim(bench, 'Z'),
  yes: async (bench) => describeAnswer(bench, true),
  no: async (bench) => describeAnswer(bench, false),
  named: async ({ pairing }) => String(pairing.named(SHOP)),
  decision: async ({ pairing, lastId }) => pairing.decision(lastId()) ?? 'unknown',
}

/** `asks`: a new question · `asks again`: the one there is, shown again · `quiet`: the one there is, nothing shown. */
async function describeLink(bench: Bench, nonce: string): Promise<string> {
  const before = bench.events.length
  const linked = bench.link(nonce)
  if (linked.kind === 'refused') return linked.code
  const kind = bench.events[before]?.kind
  return kind === 'asked' ? 'asks' : kind === 'asked_again' ? 'asks again' : 'quiet'
}

async function describeClaim(bench: Bench, nonce: string): Promise<string> {
  const before = bench.events.length
  const outcome = await peek(bench.claim(nonce))
  const kind = bench.events[before]?.kind
  const shown = kind === 'asked' ? 'asks, ' : kind === 'asked_again' ? 'asks again, ' : ''
  return `${shown}${outcome}`
}

async function describeAnswer(bench: Bench, allow: boolean): Promise<string> {
  const outcome = await bench.answer(allow)
  return outcome.kind === 'refused' ? outcome.code : outcome.decision
}

type Row = Record<Action, string>
const NEW: Partial<Row> = { 'fresh link': 'asks', 'same link': 'asks' }
const OVER: Partial<Row> = { yes: 'expired', no: 'expired' }
const GONE: Partial<Row> = { 'replaced link': 'not_found', 'fresh claim': 'not_found', 'replaced claim': 'not_found' }
const UPDATED: Partial<Row> = { 'fresh link': 'quiet', 'same link': 'quiet' }
const COOLING: Partial<Row> = { 'fresh link': 'too_many', 'same link': 'too_many', 'replaced link': 'too_many' }

function row(...parts: Partial<Row>[]): Row {
  const unset = { 'fresh link': '', 'same link': '', 'replaced link': '', 'fresh claim': '', claim: '' }
  return parts.reduce<Row>((whole, part) => ({ ...whole, ...part }), {
    ...{ ...unset, 'replaced claim': '', yes: '', no: '', named: '', decision: '' },
  })
}

const APP_TABLE: Record<Place, Row> = {
  'nothing asked': row(NEW, OVER, GONE, {
    'replaced link': 'asks',
    claim: 'not_found',
    named: 'false',
    decision: 'unknown',
  }),
  asked: row(GONE, {
    ...{ 'fresh link': 'asks again', 'same link': 'asks again', claim: 'waits' },
    ...{ yes: 'allowed', no: 'denied', named: 'true', decision: 'pending' },
  }),
  'grant being written': row(UPDATED, OVER, GONE, { claim: 'waits', named: 'true', decision: 'pending' }),
  allowed: row(UPDATED, OVER, GONE, { claim: 'allowed', named: 'true', decision: 'allowed' }),
  'token under way': row(UPDATED, OVER, GONE, { claim: 'waits', named: 'true', decision: 'allowed' }),
  // The nonce has done its work: the same link doesn't ask again.
  delivered: row(NEW, OVER, GONE, {
    ...{ 'same link': 'not_found', claim: 'not_found', named: 'false', decision: 'allowed' },
  }),
  denied: row(OVER, GONE, COOLING, { claim: 'denied', named: 'true', decision: 'denied' }),
  'denied, cooled': row(NEW, OVER, GONE, { claim: 'denied', named: 'true', decision: 'denied' }),
  'denial collected': row(OVER, GONE, COOLING, {
    ...{ 'fresh claim': 'too_many', claim: 'too_many', 'replaced claim': 'too_many' },
    ...{ named: 'false', decision: 'denied' },
  }),
  'denial collected, cooled': row(NEW, OVER, GONE, { claim: 'not_found', named: 'false', decision: 'denied' }),
  expired: row(NEW, OVER, GONE, { claim: 'expired', named: 'false', decision: 'expired' }),
  'allowed, never collected': row(NEW, OVER, GONE, { claim: 'expired', named: 'false', decision: 'allowed' }),
}

/** Where the engine's own page asks, claims do what links do, and then wait or collect. */
const PAGE_TABLE: Record<Place, Row> = {
  'nothing asked': row(APP_TABLE['nothing asked'], {
    ...{ 'fresh claim': 'asks, waits', claim: 'asks, waits', 'replaced claim': 'asks, waits' },
  }),
  asked: row(APP_TABLE.asked, { 'fresh claim': 'asks again, waits' }),
  'grant being written': row(APP_TABLE['grant being written'], { 'fresh claim': 'waits' }),
  allowed: row(APP_TABLE.allowed, { 'fresh claim': 'allowed' }),
  'token under way': row(APP_TABLE['token under way'], { 'fresh claim': 'waits' }),
  delivered: row(APP_TABLE.delivered, { 'fresh claim': 'asks, waits' }),
  denied: row(APP_TABLE.denied, { 'fresh claim': 'too_many' }),
  'denied, cooled': row(APP_TABLE['denied, cooled'], { 'fresh claim': 'asks, waits' }),
  'denial collected': APP_TABLE['denial collected'],
  'denial collected, cooled': row(APP_TABLE['denial collected, cooled'], {
    ...{ 'fresh claim': 'asks, waits', claim: 'asks, waits' },
  }),
  expired: row(APP_TABLE.expired, { 'fresh claim': 'asks, waits' }),
  'allowed, never collected': row(APP_TABLE['allowed, never collected'], { 'fresh claim': 'asks, waits' }),
}

describe.each([
  ['app', APP_TABLE],
  ['page', PAGE_TABLE],
] as const)('every state and every event, approvals: %s', (approvals, table) => {
  it.each(Object.keys(PLACES))('%s', async (place) => {
    const actual: Record<string, string> = {}
    for (const action of Object.keys(ACTIONS)) {
      const bench = setUp(approvals)
      await PLACES[place as Place](bench)
      const acting = ACTIONS[action as Action](bench)
      actual[action] = await acting
      await bench.store.release()
      await bench.pairing.close()
      expect(bench.clock.pending).toBe(0)
      expect(bench.errors).toEqual([])
    }
    expect(actual).toEqual(table[place as Place])
  })
})

describe('a link', () => {
  it.each([
    ['an extension', 'chrome-extension://abc'],
    ['nothing', ''],
    ['a word', 'shop'],
    ['the opaque origin', 'null'],
  ])('is refused when its origin is %s', (_, origin) => {
    expect(setUp('app').link('A', origin)).toMatchObject({ kind: 'refused', code: 'bad_request' })
  })

  it("is refused for the engine's own origin", () => {
    const { link } = setUp('app', { isReserved: (origin) => origin === 'http://127.0.0.1:19570' })
    expect(link('A', 'http://127.0.0.1:19570/connect')).toMatchObject({ kind: 'refused', code: 'bad_request' })
  })

  it.each([
    [21, 'refused'],
    [22, 'asked'],
    [128, 'asked'],
    [129, 'refused'],
  ])('with a nonce of %i characters is %s', (length, kind) => {
    expect(setUp('app').pairing.link({ origin: SHOP, nonce: 'n'.repeat(length) })).toMatchObject({ kind })
  })

  it('with padding or other alphabets in its nonce is refused', () => {
    for (const nonce of [`${'a'.repeat(22)}==`, 'a+'.repeat(12), 'é'.repeat(22)]) {
      expect(setUp('app').pairing.link({ origin: SHOP, nonce })).toMatchObject({ code: 'bad_request' })
    }
  })

  it('means the same site however its origin is spelled', () => {
    const { link, pairing } = setUp('app')
    expect(link('B', 'HTTPS://Shop.Example:443/cart?x=1')).toEqual(link('A', SHOP))
    expect(pairing.pending()).toHaveLength(1)
  })

  // FC-05 d: the system may hand the same link over twice.
  it('that comes twice asks once', () => {
    const { link, pairing } = setUp('app')
    expect(link('A')).toEqual(link('A'))
    expect(pairing.pending()).toHaveLength(1)
  })

  it('shows a name of at most 80 characters', () => {
    const { pairing } = setUp('app')
    const nameFor = (app: string, site: string) => {
      pairing.link({ origin: `https://${site}.example`, nonce: nonceOf('A'), app })
      return pairing.pending().at(-1)?.app
    }
    expect(nameFor('a'.repeat(80), 'a')).toBe('a'.repeat(80))
    expect(nameFor('a'.repeat(81), 'b')).toBe('a'.repeat(80))
    expect(nameFor('🙂'.repeat(81), 'c')).toBe('🙂'.repeat(80))
    expect(nameFor('  Shop  ', 'd')).toBe('Shop')
    expect(nameFor('   ', 'e')).toBeUndefined()
    expect(nameFor('AT&T + Café %', 'f')).toBe('AT&T + Café %')
    expect(nameFor('\u001b[2JBank\r\n\u202egnp.knab', 'g')).toBe('[2JBankgnp.knab')
  })

  it('keeps name and needs of the one before unless it brings its own', () => {
    const { pairing } = setUp('app')
    pairing.link({ origin: SHOP, nonce: nonceOf('A'), app: 'Shop', needs: { tools: true } })
    pairing.link({ origin: SHOP, nonce: nonceOf('B') })
    expect(pairing.pending()).toMatchObject([{ app: 'Shop', needs: { tools: true } }])
    pairing.link({ origin: SHOP, nonce: nonceOf('C'), app: 'Shop 2', needs: { effort: 'deep' } })
    expect(pairing.pending()).toMatchObject([{ app: 'Shop 2', needs: { effort: 'deep' } }])
  })

  it('does not extend the time of the question', () => {
    const { clock, link, pairing } = setUp('app')
    link('A')
    clock.advance(TTL - 1)
    link('B')
    expect(pairing.pending()).toHaveLength(1)
    clock.advance(1)
    expect(pairing.pending()).toHaveLength(0)
  })
})

describe('a claim', () => {
  it('in app mode brings no name and no needs of its own', async () => {
    const { pairing, link, clock } = setUp('app')
    link('A')
    void pairing.claim({ origin: SHOP, nonce: nonceOf('A'), app: 'Bank', needs: { tools: true } })
    expect(pairing.pending().map((view) => ({ ...view, requestId: '' }))).toEqual([{ requestId: '', origin: SHOP }])
    clock.advance(25_000)
  })

  it('in page mode brings its name and needs along', async () => {
    const { pairing, store, answer } = setUp('page')
    const claim = pairing.claim({ origin: SHOP, nonce: nonceOf('A'), app: ' Shop ', needs: { images: true } })
    expect(pairing.pending()).toMatchObject([{ origin: SHOP, app: 'Shop', needs: { images: true } }])
    await answer(true)
    await claim
    expect(store.issued).toEqual([{ origin: SHOP, app: 'Shop', needs: { images: true }, uncollected: true }])
  })

  it('waits for 25 seconds and no longer', async () => {
    const { clock, claim, link } = setUp('app')
    link('A')
    const waiting = claim('A')
    await clock.advanceAsync(24_999)
    expect(await peek(waiting)).toBe('waits')
    await clock.advanceAsync(1)
    expect(await waiting).toEqual({ kind: 'pending' })
  })

  it('ends at once when the client is gone, and takes no token any more', async () => {
    const { claim, link, answer, store } = setUp('app')
    link('A')
    const gone = new AbortController()
    const waiting = claim('A', SHOP, gone.signal)
    gone.abort()
    expect(await waiting).toEqual({ kind: 'pending' })
    await answer(true)
    expect(await claim('A', SHOP, gone.signal)).toEqual({ kind: 'pending' })
    const token = await takeToken(claim('A'))
    token.delivered()
    await settle()
    expect(store.written.get(SHOP)).toEqual({ token: token.token, uncollected: false })
  })

  it('from another origin with the right nonce gets nothing', async () => {
    const { claim, link, answer } = setUp('app')
    link('A')
    await answer(true)
    expect(await claim('A', OTHER)).toMatchObject({ code: 'not_found' })
    expect(await claim('A')).toMatchObject({ kind: 'allowed' })
  })

  it('with a malformed nonce is refused', async () => {
    const { pairing } = setUp('page')
    expect(await pairing.claim({ origin: SHOP, nonce: 'short' })).toMatchObject({ code: 'bad_request' })
    expect(pairing.pending()).toEqual([])
  })

  it('is woken with 404 at once when a newer nonce comes', async () => {
    const { claim, link } = setUp('app')
    link('A')
    const older = claim('A')
    link('B')
    expect(await peek(older)).toBe('not_found')
    expect(await peek(claim('B'))).toBe('waits')
  })

  it('of one of two tabs cannot be replaced for ever', async () => {
    const { claim, events } = setUp('page')
    const first = claim('A')
    const second = claim('B')
    expect(await peek(first)).toBe('not_found')
    expect(await peek(claim('A'))).toBe('not_found')
    expect(await peek(second)).toBe('waits')
    expect(events.map(({ kind }) => kind)).toEqual(['asked', 'asked_again'])
  })

  it('is one of at most 16 that wait for one question', async () => {
    const { claim, link, clock } = setUp('app')
    link('A')
    const waiting = Array.from({ length: 16 }, () => claim('A'))
    expect(await claim('A')).toMatchObject({ kind: 'refused', code: 'too_many' })
    expect(await peek(waiting[0]!)).toBe('waits')
    clock.advance(25_000)
    expect(await Promise.all(waiting)).toEqual(Array.from({ length: 16 }, () => ({ kind: 'pending' })))
    expect(await peek(claim('A'))).toBe('waits')
  })

  it('all hear a No that comes while they wait', async () => {
    const { claim, link, answer, pairing } = setUp('app')
    link('A')
    const waiting = [claim('A'), claim('A')]
    await answer(false)
    expect(await Promise.all(waiting)).toEqual([{ kind: 'denied' }, { kind: 'denied' }])
    expect(pairing.named(SHOP)).toBe(false)
  })
})

describe('nonces', () => {
  it('of a question are at most 64, and none of them comes back', async () => {
    const { clock, claim, link } = setUp('app')
    for (let at = 0; at < 64; at += 1) expect(link(`N${at}n`)).toMatchObject({ kind: 'asked' })
    expect(link('N64n')).toMatchObject({ kind: 'refused', code: 'too_many' })
    for (let at = 0; at < 63; at += 1) expect(link(`N${at}n`)).toMatchObject({ code: 'not_found' })
    expect(await peek(claim('N63n'))).toBe('waits')
    clock.advance(TTL)
    expect(link('N64n')).toMatchObject({ kind: 'asked' })
    expect(link('N62n')).toMatchObject({ code: 'not_found' })
  })

  it('are forgotten five minutes after the question has ended, and nothing is left', async () => {
    const { clock, claim, link, pairing, lastId } = setUp('app')
    link('A')
    link('B')
    clock.advance(TTL)
    expect(await claim('B')).toMatchObject({ code: 'expired' })
    clock.advance(TTL - 1)
    expect(await claim('B')).toMatchObject({ code: 'expired' })
    expect(pairing.decision(lastId())).toBe('expired')
    clock.advance(1)
    expect(await claim('B')).toMatchObject({ code: 'not_found' })
    expect(pairing.decision(lastId())).toBeNull()
    expect(clock.pending).toBe(0)
  })
})

describe('expiry', () => {
  it('answers an open claim with 410', async () => {
    const { clock, claim, link, kinds } = setUp('app')
    link('A')
    clock.advance(TTL - 10_000)
    const waiting = claim('A')
    clock.advance(9_999)
    expect(await peek(waiting)).toBe('waits')
    clock.advance(1)
    expect(await waiting).toMatchObject({ kind: 'refused', code: 'expired' })
    expect(kinds()).toEqual(['asked', 'expired'])
  })

  it('acts on access, too, when its timer has not fired', async () => {
    const clock = fakeClock()
    const stuck = { ...clock, setTimer: () => () => undefined }
    const pairing = createPairing({ clock: stuck, approvals: 'page', grants: fakeGrants().grants })
    pairing.link({ origin: SHOP, nonce: nonceOf('A') })
    const id = pairing.pending()[0]?.requestId ?? ''
    clock.advance(TTL - 1)
    expect(pairing.named(SHOP)).toBe(true)
    clock.advance(1)
    expect(pairing.named(SHOP)).toBe(false)
    expect(pairing.pending()).toEqual([])
    expect(pairing.question(id)).toBeNull()
    expect(pairing.decision(id)).toBe('expired')
    expect(await pairing.claim({ origin: SHOP, nonce: nonceOf('A') })).toMatchObject({ code: 'expired' })
    expect(await pairing.decide({ requestId: id, allow: true, admin: true })).toMatchObject({ code: 'expired' })
  })

  it('takes no notice of the calendar', async () => {
    const { clock, link, pairing } = setUp('app')
    link('A')
    clock.setDate(new Date('2036-01-01'))
    expect(pairing.pending()).toHaveLength(1)
    clock.setDate(new Date('2016-01-01'))
    clock.advance(TTL)
    expect(pairing.pending()).toHaveLength(0)
  })

  it('removes the grant of a token that nobody collected', async () => {
    const { clock, link, answer, store } = setUp('app')
    link('A')
    await answer(true)
    clock.advance(TTL - 1)
    expect(store.written.has(SHOP)).toBe(true)
    clock.advance(1)
    await settle()
    expect(store.written.has(SHOP)).toBe(false)
  })

  it('does not take a grant back while its answer is on the way', async () => {
    const { clock, link, answer, claim, store } = setUp('app')
    link('A')
    await answer(true)
    clock.advance(TTL - 1)
    const token = await takeToken(claim('A'))
    clock.advance(1_000)
    token.delivered()
    await settle()
    expect(store.written.get(SHOP)).toEqual({ token: token.token, uncollected: false })
  })

  it('takes it back when that answer was lost', async () => {
    const { clock, link, answer, claim, store } = setUp('app')
    link('A')
    await answer(true)
    clock.advance(TTL - 1)
    const token = await takeToken(claim('A'))
    clock.advance(1_000)
    token.lost()
    await clock.advanceAsync(0)
    expect(store.written.has(SHOP)).toBe(false)
    expect(await claim('A')).toMatchObject({ code: 'expired' })
  })

  it('spares a question that was answered in time and whose grant is still being written', async () => {
    const { clock, link, answer, claim, store } = setUp('app')
    link('A')
    clock.advance(TTL - 1)
    const waiting = claim('A')
    store.hold()
    const decided = answer(true)
    clock.advance(1_000)
    await store.release()
    expect(await decided).toMatchObject({ decision: 'allowed' })
    expect(await waiting).toMatchObject({ kind: 'allowed' })
  })
})

describe('after a No', () => {
  it('links are refused for 30 seconds and told how long', async () => {
    const { clock, link, answer } = setUp('app')
    link('A')
    await answer(false)
    expect(link('B')).toMatchObject({ kind: 'refused', code: 'too_many', retryAfterS: 30 })
    clock.advance(29_999)
    expect(link('B')).toMatchObject({ code: 'too_many', retryAfterS: 1 })
    clock.advance(1)
    expect(link('B')).toMatchObject({ kind: 'asked' })
  })

  it('claims are refused for 30 seconds where claims ask', async () => {
    const { clock, claim, answer } = setUp('page')
    const waiting = claim('A')
    await answer(false)
    expect(await waiting).toEqual({ kind: 'denied' })
    expect(await claim('A')).toMatchObject({ code: 'too_many', retryAfterS: 30 })
    expect(await claim('B')).toMatchObject({ code: 'too_many' })
    clock.advance(30_000)
    expect(await peek(claim('B'))).toBe('waits')
  })

  it('other origins may ask', async () => {
    const { link, answer } = setUp('app')
    link('A')
    await answer(false)
    expect(link('A', OTHER)).toMatchObject({ kind: 'asked' })
  })

  it('at the last moment, the pause still lasts 30 seconds', async () => {
    const { clock, link, answer } = setUp('app')
    link('A')
    clock.advance(TTL - 1)
    await answer(false)
    clock.advance(29_999)
    expect(link('B')).toMatchObject({ code: 'too_many' })
    clock.advance(1)
    expect(link('B')).toMatchObject({ kind: 'asked' })
  })

  it('no grant exists', async () => {
    const { link, answer, store } = setUp('app')
    link('A')
    await answer(false)
    expect(store.issued).toEqual([])
  })
})

describe('at most 20 questions', () => {
  it('wait for an answer across all sites', async () => {
    const { link, pairing, answer } = setUp('app')
    for (let at = 0; at < 20; at += 1) expect(link('A', `https://s${at}.example`)).toMatchObject({ kind: 'asked' })
    expect(link('A', 'https://s20.example')).toMatchObject({ kind: 'refused', code: 'too_many' })
    expect(link('B', 'https://s0.example')).toMatchObject({ kind: 'asked' })
    await answer(true, pairing.pending()[3]?.requestId)
    expect(link('A', 'https://s20.example')).toMatchObject({ kind: 'asked' })
    expect(link('A', 'https://s21.example')).toMatchObject({ code: 'too_many' })
  })

  it('make room as they expire', () => {
    const { clock, link } = setUp('app')
    for (let at = 0; at < 20; at += 1) link('A', `https://s${at}.example`)
    clock.advance(TTL)
    expect(link('A', 'https://s20.example')).toMatchObject({ kind: 'asked' })
  })

  it('are counted for claims that ask, too', async () => {
    const { claim } = setUp('page')
    for (let at = 0; at < 20; at += 1) void claim('A', originOf(`https://s${at}.example`))
    expect(await claim('A')).toMatchObject({ kind: 'refused', code: 'too_many' })
  })
})

describe('a Yes', () => {
  it('writes the grant before any claim hears of it', async () => {
    const { link, claim, answer, store, kinds } = setUp('app')
    link('A')
    const waiting = claim('A')
    store.hold()
    const decided = answer(true)
    expect(await peek(waiting)).toBe('waits')
    expect(store.written.size).toBe(0)
    expect(kinds()).toEqual(['asked'])
    await store.release()
    expect(await decided).toEqual({ kind: 'decided', decision: 'allowed', origin: SHOP })
    expect((await takeToken(waiting)).token).toBe(store.written.get(SHOP)?.token)
    expect(kinds()).toEqual(['asked', 'decided'])
  })

  it('passes the choice of AI and model on, an explicit default included', async () => {
    const { link, pairing, lastId, store } = setUp('app')
    link('A')
    await pairing.decide({ requestId: lastId(), allow: true, agent: 'demo', model: null, admin: true })
    expect(store.issued).toEqual([{ origin: SHOP, agent: 'demo', model: null, uncollected: true }])
  })

  it('that cannot be written is the caller’s error; the question stays open and can be answered again', async () => {
    const { link, claim, answer, store, pairing } = setUp('app')
    link('A')
    const waiting = claim('A')
    store.fail(new Error('disk full'))
    await expect(answer(true)).rejects.toThrow('disk full')
    expect(await peek(waiting)).toBe('waits')
    expect(pairing.pending()).toHaveLength(1)
    store.fail(null)
    await answer(true)
    expect(await waiting).toMatchObject({ kind: 'allowed' })
  })

  it('counts once: a second answer is too late', async () => {
    const { link, answer, store, lastId } = setUp('app')
    link('A')
    store.hold()
    const first = answer(true)
    expect(await answer(false, lastId())).toMatchObject({ code: 'expired' })
    expect(await answer(true, lastId())).toMatchObject({ code: 'expired' })
    await store.release()
    await first
    expect(store.issued).toHaveLength(1)
  })

  it('to an unknown question is 410', async () => {
    expect(await setUp('app').answer(true, 'nobody')).toMatchObject({ kind: 'refused', code: 'expired' })
  })
})

describe('the token', () => {
  it('is delivered once: of two claims the second waits and then gets 404', async () => {
    const { link, claim, answer, store } = setUp('app')
    link('A')
    await answer(true)
    const first = await takeToken(claim('A'))
    const second = claim('A')
    expect(await peek(second)).toBe('waits')
    first.delivered()
    expect(await second).toMatchObject({ code: 'not_found' })
    expect(await claim('A')).toMatchObject({ code: 'not_found' })
    await settle()
    expect(store.written.get(SHOP)?.uncollected).toBe(false)
  })

  it('goes to the claim that waits when the first one’s connection died', async () => {
    const { link, claim, answer } = setUp('app')
    link('A')
    await answer(true)
    const first = await takeToken(claim('A'))
    const second = claim('A')
    first.lost()
    expect((await takeToken(second)).token).toBe(first.token)
  })

  it('can be collected later by the same nonce when the connection died', async () => {
    const { link, claim, answer, clock } = setUp('app')
    link('A')
    const waiting = claim('A')
    await answer(true)
    const first = await takeToken(waiting)
    first.lost()
    clock.advance(MINUTE)
    expect((await takeToken(claim('A'))).token).toBe(first.token)
  })

  it('is not collected by the nonce that was the latest before', async () => {
    const { link, claim, answer } = setUp('app')
    link('A')
    await answer(true)
    const first = await takeToken(claim('A'))
    link('B')
    first.lost()
    expect(await claim('A')).toMatchObject({ code: 'not_found' })
    expect(await claim('B')).toMatchObject({ kind: 'allowed' })
  })

  it('counts as lost when nobody says what became of it within 10 seconds; a late word changes nothing', async () => {
    const { link, claim, answer, clock, store, pairing } = setUp('app')
    link('A')
    await answer(true)
    const first = await takeToken(claim('A'))
    const second = claim('A')
    clock.advance(9_999)
    expect(await peek(second)).toBe('waits')
    clock.advance(1)
    const again = await takeToken(second)
    first.delivered()
    first.lost()
    await settle()
    // Still the second claim's: neither over nor given to a third.
    expect(pairing.named(SHOP)).toBe(true)
    expect(await peek(claim('A'))).toBe('waits')
    again.delivered()
    await settle()
    expect(store.written.get(SHOP)?.uncollected).toBe(false)
  })

  it('is uncollected again, on disk, when its answer is lost', async () => {
    const { link, claim, answer, store } = setUp('app')
    link('A')
    await answer(true)
    const handed = await takeToken(claim('A'))
    expect(store.written.get(SHOP)?.uncollected).toBe(false)
    handed.lost()
    await settle()
    expect(store.written.get(SHOP)?.uncollected).toBe(true)
  })

  it('takes only the first word on its delivery', async () => {
    const { link, claim, answer } = setUp('app')
    link('A')
    await answer(true)
    const token = await takeToken(claim('A'))
    token.delivered()
    token.lost()
    expect(await claim('A')).toMatchObject({ code: 'not_found' })
  })

  it('is dropped when the visitor takes the grant back before it was collected', async () => {
    const { link, claim, answer, pairing } = setUp('app')
    pairing.revoked(SHOP)
    link('A')
    pairing.revoked(SHOP)
    await answer(true)
    pairing.revoked(SHOP)
    expect(await claim('A')).toMatchObject({ code: 'not_found' })
    expect(pairing.named(SHOP)).toBe(false)
    expect(link('B')).toMatchObject({ kind: 'asked' })
  })

  it('is not handed out again when the visitor takes the grant back while it is under way', async () => {
    const { link, claim, answer, pairing } = setUp('app')
    link('A')
    await answer(true)
    const first = await takeToken(claim('A'))
    const second = claim('A')
    pairing.revoked(SHOP)
    first.lost()
    expect(await second).toMatchObject({ code: 'not_found' })
  })

  it('is replaced by pairing again', async () => {
    const { claim, answer, store } = setUp('page')
    const first = claim('A')
    await answer(true)
    const before = await takeToken(first)
    before.delivered()
    const second = claim('B')
    await answer(true)
    const after = await takeToken(second)
    after.delivered()
    await settle()
    expect(after.token).not.toBe(before.token)
    expect(store.written.get(SHOP)).toEqual({ token: after.token, uncollected: false })
  })
})

describe('the approval page’s key', () => {
  const keyOf = (events: readonly PairingEvent[]): string => {
    const asked = events.find((event) => event.kind === 'asked')
    return (asked !== undefined && 'key' in asked ? asked.key : null) ?? ''
  }

  it('is needed to answer over HTTP, and the wrong one changes nothing', async () => {
    const { claim, pairing, lastId, events } = setUp('page')
    void claim('A')
    const requestId = lastId()
    for (const key of ['', 'x', keyOf(events).slice(1)]) {
      expect(await pairing.decide({ requestId, allow: true, key })).toMatchObject({ code: 'forbidden' })
      expect(pairing.isKey(requestId, key)).toBe(false)
    }
    expect(pairing.pending()).toHaveLength(1)
    expect(pairing.isKey(requestId, keyOf(events))).toBe(true)
    expect(await pairing.decide({ requestId, allow: false, key: keyOf(events) })).toMatchObject({ decision: 'denied' })
    expect(pairing.isKey(requestId, keyOf(events))).toBe(false)
  })

  it('is another one for every question, long, and the same when the site asks again', () => {
    const { link, events } = setUp('page')
    link('A')
    link('B')
    link('A', OTHER)
    const keys = events.map((event) => ('key' in event ? event.key : null))
    expect(keys[0]).toMatch(/^[\w-]{43}$/)
    expect(keys[1]).toBe(keys[0])
    expect(keys[2]).not.toBe(keys[0])
  })

  it('of one question does not answer another', async () => {
    const { link, pairing, events } = setUp('page')
    link('A')
    link('A', OTHER)
    const other = pairing.pending()[1]?.requestId ?? ''
    expect(await pairing.decide({ requestId: other, allow: true, key: keyOf(events) })).toMatchObject({
      code: 'forbidden',
    })
  })

  it('does not exist where the app asks: nothing can be answered over HTTP', async () => {
    const { link, pairing, lastId, events } = setUp('app')
    link('A')
    expect(events[0]).toMatchObject({ kind: 'asked', key: null })
    for (const key of ['', 'null']) {
      expect(await pairing.decide({ requestId: lastId(), allow: true, key })).toMatchObject({ code: 'forbidden' })
    }
  })

  it('is not in what lists and pages are shown', () => {
    const { link, pairing, lastId, events } = setUp('page')
    link('A')
    expect(JSON.stringify([pairing.pending(), pairing.question(lastId())])).not.toContain(keyOf(events))
  })
})

describe('a question', () => {
  it('can be looked at until it is answered', async () => {
    const { link, pairing, lastId, answer } = setUp('page')
    expect(pairing.question('nobody')).toBeNull()
    link('A')
    expect(pairing.question(lastId())).toEqual({ requestId: lastId(), origin: SHOP })
    await answer(true)
    expect(pairing.question(lastId())).toBeNull()
    expect(pairing.decision(lastId())).toBe('allowed')
  })

  it('has an id of 18 random bytes that is kept while the site tries again', () => {
    const { link, lastId } = setUp('app')
    link('A')
    expect(lastId()).toMatch(/^[\w-]{24}$/)
    expect(link('B')).toEqual({ kind: 'asked', requestId: lastId() })
  })

  it('is told to every listener, until it unsubscribes, whatever another one throws', () => {
    const { pairing, link, errors } = setUp('app')
    const seen: string[] = []
    pairing.subscribe(() => {
      throw new Error('listener')
    })
    const undo = pairing.subscribe(({ kind }) => seen.push(kind))
    link('A')
    undo()
    link('B')
    expect(seen).toEqual(['asked'])
    expect(errors).toHaveLength(2)
  })

  it('that a listener answers on the spot is answered', async () => {
    const { pairing, claim } = setUp('page')
    pairing.subscribe((event) => {
      if (event.kind === 'asked') void pairing.decide({ requestId: event.requestId, allow: true, key: event.key ?? '' })
    })
    expect(await claim('A')).toMatchObject({ kind: 'allowed' })
  })
})

describe('trouble with the store', () => {
  it('keeps the token for the next claim while it can not be written that it leaves', async () => {
    const store = fakeGrants()
    let full = true
    const collected = (origin: Origin): Promise<void> =>
      full ? Promise.reject(new Error('disk full')) : store.grants.collected(origin)
    const { link, claim, answer, errors } = setUp('app', { grants: { ...store.grants, collected } })
    link('A')
    const waiting = claim('A')
    await answer(true)
    expect(await waiting).toEqual({ kind: 'pending' })
    expect(errors).toEqual([new Error('disk full')])
    await expect(claim('A')).rejects.toThrow('disk full')
    full = false
    expect(await claim('A')).toMatchObject({ kind: 'allowed' })
  })
})

describe('closing', () => {
  it('answers who waits, removes what nobody collected, stops all timers, and can be repeated', async () => {
    const { link, claim, answer, pairing, store, clock, events } = setUp('app')
    link('A')
    await answer(true)
    link('A', OTHER)
    const waiting = claim('A', OTHER)
    await pairing.close()
    await pairing.close()
    expect(await waiting).toEqual({ kind: 'pending' })
    expect(store.written.size).toBe(0)
    expect(clock.pending).toBe(0)
    const before = events.length
    expect(await claim('A')).toEqual({ kind: 'pending' })
    expect(await answer(true)).toMatchObject({ kind: 'refused' })
    expect(() => link('B')).toThrow('stopping')
    expect(events).toHaveLength(before)
  })

  it('keeps a grant whose token arrives afterwards and removes one whose answer is lost', async () => {
    const { link, claim, answer, pairing, store, clock } = setUp('app')
    link('A')
    await answer(true)
    const arriving = await takeToken(claim('A'))
    link('A', OTHER)
    await answer(true)
    const dying = await takeToken(claim('A', OTHER))
    await pairing.close()
    arriving.delivered()
    dying.lost()
    await settle()
    expect(store.written.get(SHOP)?.uncollected).toBe(false)
    expect(store.written.has(OTHER)).toBe(false)
    expect(clock.pending).toBe(0)
  })

  it('removes a grant that is written only afterwards', async () => {
    const { link, answer, pairing, store } = setUp('app')
    link('A')
    store.hold()
    const decided = answer(true)
    await pairing.close()
    await store.release()
    await decided
    await settle()
    expect(store.written.size).toBe(0)
  })
})
