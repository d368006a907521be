/** The protocol page's Conventions, sentence by sentence, on a whole engine over HTTP. Each test is named by its sentence. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { EVIL, freshNonce, openTestEngine, SHOP, type TestEngine } from './engine.fixture.js'
import { createEngine, ListenError } from './index.js'
import { askUpgrade } from './upgrade.fixture.js'

const A_TEXT: unknown = expect.any(String)
const ADMIN = 'admin-token-of-at-least-32-characters'
/** Every route of the page, and paths that are none. */
const ROUTES = [
  '/health',
  '/connect/claim',
  '/connect/abc',
  '/connect/abc/state',
  '/connect/abc/decide',
  '/session/prepare',
  '/session/a/stream',
  '/session/a/prompt',
  '/embed',
  '/webmcp/mcp',
  '/admin/status',
  '/nope',
  '/',
]
/** Routes that need a grant token (Sessions, Page tools, Embeddings), and no route at all. */
const PAIRED: readonly (readonly [string, string])[] = [
  ['POST', '/session/prepare'],
  ['GET', '/session/a'],
  ['GET', '/session/a/stream'],
  ['POST', '/session/a/approve'],
  ['POST', '/session/a/prompt'],
  ['POST', '/session/a/cancel-turn'],
  ['POST', '/session/a/cancel'],
  ['POST', '/session/a/close'],
  ['POST', '/embed'],
  ['POST', '/connect'],
  ['GET', '/nope'],
]

/** The command line's engine, which answers every origin, with a connected shop. */
let page: TestEngine
let token: string
/** The desktop app's engine, which is silent to origins it doesn't know. */
let app: TestEngine

beforeAll(async () => {
  page = await openTestEngine()
  token = await page.connect()
  app = await openTestEngine({ mode: 'app', adminToken: ADMIN })
})
afterAll(async () => {
  await page[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
})

const corsOf = (headers: object): string[] => Object.keys(headers).filter((name) => name.startsWith('access-control'))

describe('Base URL', () => {
  let home = ''
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'leuria-base-url-'))
  })
  afterEach(() => rm(home, { recursive: true, force: true }))

  /** The port that an engine takes when it isn't told one, whether or not the port is free here. */
  async function chosenPort(): Promise<number> {
    try {
      const engine = await createEngine({ home })
      await engine.close()
      return engine.port
    } catch (error) {
      if (error instanceof ListenError) return error.port
      throw error
    }
  }

  it('"http://127.0.0.1:19570 by default"', async () => {
    expect(await chosenPort()).toBe(19570)
    expect(page.engine.url).toBe(`http://127.0.0.1:${page.engine.port}`)
  })

  // --port and LEURIA_PORT are the command line's: apps/cli/e2e/start.test.ts.
  it('"The visitor can change the port with … ~/.leuria/config.json"', async () => {
    const held = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => held.once('listening', resolve))
    const address = held.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    await writeFile(join(home, 'config.json'), JSON.stringify({ version: 1, port }))
    expect(await chosenPort()).toBe(port)
    await new Promise((resolve) => held.close(resolve))
  })

  it('"The engine binds to 127.0.0.1 only"', async () => {
    const others = ['127.0.0.2', '::1', ...Object.values(networkInterfaces()).flatMap((list) => list ?? [])].flatMap(
      (one) => (typeof one === 'string' ? one : one.internal ? [] : one.address),
    )
    for (const host of others) {
      const reached = await new Promise((resolve) => {
        const socket = connect({ host, port: page.engine.port, timeout: 2_000 })
        const end = (what: string) => () => {
          socket.destroy()
          resolve(what)
        }
        socket.on('connect', end('connected')).on('error', end('refused')).on('timeout', end('refused'))
      })
      expect([host, reached]).toEqual([host, 'refused'])
    }
  })
})

