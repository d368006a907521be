/**
 * The protocol page's Pairing, sentence by sentence, on whole engines over HTTP: the command line's, whose claims ask,
 * and the desktop app's, where links do. Every corner of the machine itself: the tests of `@leuria/pairing`.
 */
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fakeClock, type RawAnswer } from '@leuria/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { EVIL, freshNonce, openTestEngine, SHOP, type TestEngine } from './engine.fixture.js'
import { connectSite } from './site.fixture.js'

const A_TEXT: unknown = expect.any(String)
const ADMIN = 'admin-token-of-at-least-32-characters'

let test: TestEngine
afterEach(() => test[Symbol.asyncDispose]())

async function openPage(options: Parameters<typeof openTestEngine>[0] = {}): Promise<void> {
  test = await openTestEngine(options)
}

async function openApp(options: Parameters<typeof openTestEngine>[0] = {}): Promise<void> {
  test = await openTestEngine({ mode: 'app', adminToken: ADMIN, ...options })
}

function admin(path: string, body?: unknown, method?: string): Promise<RawAnswer> {
  return test.call(`/admin${path}`, { token: ADMIN, origin: 'tauri://localhost', body, method })
}

function claim(nonce: string, more: object = {}, origin: string = SHOP): Promise<RawAnswer> {
  return test.call('/connect/claim', { origin, body: { nonce, ...more } })
}

/** A claim that the visitor has been asked about, and the approval page's address. */
async function ask(nonce = freshNonce(), more: object = {}): Promise<{ claimed: Promise<RawAnswer>; url: URL }> {
  const before = test.events.length
  const claimed = claim(nonce, more)
  await expect.poll(() => test.events.length).toBeGreaterThan(before)
  const asked = test.events.findLast((event) => event.event === 'pairing')
  return { claimed, url: new URL(asked?.approveUrl ?? expect.fail('nobody asked')) }
}

/** The visitor's click on the approval page. */
function click(url: URL, allow: unknown, origin: string | undefined = test.engine.url): Promise<RawAnswer> {
  return test.call(`${url.pathname}/decide`, { origin, body: { allow, key: url.searchParams.get('key') } })
}

/** Registers a link as the app does; gives the question's id. */
async function link(nonce: string, more: object = {}): Promise<string> {
  const { status, json } = await admin('/pairing/link', { origin: SHOP, nonce, ...more })
  expect(status).toBe(201)
  return (json as { requestId: string }).requestId
}

const tokenIn = ({ json }: RawAnswer): string =>
  typeof json === 'object' && json !== null && 'token' in json ? String(json.token) : expect.fail('no token came')

