// Clients that offer HTTP/2 with their first request get an ordinary answer, as they do from other servers.
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openTestEngine, SHOP } from '../engine.fixture.js'

/** A connection that says what came back so far and waits for more. */
function connection(port: number) {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  onTestFinished(() => {
    socket.destroy()
  })
  return {
    closed: once(socket, 'close'),
    send: (lines: readonly string[], body = ''): void =>
      void socket.write(
        `${[`${lines[0]} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...lines.slice(1)].join('\r\n')}\r\n\r\n${body}`,
      ),
    /** Resolves with the status of each answer once there are so many. */
    answers: async (count: number): Promise<number[]> => {
      const found = (): number[] => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
      while (found().length < count || !/\}\s*$/.test(text)) await once(socket, 'data')
      return found()
    },
  }
}

/** As Java's `HttpClient` sends it. */
const OFFER = [
  'Connection: Upgrade, HTTP2-Settings',
  'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
  'Upgrade: h2c',
]

describe('an offer to switch to another protocol', () => {
  it.each([
    ['h2c, as Java makes it', OFFER],
    ['websocket beside others', ['Connection: keep-alive, Upgrade', 'Upgrade: websocket, h2c']],
    ['something unknown, in capitals', ['CONNECTION: UPGRADE', 'UPGRADE: TLS/1.0']],
    ['nothing in particular', ['Connection: Upgrade', 'Upgrade: ,']],
  ])('is passed over: %s', async (_name, offer) => {
    await using test = await openTestEngine()
    const { send, answers } = connection(test.engine.port)
    send(['GET /health', ...offer])
    expect(await answers(1)).toEqual([200])
  })

  it('leaves the body and the connection as they are', async () => {
    await using test = await openTestEngine()
    const { send, answers } = connection(test.engine.port)
    const body = JSON.stringify({ prompt: 'Grüße' })
    send(
      [
        'POST /session/prepare',
        ...OFFER,
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(body)}`,
      ],
      body,
    )
    expect(await answers(1)).toEqual([201])
    send(['POST /session/prepare', ...OFFER, 'Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n')
    send(['GET /health'])
    expect(await answers(3)).toEqual([201, 201, 200])
  })

  it('may come with every request of a connection, and piles nothing up', async () => {
    await using test = await openTestEngine()
    const warnings: Error[] = []
    const note = (warning: Error): number => warnings.push(warning)
    process.on('warning', note)
    onTestFinished(() => void process.off('warning', note))
    const { send, answers } = connection(test.engine.port)
    for (let request = 1; request <= 50; request += 1) {
      send(['GET /health', ...OFFER])
      expect((await answers(request)).at(-1)).toBe(200)
    }
    expect(warnings).toEqual([])
  })

  it.each(['/connect/none', '/session/none', '/webmcp/register', '/health', '/nope'])(
    'changes nothing about who may ask for %s',
    async (path) => {
      await using test = await openTestEngine()
      for (const origin of [SHOP, 'null']) {
        const plain = await test.call(path, { origin })
        const { send, answers } = connection(test.engine.port)
        send([`GET ${path}`, `Origin: ${origin}`, ...OFFER])
        expect(await answers(1)).toEqual([plain.status])
      }
    },
  )

  it('behind a request that isn’t answered yet ends the connection, and leaves nothing', async () => {
    await using test = await openTestEngine()
    const { send, closed } = connection(test.engine.port)
    send(['POST /connect/claim', 'Content-Length: 2'], '{}')
    for (let more = 0; more < 3; more += 1) send(['GET /health', ...OFFER])
    await closed
    expect((await test.call('/health')).status).toBe(200)
  })
})