// FC-03
describe('Host', () => {
  const port = (): number => page.engine.port

  it.each(['127.0.0.1', 'localhost'])(
    '"Every request must carry Host: 127.0.0.1:<port> or … localhost:<port>": %s',
    async (name) => {
      const host = `${name}:${port()}`
      expect((await page.call('/health', { headers: [['Host', host]] })).status).toBe(200)
      // Judged by origin, and by nothing else.
      expect((await askUpgrade(port(), '/webmcp/register', { host, origin: SHOP })).status).toBe(101)
      expect((await askUpgrade(port(), '/webmcp/register', { host, origin: EVIL })).status).toBe(403)
    },
  )

  it.each([
    'evil.example:PORT',
    'localhost.evil.example:PORT',
    '127.0.0.1.evil.example:PORT',
    'localhost',
    '127.0.0.1',
    '127.0.0.1:1',
    '127.0.0.1:0PORT',
    'localhost.:PORT',
    'LOCALHOST:PORT',
    '[::1]:PORT',
    '0.0.0.0:PORT',
    '127.1:PORT',
    'user@127.0.0.1:PORT',
    '127.0.0.1:PORT,evil.example',
    '',
  ])('"This blocks DNS rebinding. Any other host gets 403 { "error": "host not allowed" }": %j', async (form) => {
    const host = form.replace('PORT', String(port()))
    const refused = await page.call('/health', { headers: [['Host', host]] })
    expect(refused).toMatchObject({ status: 403, json: { error: 'host not allowed' } })
    // Whoever asks, and whatever for: a connected page, its preflight, a program with the admin token.
    const asked = { origin: SHOP, token, headers: [['Host', host]] } as const
    expect(await page.call('/session/prepare', { ...asked, body: {} })).toMatchObject({ status: 403 })
    expect(await page.call('/session/prepare', { ...asked, method: 'OPTIONS' })).toMatchObject({ status: 403 })
    expect(corsOf((await page.call('/health', asked)).headers)).toEqual([])
    const upgraded = await askUpgrade(port(), '/webmcp/register', { host, origin: SHOP })
    expect(upgraded).toMatchObject({ status: 403, text: expect.stringContaining('host not allowed') as unknown })
  })

  it('… two Host headers, and none at all', async () => {
    const own: readonly [string, string] = ['Host', `127.0.0.1:${port()}`]
    for (const second of [own, ['Host', 'evil.example']] as const) {
      expect((await page.call('/health', { headers: [own, second] })).status).toBe(403)
      const two = { headers: [second], origin: SHOP }
      expect((await askUpgrade(port(), '/webmcp/register', two)).status).toBe(403)
    }
    const bare = await new Promise<string>((resolve) => {
      const socket = connect(port(), '127.0.0.1')
      let text = ''
      socket
        .on('data', (chunk) => (text += chunk.toString()))
        .on('close', () => {
          resolve(text)
        })
      socket.end('GET /health HTTP/1.1\r\nConnection: close\r\n\r\n')
    })
    expect(bare).toMatch(/^HTTP\/1\.1 403 [^]*"host not allowed"/)
  })
})

describe('Callers', () => {
  it('"Web page: an http: or https: Origin … everything else with its grant token"', async () => {
    for (const origin of ['http://shop.example', 'https://shop.example:8443', 'http://localhost:3000'])
      expect((await page.call('/health', { origin })).json).toMatchObject({ paired: false })
    expect((await page.call('/session/prepare', { origin: SHOP, token, body: {} })).status).toBe(201)
    expect((await page.call('/session/prepare', { origin: SHOP, body: {} })).status).toBe(401)
    expect((await page.call('/webmcp/mcp', { origin: SHOP, token, body: {} })).status).toBe(403)
  })

  it('"Engine\'s own page … /health and /connect/* … Anything else is 403"', async () => {
    for (const origin of [page.engine.url, `http://localhost:${page.engine.port}`]) {
      expect((await page.call('/health', { origin })).status).toBe(200)
      expect((await page.call('/connect/unknown', { origin })).status).toBe(404)
      for (const [method, path] of [...PAIRED, ['POST', '/webmcp/mcp'], ['GET', '/admin/status']] as const) {
        if (path === '/connect') continue
        expect([path, (await page.call(path, { method, origin, token })).status]).toEqual([path, 403])
      }
      expect((await askUpgrade(page.engine.port, '/webmcp/register', { origin })).status).toBe(403)
    }
  })

  it('"The desktop app: its webview\'s origin … and the admin token: the admin API under /admin/"', async () => {
    for (const origin of ['tauri://localhost', 'http://tauri.localhost', 'https://tauri.localhost']) {
      expect((await app.call('/admin/status', { origin, token: ADMIN })).status).toBe(200)
      expect((await app.call('/admin/status', { origin })).status).toBe(401)
      expect(await app.call('/session/prepare', { origin, token: ADMIN, body: {} })).toMatchObject({ status: 403 })
    }
  })

  it('"Local process: no Origin: everything. It already runs as the visitor" (but for answering and settings)', async () => {
    expect((await page.call('/health')).status).toBe(200)
    expect((await page.call('/session/prepare', { body: {} })).status).toBe(201)
    expect((await page.call('/webmcp/mcp', { body: {} })).status).toBe(401) // the channel token's to open
    expect((await page.call('/connect/abc/decide', { body: { allow: true } })).status).toBe(403)
    expect((await app.call('/admin/sites')).status).toBe(401)
    expect((await app.call('/admin/sites', { token: ADMIN })).status).toBe(200)
  })

  it.each([
    'null',
    'file://',
    'chrome-extension://abcdef',
    'tauri://localhost',
    'ftp://shop.example',
    'shop.example',
    'https://shop.example/path',
    'https://shop.example, https://evil.example',
    'https://user@shop.example',
  ])('"An Origin that is not http: or https: gets 403 { "error": "origin not allowed" }": %s', async (origin) => {
    for (const path of ['/health', '/session/prepare', '/nope'])
      expect(await page.call(path, { origin, token })).toMatchObject({
        status: 403,
        json: { error: 'origin not allowed' },
      })
    expect((await askUpgrade(page.engine.port, '/webmcp/register', { origin })).status).toBe(403)
  })

  it('"Origins are compared in their normalized form: scheme, host and port, lower case"', async () => {
    for (const origin of ['https://shop.example', 'HTTPS://Shop.Example', 'https://shop.example:443']) {
      expect((await page.call('/health', { origin, token })).json).toMatchObject({ paired: true })
      expect((await askUpgrade(page.engine.port, '/webmcp/register', { origin })).status).toBe(101)
    }
    // FC-04b: exactly the origin, never a part of it.
    for (const origin of [
      'http://shop.example',
      'https://shop.example:8443',
      'https://myshop.example',
      'https://shop.example.evil.test',
      'https://www.shop.example',
    ]) {
      expect((await page.call('/health', { origin, token })).json).toMatchObject({ paired: false })
      expect((await askUpgrade(page.engine.port, '/webmcp/register', { origin })).status).toBe(403)
    }
  })
})