describe('the steps', () => {
  it('"It starts from the visitor\'s click, never from a request the page makes on its own"', async () => {
    await openApp()
    for (const path of ['/connect/claim', '/admin/pairing/link', '/session/prepare'])
      expect((await test.call(path, { origin: SHOP, body: { origin: SHOP, nonce: freshNonce() } })).status).toBe(403)
    expect(test.events).toEqual([])
    expect((await admin('/pairing')).json).toEqual({ requests: [] })
  })

  it('1 Link: "a secret nonce (16 to 96 random bytes, base64url)"', async () => {
    await openApp()
    for (const length of [22, 128]) await link('n'.repeat(length))
    for (const nonce of ['n'.repeat(21), 'n'.repeat(129), `${'n'.repeat(30)}=`, 'n+/'.repeat(10), 7, undefined])
      expect((await admin('/pairing/link', { origin: SHOP, nonce })).status).toBe(400)
  })

  it('2 Ask: "Registers the link with the engine … From now on, the engine answers this origin"', async () => {
    await openApp()
    expect(await claim(freshNonce())).toMatchObject({ status: 403, text: '' })
    const nonce = freshNonce()
    const requestId = await link(nonce, { app: 'Shop', needs: { tools: true } })
    const question = { requestId, origin: SHOP, app: 'Shop', needs: { tools: true }, approveUrl: A_TEXT }
    expect((await admin('/pairing')).json).toEqual({ requests: [question] })
    expect(test.events).toEqual([{ event: 'pairing', ...question }])
    expect((await claim(freshNonce())).headers['access-control-allow-origin']).toBe(SHOP)
  })

  it("2 Ask: links of no site, of the engine's own origin and without a nonce are refused", async () => {
    await openApp()
    const nonce = freshNonce()
    for (const body of [
      { origin: 'file:///etc', nonce },
      { origin: test.engine.url, nonce },
      { origin: `http://localhost:${test.engine.port}`, nonce },
      { origin: SHOP },
      { nonce },
    ])
      expect(await admin('/pairing/link', body)).toMatchObject({ status: 400, json: { error: A_TEXT } })
  })

  it('3 Claim: "long-polled for up to 25 s; call it again after pending"', async () => {
    const clock = fakeClock()
    await openPage({ clock })
    const nonce = freshNonce()
    const { claimed, url } = await ask(nonce)
    let answered = false
    void claimed.then(() => (answered = true))
    await clock.advanceAsync(24_999)
    expect(answered).toBe(false)
    await clock.advanceAsync(1)
    expect(await claimed).toMatchObject({ status: 200, json: { status: 'pending' } })
    await click(url, true)
    expect((await claim(nonce)).json).toEqual({ status: 'allowed', token: A_TEXT })
    expect(test.events.filter(({ event }) => event === 'pairing')).toHaveLength(1)
  })

  it('4 Answer: "200 { status: pending }, { status: denied }, or { status: allowed, token }"', async () => {
    await openApp()
    for (const allow of [true, false]) {
      const nonce = freshNonce()
      const requestId = await link(nonce)
      const claimed = claim(nonce)
      expect((await admin(`/pairing/${requestId}`, { allow })).json).toEqual({ ok: true })
      const expected = allow ? { status: 'allowed', token: A_TEXT } : { status: 'denied' }
      expect(await claimed).toMatchObject({ status: 200, json: expected })
    }
  })

  it('refuses claims that no page makes, and without a proper nonce', async () => {
    await openPage()
    const body = { nonce: freshNonce() }
    expect((await test.call('/connect/claim', { body })).status).toBe(400)
    expect((await test.call('/connect/claim', { body, origin: test.engine.url })).status).toBe(400)
    for (const nonce of [undefined, 7, '', 'short', 'a'.repeat(129)])
      expect((await test.call('/connect/claim', { origin: SHOP, body: { nonce } })).status).toBe(400)
  })
})

