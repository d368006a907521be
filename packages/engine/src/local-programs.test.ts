/** What a program on this computer may do without a token, and what not (issue B, 7; SECURITY.md lists it). */
import { prepareReply } from '@leuria/protocol'
import { fakePage } from '@leuria/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestEngine, SHOP, type TestEngine } from './engine.fixture.js'
import { connectSite, type TestSession, type TestSite } from './site.fixture.js'
import { askUpgrade } from './upgrade.fixture.js'

const ADMIN = 'admin-token-of-at-least-32-characters'

let test: TestEngine
let site: TestSite
let session: TestSession
beforeAll(async () => {
  test = await openTestEngine()
  site = await connectSite(test)
  session = await site.prepare()
})
afterAll(() => test[Symbol.asyncDispose]())

describe('a program on this computer may', () => {
  it('ask for the health', async () => {
    expect((await test.call('/health')).status).toBe(200)
  })

  it('have sessions of its own, with tools of its own', async () => {
    const { sessionId, registrationToken } = prepareReply.parse(
      (await test.call('/session/prepare', { body: {} })).json,
    )
    const server = test.engine.url.replace('http', 'ws')
    const page = await fakePage({ registrationToken, server, tools: { look: { run: () => 'seen' } } })
    expect(page.open).toBe(true)
    expect((await test.call(`/session/${sessionId}/approve`, { body: {} })).status).toBe(200)
    expect((await test.call(`/session/${sessionId}`)).json).toMatchObject({ origin: 'local' })
    page.close()
  })

  it("call Node's fetch, which looks a little like a browser's", async () => {
    expect((await fetch(`${test.engine.url}/health`)).status).toBe(200)
  })

  it('look at a question, without the buttons that answer it', async () => {
    const claimed = test.call('/connect/claim', {
      origin: 'https://asking.example',
      body: { nonce: 'n'.repeat(22) },
    })
    const asked = (await new Promise<string>((resolve) => {
      test.engine.subscribe((event) => event.event === 'pairing' && resolve(event.approveUrl))
      const known = test.events.findLast((event) => event.event === 'pairing')
      if (known?.origin === 'https://asking.example') resolve(known.approveUrl)
    })) satisfies string
    const url = new URL(asked)
    expect((await test.call(url.pathname)).text).not.toContain('<button')
    const body = { allow: true, key: url.searchParams.get('key') }
    expect((await test.call(`${url.pathname}/decide`, { body })).status).toBe(403)
    await test.call(`${url.pathname}/decide`, { origin: test.engine.url, body: { ...body, allow: false } })
    await claimed
  })
})

describe('a program on this computer may not', () => {
  it("see, read, drive or end a site's session", async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/stream'],
      ['POST', '/approve'],
      ['POST', '/prompt'],
      ['POST', '/cancel'],
      ['POST', '/close'],
    ] as const) {
      const body = method === 'POST' ? { prompt: 'hi' } : undefined
      const answer = await test.call(`/session/${session.id}${path}`, { method, body })
      expect(answer).toMatchObject({ status: 404, json: { error: 'Session not found' } })
    }
    expect(await session.info()).toMatchObject({ status: 'pending_approval' })
  })

  it("open a site's channel, or use up its registration", async () => {
    const server = test.engine.url.replace('http', 'ws')
    await expect(fakePage({ registrationToken: session.registrationToken, server })).rejects.toThrow(/register/)
    const page = await session.page({ tools: {} })
    expect((await askUpgrade(test.engine.port, page.channel)).status).toBe(403)
    expect(page.open).toBe(true)
  })

  it("reach a site's tools over MCP without a token of its session", async () => {
    for (const token of [undefined, 'wrong', site.token, session.registrationToken])
      expect((await test.call('/webmcp/mcp', { token, body: {} })).status).toBe(401)
  })

  it('ask for a grant in its own name, or take a site’s token without its Origin', async () => {
    const body = { nonce: 'm'.repeat(22) }
    expect((await test.call('/connect/claim', { body })).status).toBe(400)
    expect((await test.call('/health', { token: site.token })).json).not.toHaveProperty('paired')
  })

  it('change grants or settings without the admin token', async () => {
    await using app = await openTestEngine({ mode: 'app', adminToken: ADMIN })
    await app.engine.grants.issue({ origin: SHOP })
    for (const token of [undefined, 'wrong', site.token]) {
      const remove = { method: 'DELETE', token } as const
      expect((await app.call(`/admin/sites?origin=${SHOP}`, remove)).status).toBe(401)
      expect((await app.call('/admin/agent', { body: { id: 'demo' }, token })).status).toBe(401)
      expect((await app.call('/admin/pairing/link', { body: { origin: SHOP }, token })).status).toBe(401)
      expect((await app.call('/admin/nope', { token })).status).toBe(401)
    }
    expect(app.engine.grants.has(SHOP)).toBe(true)
    const remove = { method: 'DELETE', token: ADMIN } as const
    expect((await app.call(`/admin/sites?origin=${SHOP}`, remove)).json).toEqual({ removed: true })
  })
})