describe('Authentication', () => {
  it('"A page sends its grant token as Authorization: Bearer <token>"', async () => {
    const sent = (authorization: string) =>
      page.call('/health', { origin: SHOP, headers: [['Authorization', authorization]] })
    expect((await sent(`Bearer ${token}`)).json).toMatchObject({ paired: true })
    expect((await sent(`bearer ${token}`)).json).toMatchObject({ paired: true })
    for (const other of [token, `Basic ${token}`, `Bearer ${token}x`, `Bearer  ${token} ${token}`, 'Bearer', ''])
      expect((await sent(other)).json).toMatchObject({ paired: false })
    expect((await page.call(`/health?token=${token}`, { origin: SHOP })).json).toMatchObject({ paired: false })
  })

  it.each(PAIRED)(
    '"A page without a valid token gets 401 { error, code: not_paired } on every route that needs one": %s %s',
    async (method, path) => {
      for (const wrong of [undefined, 'wrong', token.slice(0, -1), token.toUpperCase()]) {
        const refused = await page.call(path, { method, origin: SHOP, token: wrong ?? '' })
        expect(refused).toMatchObject({ status: 401, json: { error: A_TEXT, code: 'not_paired' } })
      }
    },
  )
})

describe('Silence', () => {
  const METHODS = ['GET', 'POST', 'OPTIONS', 'DELETE', 'PUT']

  it.each(METHODS)(
    '"A web origin gets an empty 403 with no CORS headers. … This covers every route, /health and preflight requests included": %s',
    async (method) => {
      for (const path of ROUTES) {
        const answer = await app.call(path, { method, origin: EVIL, token: ADMIN })
        expect([path, answer.status, answer.text, corsOf(answer.headers)]).toEqual([path, 403, '', []])
        expect(answer.headers).not.toHaveProperty('content-type')
      }
    },
  )

  it('… upgrades, sandboxed pages and malformed requests too', async () => {
    for (const path of ['/webmcp/register', '/webmcp/channel/a?token=b', '/nope'])
      expect((await askUpgrade(app.engine.port, path, { origin: EVIL })).text).toMatch(
        /^HTTP\/1\.1 403 [^]*content-length: 0\r\n\r\n$/,
      )
    for (const origin of ['null', 'file://', 'https://a.example, https://b.example'])
      expect(await app.call('/health', { origin })).toMatchObject({ status: 403, text: '' })
    for (const target of ['//', '/\\x', `/${'a'.repeat(8_000)}`])
      expect(await app.call(target, { origin: EVIL })).toMatchObject({ status: 403, text: '' })
  })

  it('… and a head that is too long, which never reaches the gate, is cut off', async () => {
    const long = `/${'a'.repeat(40_000)}`
    await expect(app.call(long, { origin: EVIL })).rejects.toThrow(/hang up|reset/)
    expect(await page.call(long, { origin: EVIL })).toMatchObject({ status: 400, json: { error: A_TEXT } })
  })

  it('"unless: the visitor connected it (it has a grant), or a leuria://connect link named it and the answer hasn\'t been collected yet"', async () => {
    const silent = (): Promise<number> => app.call('/health', { origin: SHOP }).then(({ status }) => status)
    expect(await silent()).toBe(403)
    const nonce = freshNonce()
    const linked = await app.call('/admin/pairing/link', { token: ADMIN, body: { origin: SHOP, nonce } })
    expect(await silent()).toBe(200) // named
    const { requestId } = linked.json as { requestId: string }
    await app.call(`/admin/pairing/${requestId}`, { token: ADMIN, body: { allow: false } })
    expect(await silent()).toBe(200) // the No hasn't been collected
    await app.call('/connect/claim', { origin: SHOP, body: { nonce } })
    expect(await silent()).toBe(403)
    await app.engine.grants.issue({ origin: SHOP })
    expect(await silent()).toBe(200) // connected
    await app.engine.grants.revoke(SHOP)
    expect(await silent()).toBe(403)
  })

  it('"The CLI engine answers every origin: it can\'t receive links"', async () => {
    for (const origin of [EVIL, 'http://anything.test:81'])
      expect((await page.call('/health', { origin })).headers['access-control-allow-origin']).toBe(origin)
  })

  // What a browser sends without an Origin (issue B, 2). The real browser's part: apps/desktop/e2e.
  it.each([
    ['no-cors', 'empty'],
    ['no-cors', 'image'],
    ['no-cors', 'script'],
    ['navigate', 'document'],
    ['navigate', 'iframe'],
  ])('a browser that sends no Origin (%s, %s) is cut off without an answer', async (mode, destination) => {
    const headers = [
      ['Sec-Fetch-Site', 'cross-site'],
      ['Sec-Fetch-Mode', mode],
      ['Sec-Fetch-Dest', destination],
    ] as const
    for (const path of ROUTES) await expect(app.call(path, { headers })).rejects.toThrow(/hang up|reset/)
    const strange = [...headers, ['Host', 'x.localhost'] as const]
    await expect(app.call('/health', { headers: strange })).rejects.toThrow(/hang up|reset/)
    expect((await askUpgrade(app.engine.port, '/webmcp/register', { headers })).status).toBe(0)
    for (const path of ['/health', '/session/prepare']) expect((await page.call(path, { headers })).status).toBe(403)
  })
})