describe('the rules', () => {
  it('"Before the link arrives, the claim gets no readable answer"', async () => {
    await openApp()
    const answer = await claim(freshNonce())
    expect(answer).toMatchObject({ status: 403, text: '' })
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
  })

  it('"Only the linked origin, with the link\'s nonce, gets the answer. … A wrong nonce from the linked origin gets 404"', async () => {
    await openApp()
    const nonce = freshNonce()
    const requestId = await link(nonce)
    await admin(`/pairing/${requestId}`, { allow: true })
    expect(await claim(nonce, {}, EVIL)).toMatchObject({ status: 403, text: '' })
    const wrong = await claim(freshNonce())
    expect(wrong).toMatchObject({ status: 404, json: { error: A_TEXT } })
    expect(wrong.headers['access-control-allow-origin']).toBe(SHOP)
    expect((await claim(nonce)).json).toMatchObject({ status: 'allowed' })
  })

  it('"Trying again … updates the nonce of the question already asked instead of asking twice. Only a claim with the latest nonce gets the answer; earlier ones get 404"', async () => {
    await openApp()
    const [old, fresh] = [freshNonce(), freshNonce()]
    const requestId = await link(old)
    const waiting = claim(old)
    await expect.poll(async () => (await test.call('/health', { origin: SHOP })).status).toBe(200)
    // The same site, however the link spells it.
    expect((await admin('/pairing/link', { origin: 'HTTPS://Shop.Example/some/page', nonce: fresh })).json).toEqual({
      requestId,
    })
    expect((await waiting).status).toBe(404)
    expect((await admin('/pairing')).json).toMatchObject({ requests: [{ requestId }] })
    // A nonce that was replaced never becomes the latest again: two tabs can't replace each other for ever.
    expect((await admin('/pairing/link', { origin: SHOP, nonce: old })).status).toBe(404)
    await admin(`/pairing/${requestId}`, { allow: true })
    expect((await claim(old)).status).toBe(404)
    expect((await claim(fresh)).json).toMatchObject({ status: 'allowed' })
  })

  it('"After a No, the same origin can\'t ask again for 30 seconds: its claims and links get 429"', async () => {
    const clock = fakeClock()
    await openPage({ clock })
    const { claimed, url } = await ask()
    await click(url, false)
    expect((await claimed).json).toEqual({ status: 'denied' })
    const again = await claim(freshNonce())
    expect(again).toMatchObject({ status: 429, json: { error: A_TEXT, retryAfterS: 30 } })
    expect(again.headers['retry-after']).toBe('30')
    expect(test.engine.grants.list()).toEqual([])
    await clock.advanceAsync(29_999)
    expect((await claim(freshNonce())).status).toBe(429)
    await clock.advanceAsync(1)
    await ask()
  })

  it('… links, in the app, whose claims are silent once the No was collected', async () => {
    await openApp()
    const nonce = freshNonce()
    await admin(`/pairing/${await link(nonce)}`, { allow: false })
    expect((await admin('/pairing/link', { origin: SHOP, nonce: freshNonce() })).status).toBe(429)
    expect((await claim(nonce)).json).toEqual({ status: 'denied' })
    expect((await admin('/pairing/link', { origin: SHOP, nonce: freshNonce() })).status).toBe(429)
    expect(await claim(nonce)).toMatchObject({ status: 403, text: '' })
  })

  it('"The token is returned once. The request is then forgotten"', async () => {
    await openApp()
    const nonce = freshNonce()
    const requestId = await link(nonce)
    await admin(`/pairing/${requestId}`, { allow: true })
    const claims = await Promise.all([claim(nonce), claim(nonce)])
    expect(claims.map(({ status }) => status).sort()).toEqual([200, 404])
    expect((await claim(nonce)).status).toBe(404)
    expect((await admin('/pairing')).json).toEqual({ requests: [] })
    for (const id of [requestId, 'unknown']) expect((await admin(`/pairing/${id}`, { allow: true })).status).toBe(410)
  })

  it('… and not lost with a connection that died before the answer', async () => {
    await openPage()
    const gone = new AbortController()
    const nonce = freshNonce()
    const lost = test.call('/connect/claim', { origin: SHOP, body: { nonce }, signal: gone.signal })
    await expect.poll(() => test.events.length).toBe(1)
    gone.abort()
    await expect(lost).rejects.toThrow()
    const asked = test.events[0]
    await click(new URL(asked?.event === 'pairing' ? asked.approveUrl : ''), true)
    expect((await claim(nonce)).json).toMatchObject({ status: 'allowed' })
  })

  it('"The engine stores only the token\'s SHA-256, in ~/.leuria/grants.json"', async () => {
    await openPage()
    const token = await test.connect()
    const file = join(test.home, 'grants.json')
    const text = await readFile(file, 'utf8')
    expect(text).not.toContain(token)
    const tokenHash = createHash('sha256').update(token).digest('hex')
    expect(JSON.parse(text)).toMatchObject({ version: 1, grants: [{ origin: SHOP, app: 'Shop', tokenHash }] })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(test.home)).mode & 0o777).toBe(0o700)
    await test.restart()
    expect((await test.call('/health', { origin: SHOP, token })).json).toMatchObject({ paired: true })
  })

  it('"Pairing again replaces the token. The site keeps its AI and model choice"', async () => {
    await openPage()
    const old = await test.connect()
    const choice = { agent: 'llm:mine', model: { agent: 'llm:mine', id: 'small' } }
    await test.engine.grants.choose(SHOP, choice)
    const token = await test.connect()
    expect((await test.call('/health', { origin: SHOP, token: old })).json).toMatchObject({ paired: false })
    expect((await test.call('/health', { origin: SHOP, token })).json).toMatchObject({ paired: true })
    expect(test.engine.grants.list()).toMatchObject([{ origin: SHOP, ...choice }])
  })

  it('"Needs are a closed vocabulary … Unknown keys and values are dropped. They are … stored with the grant, and never change what the site may do"', async () => {
    await openApp()
    const needs = { tools: true, images: 'yes', effort: 'deep', context: 8_000, gpu: 1, admin: true }
    const nonce = freshNonce()
    await admin(`/pairing/${await link(nonce, { app: 'Shop', needs })}`, { allow: true })
    const token = tokenIn(await claim(nonce, { needs: { effort: 'light' } }))
    const { json } = await admin('/sites')
    expect(json).toMatchObject({ sites: [{ origin: SHOP, app: 'Shop' }] })
    expect(test.engine.grants.get(SHOP)?.needs).toEqual({ tools: true, effort: 'deep', context: 8_000 })
    expect(JSON.stringify(json)).not.toMatch(/tokenHash|uncollected|gpu/)
    expect((await test.call('/admin/status', { origin: SHOP, token })).status).toBe(403)
  })

  it('"A request expires after 5 minutes"', async () => {
    const clock = fakeClock()
    await openPage({ clock })
    const nonce = freshNonce()
    const { url, claimed } = await ask(nonce)
    await clock.advanceAsync(25_000)
    await claimed
    await clock.advanceAsync(5 * 60_000 - 25_000 - 1)
    const last = claim(nonce)
    // The claim has arrived when its connection counts; only then may time go on.
    await expect.poll(async () => (await test.call(url.pathname)).status).toBe(200)
    await clock.advanceAsync(1)
    expect((await last).status).toBe(410)
    expect((await click(url, true)).status).toBe(410)
    expect((await test.call(url.pathname)).status).toBe(404)
  })

  it('… and then the next claim with that nonce gets 410, where claims ask', async () => {
    const clock = fakeClock()
    await openPage({ clock })
    const nonce = freshNonce()
    const { claimed } = await ask(nonce)
    await clock.advanceAsync(25_000)
    await claimed
    await clock.advanceAsync(5 * 60_000)
    expect((await claim(nonce)).status).toBe(410)
    expect((await test.call('/health', { origin: SHOP })).json).toMatchObject({ paired: false })
  })

  it('… while in the app a later claim is silent, and a late answer gets 410', async () => {
    const clock = fakeClock()
    await openApp({ clock })
    const nonce = freshNonce()
    const requestId = await link(nonce)
    await clock.advanceAsync(5 * 60_000)
    expect(await claim(nonce)).toMatchObject({ status: 403, text: '' })
    expect((await admin(`/pairing/${requestId}`, { allow: true })).status).toBe(410)
    expect(test.engine.grants.list()).toEqual([])
  })

  it('"At most 20 can be pending at once, across all sites"', async () => {
    await openApp()
    for (let site = 0; site < 20; site += 1) await link(freshNonce(), { origin: `https://s${site}.example` })
    expect(await admin('/pairing/link', { origin: SHOP, nonce: freshNonce() })).toMatchObject({ status: 429 })
  })

  it('"app is cut to 80 characters"', async () => {
    await openPage()
    await ask(freshNonce(), { app: 'é'.repeat(81) })
    expect(test.events.at(-1)).toMatchObject({ app: 'é'.repeat(80) })
  })

  it('"The visitor can revoke a grant at any time … This ends the origin\'s sessions, and its token stops working"', async () => {
    await openPage()
    const site = await connectSite(test)
    const session = await site.prepare()
    const channelClosed = (await session.page({ tools: {} })).closed()
    await test.engine.grants.revoke(SHOP)
    await session.until('cancelled')
    expect(await channelClosed).toMatchObject({ code: 1000 })
    expect(test.engine.sessions.live().sessions).toBe(0)
    const refused = await test.call(`/session/${session.id}`, { origin: SHOP, token: site.token })
    expect(refused).toMatchObject({ status: 401, json: { code: 'not_paired' } })
  })

  it('… from the desktop app, to which the site then is unknown', async () => {
    await openApp()
    const nonce = freshNonce()
    await admin(`/pairing/${await link(nonce)}`, { allow: true })
    const token = tokenIn(await claim(nonce))
    const remove = () => admin(`/sites?origin=${encodeURIComponent(SHOP)}`, undefined, 'DELETE')
    expect((await remove()).json).toEqual({ removed: true })
    expect((await remove()).json).toEqual({ removed: false })
    expect(await test.call('/health', { origin: SHOP, token })).toMatchObject({ status: 403, text: '' })
  })
})

