/** The protocol page's Errors, row by row, on a whole engine; every one of them readable for the page that caused it. */
import { type ErrorCode, EngineError } from '@leuria/protocol'
import { type RawAnswer, scriptedAgent } from '@leuria/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EVIL, freshNonce, oneAgent, openTestEngine, SHOP, type TestEngine } from './engine.fixture.js'

const A_TEXT: unknown = expect.any(String)
const ADMIN = 'admin-token-of-at-least-32-characters'

/** What `/health` runs into when it asks for the AI's name: any failure a part can have. */
let fault: Error | null = null

let test: TestEngine
let token: string
beforeAll(async () => {
  const agents = oneAgent(scriptedAgent({}))
  const nameFor = (): string => {
    if (fault !== null) throw fault
    return 'Fine'
  }
  test = await openTestEngine({ agents: { ...agents, nameFor } })
  token = await test.connect()
})
afterAll(() => test[Symbol.asyncDispose]())

/** The shape of every error, and that the page's script can read it (FC-02). */
function expectReadable(answer: RawAnswer, status: number, code?: string): void {
  expect(answer).toMatchObject({ status, json: { error: A_TEXT } })
  const { error: _, retryAfterS: _additive, ...rest } = answer.json as Record<string, unknown>
  expect(rest).toEqual(code === undefined ? {} : { code })
  expect(answer.headers).toMatchObject({
    'access-control-allow-origin': SHOP,
    vary: 'Origin',
    'content-type': 'application/json',
  })
}

const asShop = (path: string, more: object = {}) => test.call(path, { origin: SHOP, token, ...more })

async function prepare(): Promise<string> {
  const { json } = await asShop('/session/prepare', { body: {} })
  return (json as { sessionId: string }).sessionId
}

async function failWith(error: Error): Promise<RawAnswer> {
  fault = error
  try {
    return await asShop('/health')
  } finally {
    fault = null
  }
}