describe('CORS', () => {
  it('"For web origins it answers, the engine echoes Access-Control-Allow-Origin: <origin>, with Vary: Origin and Access-Control-Allow-Private-Network: true"', async () => {
    for (const path of ROUTES) {
      const { headers } = await page.call(path, { origin: EVIL })
      expect(headers).toMatchObject({
        'access-control-allow-origin': EVIL,
        vary: 'Origin',
        'access-control-allow-private-network': 'true',
      })
      expect(corsOf(headers)).not.toContain('access-control-allow-credentials')
    }
    expect(corsOf((await page.call('/health')).headers)).toEqual([])
  })

  // FC-01
  it.each(['/session/prepare', '/embed', '/connect/claim', '/session/abc/stream', '/webmcp/mcp', '/nope'])(
    '"Preflight requests (OPTIONS) get 204 with Allow-Methods …, Allow-Headers …, Max-Age: 600": %s',
    async (path) => {
      const preflight = await page.call(path, {
        method: 'OPTIONS',
        origin: SHOP,
        headers: [
          ['Access-Control-Request-Method', 'POST'],
          ['Access-Control-Request-Headers', 'authorization,content-type'],
          ['Access-Control-Request-Private-Network', 'true'],
        ],
      })
      expect(preflight).toMatchObject({ status: 204, text: '' })
      expect(preflight.headers).toMatchObject({
        'access-control-allow-origin': SHOP,
        vary: expect.stringContaining('Origin') as unknown,
        'access-control-allow-private-network': 'true',
        'access-control-allow-methods': 'GET, POST, OPTIONS',
        'access-control-allow-headers': expect.stringMatching(/Content-Type.*Authorization/) as unknown,
        'access-control-max-age': '600',
      })
    },
  )
})

// The limit of 16 MB, and every kind of body that isn't one: bad-input.test.ts.
describe('Bodies', () => {
  it('"Requests and responses are JSON (Content-Type: application/json)"', async () => {
    for (const path of ['/health', '/nope', '/session/none'])
      expect((await page.call(path, { origin: SHOP, token })).headers['content-type']).toBe('application/json')
    // Whatever a request calls its body: a page can't make it another thing by a header.
    const headers = [['Content-Type', 'text/plain']] as const
    expect((await page.call('/session/prepare', { origin: SHOP, token, body: {}, headers })).status).toBe(201)
  })

  it('"An empty request body counts as {}"', async () => {
    for (const raw of ['', ' \n']) {
      const prepared = await page.call('/session/prepare', { method: 'POST', origin: SHOP, token, raw })
      expect(prepared).toMatchObject({ status: 201, json: { sessionId: A_TEXT } })
    }
  })

  it('"Invalid JSON gets 400 { "error": "Invalid JSON body" }"', async () => {
    const answer = await page.call('/session/prepare', { origin: SHOP, token, raw: '{"prompt":' })
    expect(answer).toMatchObject({ status: 400, json: { error: 'Invalid JSON body' } })
  })
})
