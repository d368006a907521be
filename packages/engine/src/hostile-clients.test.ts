/** Clients that mean harm with what a socket allows: whole engines stay answering, small, and able to stop. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { fakeClock } from '@leuria/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { EVIL, openTestEngine, SHOP, type TestEngine } from './engine.fixture.js'

const MB = 1024 * 1024
const sockets: Socket[] = []

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** Sends bytes and never closes its own end. */
function hold({ engine }: TestEngine, head: string): Socket {
  const socket = connect({ port: engine.port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => undefined)
  sockets.push(socket)
  socket.write(head.replace('<host>', `127.0.0.1:${engine.port}`))
  return socket
}

const UPGRADE = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'

/** Every kind of request that is over for the engine while the client keeps its connection. */
const HELD: Readonly<Record<string, string>> = {
  'an upgrade that is refused': `GET /nope HTTP/1.1\r\nHost: <host>\r\n${UPGRADE}\r\n`,
  'an upgrade that is refused, with bytes behind it': `GET /nope HTTP/1.1\r\nHost: <host>\r\n${UPGRADE}\r\nmore`,
  'an upgrade with another Host': `GET /webmcp/register HTTP/1.1\r\nHost: evil.example\r\n${UPGRADE}\r\n`,
  'an upgrade with a bad key': `GET /webmcp/register HTTP/1.1\r\nHost: <host>\r\n${UPGRADE}\r\n`,
  'an upgrade to another protocol, of a request that is refused':
    'GET /nope HTTP/1.1\r\nHost: <host>\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
  'something that is not HTTP': 'hello\r\n\r\n',
  'a request with another Host': 'GET /health HTTP/1.1\r\nHost: evil.example\r\n\r\n',
}

describe('a client that never closes its end', () => {
  it.each(Object.keys(HELD))('reads its answer and does not keep the engine from stopping: %s', async (kind) => {
    const test = await openTestEngine()
    const socket = hold(test, HELD[kind] ?? '')
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 4\d\d /)
    await test[Symbol.asyncDispose]()
  })

  it('is closed from both sides once its upgrade is refused', async () => {
    await using test = await openTestEngine()
    const socket = hold(test, HELD['an upgrade that is refused'] ?? '')
    socket.resume()
    await once(socket, 'end')
    // A write into a connection that is closed on the other side brings a reset.
    const failed = new Promise((resolve) => socket.once('close', resolve))
    const timer = setInterval(() => socket.write('x'), 5)
    await failed.finally(() => {
      clearInterval(timer)
    })
  })
})

it('judges the Host of a request with an unknown expectation', async () => {
  await using test = await openTestEngine()
  const headers = [['Expect', 'wonders']] as const
  expect(await test.call('/health', { headers })).toMatchObject({ status: 200 })
  const socket = hold(test, 'GET /health HTTP/1.1\r\nHost: evil.example\r\nExpect: wonders\r\n\r\n')
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 403 /)
})

describe('bodies made to cost more than they weigh', () => {
  const CLAIM = '/connect/claim'
  const repeat = (text: string, bytes: number): string => text.repeat(Math.floor(bytes / text.length))
  const nested = (open: string, close: string): string => repeat(open, 8 * MB) + repeat(close, 8 * MB)

  it.each([
    ['lists in lists', () => nested('[', ']')],
    ['objects in objects', () => repeat('{"a":', 12 * MB)],
    ['empty lists', () => `{"needs":[${repeat('[],', 15 * MB)}0]}`],
    ['empty objects', () => `{"needs":[${repeat('{},', 15 * MB)}0]}`],
    ['lists behind a text with a quote', () => `{"a":${JSON.stringify('"\\')},"needs":[${repeat('[],', 15 * MB)}0]}`],
  ])('refuses %s before it parses them', async (_name, raw) => {
    await using test = await openTestEngine()
    const answer = await test.call(CLAIM, { origin: EVIL, raw: raw() })
    expect(answer).toMatchObject({ status: 400, json: { error: 'The body has more than 50000 objects and lists.' } })
  })

  it('takes 50000 objects and lists, and refuses one more', async () => {
    await using test = await openTestEngine()
    const token = await test.connect()
    const body = (parts: number): string => `{"ignored":[${'[],'.repeat(parts - 2)}"x"]}`
    const prepare = (raw: string) => test.call('/session/prepare', { origin: SHOP, token, raw })
    expect(await prepare(body(50_000))).toMatchObject({ status: 201 })
    expect(await prepare(body(50_001))).toMatchObject({ status: 400 })
  })

  it('counts no brackets inside texts, whatever is escaped in them', async () => {
    await using test = await openTestEngine()
    const token = await test.connect()
    for (const prompt of ['[{'.repeat(60_000), '"[\\{'.repeat(60_000), '\\"['.repeat(60_000), '\\\\['.repeat(60_000)]) {
      const prepared = await test.call('/session/prepare', { origin: SHOP, token, body: { prompt } })
      expect(prepared.status).toBe(201)
    }
  })

  it('holds a body of tiny chunks in little more than its own size', async () => {
    await using test = await openTestEngine()
    const before = process.memoryUsage().rss
    const chunks = 500_000
    const head = `POST ${CLAIM} HTTP/1.1\r\nHost: <host>\r\nOrigin: ${EVIL}\r\nTransfer-Encoding: chunked\r\n\r\n`
    const socket = hold(test, head)
    const block = '1\r\n \r\n'.repeat(10_000)
    for (let sent = 0; sent < chunks; sent += 10_000) if (!socket.write(block)) await once(socket, 'drain')
    const answered = once(socket, 'data') as Promise<[Buffer]>
    socket.write('0\r\n\r\n')
    expect(String((await answered)[0])).toMatch(/^HTTP\/1\.1 400 /)
    // As a list of chunks they took over 150 MB.
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * MB)
  })

  it('has room for so many large bodies at once, and always for small ones', async () => {
    const clock = fakeClock()
    await using test = await openTestEngine({ clock })
    const head = `POST ${CLAIM} HTTP/1.1\r\nHost: <host>\r\nOrigin: ${EVIL}\r\nContent-Length: ${16 * MB}\r\n\r\n`
    const most = Buffer.alloc(9 * MB, ' ')
    const held = Array.from({ length: 20 }, () => hold(test, head))
    const refused: string[] = []
    for (const socket of held) {
      socket.on('data', (answer) => refused.push(String(answer)))
      socket.write(most)
    }
    const large = { origin: EVIL, raw: most }
    const answersSoFar = (): number => {
      // The engine waits for the end of what it refuses, but not for ever.
      clock.advance(10_000)
      return refused.length
    }
    await expect.poll(answersSoFar, { timeout: 20_000 }).toBe(4)
    expect(await test.call(CLAIM, large)).toMatchObject({ status: 429, json: { retryAfterS: 1 } })
    expect(await test.call(CLAIM, { origin: EVIL, raw: ' '.repeat(60_000) })).toMatchObject({ status: 400 })
    for (const socket of held) socket.destroy()
    await expect.poll(async () => (await test.call(CLAIM, large)).status, { timeout: 20_000 }).toBe(400)
  })
})