// What the page looks like and how a browser gets there: apps/cli/e2e.
describe('the CLI engine', () => {
  it('"the claim itself asks: a claim from an origin with no question pending creates one"', async () => {
    await openPage()
    const { url } = await ask(freshNonce(), { app: 'Shop' })
    expect(url.origin).toBe(test.engine.url)
    expect(test.events).toMatchObject([{ event: 'pairing', origin: SHOP, app: 'Shop' }])
    expect((await test.call(url.pathname + url.search)).text).toContain('shop.example')
  })

  it('"The page is sent with X-Frame-Options: DENY and a strict Content-Security-Policy, so no site can frame it"', async () => {
    await openPage()
    const { url } = await ask(freshNonce(), { app: '<b>Shop</b>' })
    for (const path of [url.pathname + url.search, url.pathname, '/connect/unknown']) {
      const { headers, text } = await test.call(path)
      expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'cache-control': 'no-store' })
      expect(headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
      expect(headers['content-security-policy']).not.toContain('unsafe')
      expect(text).not.toMatch(/<b>|<script>|<style>|style=|onclick=/)
    }
    expect((await test.call('/connect/unknown')).status).toBe(404)
  })

  it('"Only a click there, posted as POST /connect/:id/decide { allow } from the engine\'s own origin, decides" (with the page\'s key)', async () => {
    await openPage()
    const { claimed, url } = await ask()
    expect((await test.call(url.pathname + url.search)).text).toContain('id="allow"')
    expect((await test.call(url.pathname)).text).not.toContain('id="allow"')
    const keyless = { origin: test.engine.url, body: { allow: true } }
    expect((await test.call(`${url.pathname}/decide`, keyless)).status).toBe(403)
    const guessed = new URL(`${url.pathname}?key=guess`, url)
    const noOrigin = { body: { allow: true, key: url.searchParams.get('key') } }
    expect((await click(guessed, true)).status).toBe(403)
    expect((await click(url, true, SHOP)).status).toBe(403)
    expect((await test.call(`${url.pathname}/decide`, noOrigin)).status).toBe(403)
    expect((await click(url, true)).json).toEqual({ decision: 'allowed', origin: SHOP })
    expect((await claimed).json).toEqual({ status: 'allowed', token: A_TEXT })
    expect((await click(url, true)).status).toBe(410)
  })

  it('… and nothing but `true` is a Yes', async () => {
    await openPage()
    const { claimed, url } = await ask()
    expect((await click(url, 'yes please')).json).toEqual({ decision: 'denied', origin: SHOP })
    expect((await claimed).json).toEqual({ status: 'denied' })
  })

  it('"GET /connect/:id/state lets that page see an answer given elsewhere; it is reserved for the engine\'s own origin"', async () => {
    await openPage()
    const { url } = await ask()
    const state = (origin?: string) => test.call(`${url.pathname}/state`, { origin })
    expect((await state(test.engine.url)).json).toEqual({ decision: 'pending' })
    expect((await state(SHOP)).status).toBe(403)
    await click(url, true)
    expect((await state(test.engine.url)).json).toEqual({ decision: 'allowed' })
    expect((await test.call('/connect/unknown/state', { origin: test.engine.url })).status).toBe(404)
  })

  it('"The page\'s side of the flow doesn\'t change": the approval is told by /health', async () => {
    await openPage()
    const token = await test.connect()
    expect((await test.call('/health', { origin: SHOP, token })).json).toMatchObject({
      approvals: 'page',
      paired: true,
    })
  })
})
