/** Bad input at every door: the page's status, a readable error, CORS where the page may read it, and a living engine. */
import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestEngine, SHOP, type TestEngine } from './engine.fixture.js'

const A_TEXT: unknown = expect.any(String)

let test: TestEngine
let token: string

beforeAll(async () => {
  test = await openTestEngine()
  token = await test.connect()
})
afterAll(() => test[Symbol.asyncDispose]())

const POSTS = [
  '/connect/claim',
  '/session/prepare',
  '/session/none/prompt',
  '/session/none/approve',
  '/session/none/cancel-turn',
  '/session/none/cancel',
  '/session/none/close',
]

describe('bodies that are no objects', () => {
  it.each(POSTS.flatMap((path) => ['null', '[]', '7', '"text"', 'true'].map((raw) => [path, raw] as const)))(
    '%s answers %s with 400',
    async (path, raw) => {
      const answer = await test.call(path, { origin: SHOP, token, raw })
      expect(answer).toMatchObject({ status: 400, json: { error: A_TEXT } })
      expect(answer.headers['access-control-allow-origin']).toBe(SHOP)
    },
  )

  it.each(POSTS)("%s answers invalid JSON with the page's words", async (path) => {
    for (const raw of ['{"texts":', '\u0000', '{', "{'a':1}", Buffer.from([0xff, 0xfe, 0x7b])]) {
      const answer = await test.call(path, { origin: SHOP, token, raw })
      expect(answer).toMatchObject({ status: 400, json: { error: 'Invalid JSON body' } })
    }
  })
})

describe('bodies that are too large', () => {
  const text = (bytes: number): string => `{"prompt":"${'a'.repeat(bytes - '{"prompt":""}'.length)}"}`
  const LIMIT = 16 * 1024 * 1024

  it('takes 16 MB', async () => {
    const answer = await test.call('/session/prepare', { origin: SHOP, token, raw: text(LIMIT) })
    expect(answer.status).toBe(201)
  })

  it.each(['with its length', 'in chunks'])(
    'answers 413 to one byte more, sent %s, and the answer arrives',
    async (how) => {
      const chunked = how === 'in chunks' ? ([['Transfer-Encoding', 'chunked']] as const) : []
      for (const bytes of [LIMIT + 1, 17 * 1024 * 1024]) {
        const answer = await test.call('/session/prepare', { origin: SHOP, token, raw: text(bytes), headers: chunked })
        expect(answer).toMatchObject({ status: 413, json: { error: A_TEXT } })
        expect(answer.headers['access-control-allow-origin']).toBe(SHOP)
      }
    },
  )
})

/** Sends bytes as they are; resolves with what came back when the connection ends. */
function sendBytes(bytes: Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(test.engine.port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString()))
    socket.on('close', () => {
      resolve(text)
    })
    socket.on('error', () => undefined)
    socket.end(bytes)
  })
}

describe('requests that are no requests', () => {
  it('survives random bytes as a request target, for requests and upgrades', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), fc.boolean(), async (target, upgrade) => {
        const extra = upgrade
          ? 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n'
          : 'Connection: close\r\n'
        const head = Buffer.concat([
          Buffer.from('GET /'),
          target,
          Buffer.from(` HTTP/1.1\r\nHost: 127.0.0.1:${test.engine.port}\r\n${extra}\r\n`),
        ])
        const answer = await sendBytes(head)
        expect(answer === '' || /^HTTP\/1\.1 [2-5]\d\d /.test(answer)).toBe(true)
      }),
      { numRuns: 100 },
    )
    expect((await test.call('/health')).status).toBe(200)
  })

  it.each([
    '//',
    '///',
    '/\\',
    '//evil.example/',
    '/%',
    '/%00',
    '/?%',
    'http://evil.example/health',
    'health',
    '*',
    '/session/%2e%2e/health',
    '/session//stream',
  ])('answers the target %s readably and goes on', async (target) => {
    const answer = await sendBytes(
      Buffer.from(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${test.engine.port}\r\nConnection: close\r\n\r\n`),
    )
    expect(answer).toMatch(/^HTTP\/1\.1 (400|403|404) [^]*\{"error":/)
    expect((await test.call('/health')).status).toBe(200)
  })

  it('answers what is not HTTP with 400', async () => {
    expect(await sendBytes(Buffer.from('hello there\r\n\r\n'))).toMatch(/^HTTP\/1\.1 400 /)
  })
})

it('has nothing to report after all that', () => {
  expect(test.warnings).toEqual([])
})
