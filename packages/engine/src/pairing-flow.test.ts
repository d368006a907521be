/** Pairing through a whole engine, as a page and the visitor's browser see it (Pairing, the CLI engine). */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { EVIL, freshNonce, openTestEngine, SHOP } from './engine.fixture.js'

const A_TEXT: unknown = expect.any(String)

function approval(test: Awaited<ReturnType<typeof openTestEngine>>): URL {
  const asked = test.events.filter((event) => event.event === 'pairing').at(-1)
  return new URL(asked?.approveUrl ?? expect.fail('nobody asked'))
}

/** Claims and waits until the visitor has been asked. */
async function ask(test: Awaited<ReturnType<typeof openTestEngine>>, nonce = freshNonce()) {
  const before = test.events.length
  const claim = test.call('/connect/claim', {
    origin: SHOP,
    body: { nonce, app: '<b>Shop</b>', needs: { tools: true } },
  })
  await expect.poll(() => test.events.length).toBeGreaterThan(before)
  return { nonce, claim, url: approval(test) }
}

it('gives a token once, keeps only its hash, and survives a restart', async () => {
  await using test = await openTestEngine()
  expect((await test.call('/health', { origin: SHOP })).json).toMatchObject({ paired: false, approvals: 'page' })
  const token = await test.connect()
  expect((await test.call('/health', { origin: SHOP, token })).json).toMatchObject({ paired: true })
  expect((await test.call('/health', { origin: EVIL, token })).json).toMatchObject({ paired: false })

  const file = join(test.home, 'grants.json')
  const text = await readFile(file, 'utf8')
  expect(text).not.toContain(token)
  expect(JSON.parse(text)).toMatchObject({
    version: 1,
    grants: [{ origin: SHOP, app: 'Shop', createdAt: A_TEXT }],
  })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await stat(test.home)).mode & 0o777).toBe(0o700)

  await test.restart()
  expect((await test.call('/health', { origin: SHOP, token })).json).toMatchObject({ paired: true })
})

it('shows a page that only a click with its key can answer', async () => {
  await using test = await openTestEngine()
  const { claim, url } = await ask(test)
  const withKey = await test.call(url.pathname + url.search)
  expect(withKey.status).toBe(200)
  expect(withKey.text).toContain('shop.example')
  expect(withKey.text).toContain('&lt;b&gt;Shop&lt;/b&gt;')
  expect(withKey.text).toContain('id="allow"')
  expect(withKey.headers).toMatchObject({ 'x-frame-options': 'DENY', 'cache-control': 'no-store' })
  expect(withKey.headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
  expect((await test.call(url.pathname)).text).not.toContain('id="allow"')
  expect((await test.call('/connect/unknown')).status).toBe(404)

  const decide = (body: unknown, origin?: string) =>
    test.call(`${url.pathname}/decide`, { body, ...(origin === undefined ? {} : { origin }) })
  const key = url.searchParams.get('key')
  expect((await decide({ allow: true, key }, SHOP)).status).toBe(403)
  expect((await decide({ allow: true, key })).status).toBe(403)
  expect((await decide({ allow: true }, test.engine.url)).status).toBe(403)
  expect((await decide({ allow: true, key: 'guess' }, test.engine.url)).status).toBe(403)
  expect((await test.call(`${url.pathname}/state`)).json).toEqual({ decision: 'pending' })
  expect((await test.call(`${url.pathname}/state`, { origin: SHOP })).status).toBe(403)

  expect((await decide({ allow: true, key }, test.engine.url)).json).toEqual({ decision: 'allowed', origin: SHOP })
  expect((await claim).json).toEqual({ status: 'allowed', token: A_TEXT })
  expect((await decide({ allow: true, key }, test.engine.url)).status).toBe(410)
  expect((await test.call(`${url.pathname}/state`, { origin: test.engine.url })).json).toEqual({ decision: 'allowed' })
})

it('tells a refusal, and refuses to ask again for a while', async () => {
  await using test = await openTestEngine()
  const { claim, url } = await ask(test)
  const body = { allow: 'yes please', key: url.searchParams.get('key') }
  expect((await test.call(`${url.pathname}/decide`, { origin: test.engine.url, body })).json).toEqual({
    decision: 'denied',
    origin: SHOP,
  })
  expect((await claim).json).toEqual({ status: 'denied' })
  const again = await test.call('/connect/claim', { origin: SHOP, body: { nonce: freshNonce() } })
  expect(again.status).toBe(429)
  expect(Number(again.headers['retry-after'])).toBeGreaterThan(0)
  expect(test.engine.grants.list()).toEqual([])
})

it('refuses claims that no page makes', async () => {
  await using test = await openTestEngine()
  const body = { nonce: freshNonce() }
  expect((await test.call('/connect/claim', { body })).status).toBe(400)
  expect((await test.call('/connect/claim', { body, origin: test.engine.url })).status).toBe(400)
  for (const nonce of [undefined, 7, '', 'short', 'a'.repeat(129)]) {
    expect((await test.call('/connect/claim', { origin: SHOP, body: { nonce } })).status).toBe(400)
  }
})

it('gives the token to a page that lost its connection while the visitor answered', async () => {
  await using test = await openTestEngine()
  const gone = new AbortController()
  const nonce = freshNonce()
  const lost = test.call('/connect/claim', { origin: SHOP, body: { nonce }, signal: gone.signal })
  await expect.poll(() => test.events.length).toBe(1)
  gone.abort()
  await expect(lost).rejects.toThrow()
  const url = approval(test)
  await test.call(`${url.pathname}/decide`, {
    origin: test.engine.url,
    body: { allow: true, key: url.searchParams.get('key') },
  })
  expect((await test.call('/connect/claim', { origin: SHOP, body: { nonce } })).json).toMatchObject({
    status: 'allowed',
  })
})

it('ends sessions and forgets the token when the visitor revokes', async () => {
  await using test = await openTestEngine()
  const token = await test.connect()
  const { json } = await test.call('/session/prepare', { origin: SHOP, token, body: {} })
  expect(test.engine.sessions.live().sessions).toBe(1)
  await test.engine.grants.revoke(SHOP)
  expect(test.engine.sessions.live().sessions).toBe(0)
  const refused = await test.call(`/session/${sessionIdOf(json)}`, { origin: SHOP, token })
  expect(refused).toMatchObject({ status: 401, json: { code: 'not_paired' } })
})

function sessionIdOf(json: unknown): string {
  return typeof json === 'object' && json !== null && 'sessionId' in json
    ? String(json.sessionId)
    : expect.fail('no session')
}
