/** The desktop app's engine, driven through `/admin/` by the app alone. Its silence: spec-conventions.test.ts. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EVIL, freshNonce, openTestEngine, SHOP, type TestEngine } from './engine.fixture.js'

const ADMIN = 'admin-token-of-at-least-32-characters'
const WEBVIEW = 'tauri://localhost'
const A_TEXT: unknown = expect.any(String)

let test: TestEngine
beforeEach(async () => {
  test = await openTestEngine({ mode: 'app', adminToken: ADMIN })
})
afterEach(() => test[Symbol.asyncDispose]())

const admin = (path: string, body?: unknown, method?: string) =>
  test.call(`/admin${path}`, {
    token: ADMIN,
    origin: WEBVIEW,
    ...(body === undefined ? {} : { body }),
    ...(method === undefined ? {} : { method }),
  })

/** Links, claims and answers as page, system and visitor do. */
async function connectShop(allow = true) {
  const nonce = freshNonce()
  const linked = await admin('/pairing/link', { origin: SHOP, nonce, app: 'Shop', needs: { tools: true, gpu: 1 } })
  const claim = test.call('/connect/claim', { origin: SHOP, body: { nonce } })
  const { requestId } = linked.json as { requestId: string }
  const answered = await admin(`/pairing/${requestId}`, { allow })
  return { linked, answered, nonce, requestId, claimed: await claim }
}

describe('pairing in the app', () => {
  it('goes from link to question to token to site', async () => {
    const { answered, claimed } = await connectShop()
    expect(answered).toMatchObject({ status: 200, json: { ok: true } })
    const { token } = claimed.json as { token: string }
    expect((await test.call('/health', { origin: SHOP, token })).json).toMatchObject({ paired: true, approvals: 'app' })
    const { json } = await admin('/sites')
    expect(json).toMatchObject({ sites: [{ origin: SHOP, app: 'Shop', needs: { tools: true } }] })
    expect(JSON.stringify(json)).not.toMatch(/tokenHash|uncollected|gpu/)
    expect((await admin('/sites?origin=https://shop.example', undefined, 'DELETE')).json).toEqual({ removed: true })
    expect((await admin('/sites?origin=https://shop.example', undefined, 'DELETE')).json).toEqual({ removed: false })
    expect(await test.call('/health', { origin: SHOP, token })).toMatchObject({ status: 403, text: '' })
  })

  it('asks once however often the link comes, and answers only the latest nonce', async () => {
    const [old, fresh] = [freshNonce(), freshNonce()]
    const first = await admin('/pairing/link', { origin: SHOP, nonce: old })
    const waiting = test.call('/connect/claim', { origin: SHOP, body: { nonce: old } })
    await expect.poll(async () => (await test.call('/health', { origin: SHOP })).status).toBe(200)
    const second = await admin('/pairing/link', { origin: 'HTTPS://Shop.Example/some/page', nonce: fresh })
    expect(second.json).toEqual(first.json)
    expect(await waiting).toMatchObject({ status: 404, json: { error: A_TEXT } })
    expect((await waiting).headers['access-control-allow-origin']).toBe(SHOP)
    expect((await admin('/pairing')).json).toMatchObject({ requests: [{ origin: SHOP }] })
    expect(await test.call('/connect/claim', { origin: EVIL, body: { nonce: fresh } })).toMatchObject({
      status: 403,
      text: '',
    })
  })

  it('refuses links of no site, of its own origin, and with bad nonces', async () => {
    const nonce = freshNonce()
    for (const body of [
      { origin: 'file:///etc', nonce },
      { origin: test.engine.url, nonce },
      { origin: `http://localhost:${test.engine.port}`, nonce },
      { origin: SHOP, nonce: 'short' },
      { origin: SHOP },
      { nonce },
    ])
      expect(await admin('/pairing/link', body)).toMatchObject({ status: 400, json: { error: A_TEXT } })
  })

  it('refuses links for a while after a No, and a late answer', async () => {
    const { requestId } = await connectShop(false)
    expect(await admin('/pairing/link', { origin: SHOP, nonce: freshNonce() })).toMatchObject({ status: 429 })
    for (const id of [requestId, 'unknown']) expect((await admin(`/pairing/${id}`, { allow: true })).status).toBe(410)
  })

  it('holds 20 questions, and no more', async () => {
    for (let site = 0; site < 20; site += 1)
      expect((await admin('/pairing/link', { origin: `https://s${site}.example`, nonce: freshNonce() })).status).toBe(
        201,
      )
    expect((await admin('/pairing/link', { origin: SHOP, nonce: freshNonce() })).status).toBe(429)
  })
})

describe('the admin API', () => {
  it('tells what it is', async () => {
    expect((await admin('/status')).json).toEqual({
      version: '0.1.0',
      port: test.engine.port,
      agent: { id: 'demo', name: 'Demo AI (no model)', installed: 'agent', ready: true },
      sites: 0,
      pairing: [],
    })
  })

  it('needs the token, whoever asks, and refuses every web page even with it', async () => {
    for (const token of [undefined, 'wrong', `${ADMIN}x`, ADMIN.slice(0, -1)]) {
      const answer = await test.call('/admin/status', { origin: WEBVIEW, ...(token === undefined ? {} : { token }) })
      expect(answer).toMatchObject({ status: 401, json: { error: 'Unauthorized' } })
      expect(answer.headers['access-control-allow-origin']).toBe(WEBVIEW)
    }
    expect((await test.call('/admin/status', { token: ADMIN })).status).toBe(200)
    await connectShop()
    expect((await test.call('/admin/status', { origin: SHOP, token: ADMIN })).status).toBe(403)
    expect((await test.call('/admin/status', { origin: test.engine.url, token: ADMIN })).status).toBe(403)
  })

  it('answers the preflights of the app', async () => {
    const preflight = await test.call('/admin/sites', { method: 'OPTIONS', origin: 'http://tauri.localhost' })
    expect(preflight).toMatchObject({ status: 204, text: '' })
    expect(preflight.headers['access-control-allow-origin']).toBe('http://tauri.localhost')
    expect(preflight.headers['access-control-allow-methods']).toContain('DELETE')
  })

  it('makes another AI the default, and ends the sessions that ran on the old one', async () => {
    expect(await admin('/agent', { id: 'nobody' })).toMatchObject({ status: 404 })
    expect(await admin('/agent', {})).toMatchObject({ status: 400 })
    expect((await admin('/agent', { id: 'demo' })).json).toEqual({ id: 'demo', name: 'Demo AI (no model)' })
  })

  it("is an unknown route of the command line's engine", async () => {
    await using page = await openTestEngine({ adminToken: ADMIN })
    for (const path of ['/admin/status', '/admin/sites'])
      expect((await page.call(path, { token: ADMIN })).status).toBe(404)
  })
})