describe('"Every error is { error: string, code?: string }"', () => {
  it('400: "Malformed request"', async () => {
    expectReadable(await asShop('/session/prepare', { raw: '{' }), 400)
    expectReadable(await asShop('/session/prepare', { raw: '[]' }), 400)
    expectReadable(await asShop('/session/prepare', { body: { prompt: 7 } }), 400)
    expectReadable(await asShop('/connect/claim', { body: { nonce: 'short' } }), 400)
    expectReadable(await asShop('//'), 400)
  })

  it('400: "an action the session\'s state doesn\'t allow (the message says which)"', async () => {
    const id = await prepare()
    const refused = await asShop(`/session/${id}/prompt`, { body: { prompt: 'hi' } })
    expectReadable(refused, 400)
    await asShop(`/session/${id}/approve`, { body: {} })
    const twice = await asShop(`/session/${id}/approve`, { body: {} })
    expectReadable(twice, 400)
    expect(twice.text).not.toBe(refused.text)
    await asShop(`/session/${id}/close`, { body: {} })
  })

  // FC-02 a
  it('401 not_paired: "The page has no valid grant token"', async () => {
    for (const path of ['/session/prepare', '/embed', '/nope'])
      expectReadable(await asShop(path, { token: 'wrong', body: { texts: ['a'] } }), 401, 'not_paired')
  })

  // FC-02 b
  it('a connected page reads what was wrong with its JSON', async () => {
    for (const path of ['/embed', '/session/prepare', '/connect/claim']) {
      const answer = await asShop(path, { raw: '{"texts":' })
      expectReadable(answer, 400)
      expect(answer.json).toEqual({ error: 'Invalid JSON body' })
    }
  })

  it('403: "Wrong Host or Origin, or a route this caller may not use"', async () => {
    expectReadable(await asShop('/webmcp/mcp', { body: {} }), 403)
    expectReadable(await asShop('/connect/abc/state'), 403)
    expectReadable(await asShop('/connect/abc/decide', { body: { allow: true } }), 403)
    expect((await asShop('/health', { headers: [['Host', 'evil.example']] })).json).toEqual({
      error: 'host not allowed',
    })
    expect((await test.call('/health', { origin: 'null' })).json).toEqual({ error: 'origin not allowed' })
  })

  // FC-02 c, d
  it('404: "Unknown route, unknown pairing request, or a session this origin doesn\'t own"', async () => {
    expectReadable(await asShop('/nope'), 404)
    expectReadable(await asShop('/health', { method: 'POST', body: {} }), 404)
    expectReadable(await asShop('/session/none/prompt', { body: { prompt: 'hi' } }), 404)
    const mine = await prepare()
    const evil = await test.connect(EVIL)
    const foreign = await test.call(`/session/${mine}`, { origin: EVIL, token: evil })
    const unknown = await test.call('/session/none', { origin: EVIL, token: evil })
    expect([foreign.status, foreign.text]).toEqual([unknown.status, unknown.text])
    await asShop(`/session/${mine}/close`, { body: {} })
    await using app = await openTestEngine({ mode: 'app', adminToken: ADMIN })
    await app.call('/admin/pairing/link', { token: ADMIN, body: { origin: SHOP, nonce: freshNonce() } })
    expectReadable(await app.call('/connect/claim', { origin: SHOP, body: { nonce: freshNonce() } }), 404)
  })

  it('410: "The pairing request expired before the visitor decided"', async () => {
    const answer = await test.call('/connect/none/decide', { origin: test.engine.url, body: { allow: true } })
    expect(answer).toMatchObject({ status: 410, json: { error: A_TEXT } })
  })

  it('429: "the visitor said no to this site less than 30 s ago"', async () => {
    const origin = 'https://refused.example'
    const asked = new Promise<string>((resolve) => {
      test.engine.subscribe(
        (event) => event.event === 'pairing' && event.origin === origin && resolve(event.approveUrl),
      )
    })
    const claimed = test.call('/connect/claim', { origin, body: { nonce: freshNonce() } })
    const url = new URL(await asked)
    const body = { allow: false, key: url.searchParams.get('key') }
    await test.call(`${url.pathname}/decide`, { origin: test.engine.url, body })
    await claimed
    const answer = await test.call('/connect/claim', { origin, body: { nonce: freshNonce() } })
    expect(answer).toMatchObject({ status: 429, json: { error: A_TEXT } })
    expect(answer.headers['access-control-allow-origin']).toBe(origin)
  })

  it('429: "Too many pending pairing requests (20)"', async () => {
    await using full = await openTestEngine()
    const claims = Array.from({ length: 20 }, (_, site) =>
      full.call('/connect/claim', { origin: `https://s${site}.example`, body: { nonce: freshNonce() } }),
    )
    await expect.poll(() => full.events.length).toBe(20)
    expectReadable(await full.call('/connect/claim', { origin: SHOP, body: { nonce: freshNonce() } }), 429)
    await full.engine.close()
    await Promise.allSettled(claims)
  })

  it.each<{ row: string; code: ErrorCode; status: number; shown?: string }>([
    { row: '502: "The local embedding service failed"', code: 'embedder_failed', status: 502 },
    {
      row: '503 no_embedder: "No local embedding model is available"',
      code: 'no_embedder',
      status: 503,
      shown: 'no_embedder',
    },
    { row: '413: larger than the page allows (additive)', code: 'too_large', status: 413 },
  ])('$row: whichever part says so', async ({ code, status, shown }) => {
    expectReadable(await failWith(new EngineError(code, 'Plain words.')), status, shown)
  })

  // FC-02 e
  it('500: "Unexpected engine error": with an id for the log, and nothing of what went wrong', async () => {
    const before = test.warnings.length
    const answer = await failWith(new Error('/home/me/secret: no such file'))
    expectReadable(answer, 500, 'internal_error')
    expect(answer.text).not.toContain('secret')
    const id = /\(([0-9a-f-]{36})\)/.exec(answer.text)?.[1] ?? 'no id'
    const logged = test.warnings.slice(before).join('\n')
    expect(logged).toContain(id)
    expect(logged).toContain('/home/me/secret')
  })
})
