import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '@leuria/clock'
import { fakeClock, scriptedModelServer, settle } from '@leuria/testing'
import * as fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { type JsonRequest, requestEmbeddings, requestJson } from './index.js'

const undo: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const step of undo.splice(0)) await step()
})

/** Answers every request with these bytes and closes the connection; null: says nothing. */
async function serve(bytes: string | null): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    if (bytes !== null) response.socket?.end(bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  undo.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`
}

const reply = (body: string, status = '200 OK'): string =>
  `HTTP/1.1 ${status}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`

const send = (url: string, more: Partial<JsonRequest> = {}) =>
  requestJson({ url, serviceName: 'Box', clock: systemClock, limitMs: 5_000, ...more })

describe('requestJson', () => {
  it('gets a value', async () => {
    expect(await send(await serve(reply('{"a":"ü"}')))).toEqual({ ok: true, value: { a: 'ü' } })
  })

  it('posts a body, with key and headers', async () => {
    let seen: unknown
    const server = await scriptedModelServer({
      key: 'k',
      routes: ({ method, path, body }) => {
        seen = { method, path, body }
        return { body: null }
      },
    })
    undo.push(() => server.close())
    expect(await send(`${server.url}/x`, { body: { a: 1 }, apiKey: 'k' })).toEqual({ ok: true, value: null })
    expect(seen).toEqual({ method: 'POST', path: '/v1/x', body: { a: 1 } })
  })

  it.each([
    {
      what: 'an error status',
      bytes: reply('{"error":"no"}', '500 X'),
      status: 500,
      code: 'failed',
      words: 'status 500): no',
    },
    {
      what: 'a refused key',
      bytes: reply('{}', '401 X'),
      status: 401,
      code: 'signed_out',
      words: 'Box refused the API key',
    },
    { what: 'a page', bytes: reply('<html>'), status: 200, code: 'failed', words: "isn't a model service" },
    { what: 'a redirect', bytes: reply('', '302 X'), status: 302, code: 'failed', words: 'another address' },
    {
      what: 'a body cut short',
      bytes: 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{',
      status: 0,
      code: 'crashed',
      words: 'closed the connection',
    },
    { what: 'no HTTP', bytes: 'SSH-2.0\r\n\r\n', status: 0, code: 'failed', words: "isn't a model service" },
  ])('tells of $what', async ({ bytes, status, code, words }) => {
    const failed = await send(await serve(bytes))
    expect(failed).toMatchObject({ ok: false, status, error: { code } })
    if (!failed.ok) expect(failed.error.message).toContain(words)
  })

  it('tells when nobody listens, and when the address is none', async () => {
    const url = await serve('')
    for (const step of undo.splice(0)) await step()
    expect(await send(url)).toMatchObject({ ok: false, status: 0, error: { code: 'unavailable' } })
    expect(await send('not an address')).toMatchObject({ ok: false, status: 0, error: { code: 'failed' } })
  })

  it('takes a body as large as allowed, and not a byte more', async () => {
    const url = await serve(reply('"12345678"'))
    expect(await send(url, { maxBytes: 10 })).toMatchObject({ ok: true })
    expect(await send(url, { maxBytes: 9 })).toMatchObject({ ok: false, error: { code: 'failed' } })
  })

  it.each([null, 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{'])(
    'ends when the time is over (%j so far)',
    async (bytes) => {
      const clock = fakeClock()
      const server = createServer((_request, response) => {
        if (bytes !== null) response.socket?.write(bytes)
        clock.advance(1_000)
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      undo.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()))
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
      const failed = await send(url, { clock, limitMs: 1_000 })
      expect(failed).toMatchObject({
        ok: false,
        error: { code: 'timed_out', message: "Box didn't answer within 1 s." },
      })
      expect(clock.pending).toBe(0)
    },
  )

  it('ends at once when it is aborted', async () => {
    const own = new AbortController()
    const pending = send(await serve(null), { signal: own.signal })
    await settle()
    own.abort()
    expect(await pending).toMatchObject({ ok: false, status: 0 })
    expect(await send(await serve(null), { signal: own.signal })).toMatchObject({ ok: false, status: 0 })
  })

  it('never shows the key in what it says', async () => {
    const failed = await send(await serve(reply('{"error":"bad key s3cret"}', '400 X')), { apiKey: 's3cret' })
    expect(JSON.stringify(failed)).not.toContain('s3cret')
  })
})

describe('requestEmbeddings', () => {
  const embed = (body: unknown, texts?: string[]) => embedAs(JSON.stringify(body), texts)
  const embedAs = async (body: string, texts = ['a', 'b']) =>
    requestEmbeddings({
      baseUrl: await serve(reply(body)),
      model: 'm',
      texts,
      serviceName: 'Box',
      clock: systemClock,
      signal: new AbortController().signal,
    })

  it('puts vectors into the order of their texts', async () => {
    const data = [
      { index: 1, embedding: [2] },
      { index: 0, embedding: [1] },
    ]
    expect(await embed({ data })).toEqual([
      { numbers: [1], json: '[1]' },
      { numbers: [2], json: '[2]' },
    ])
  })

  it('gives a vector as JSON in the digits in which it came', async () => {
    const vectors = await embedAs(
      '{"data":[{"embedding" :\n[ 1.50,-2E-3,\t0.1000000000000000055 ]},{"index":1,"embedding":[0]}]}',
    )
    expect(vectors).toEqual([
      { numbers: [1.5, -0.002, 0.1], json: '[ 1.50,-2E-3,\t0.1000000000000000055 ]' },
      { numbers: [0], json: '[0]' },
    ])
  })

  it('never takes for a vector’s JSON what only looks like it', async () => {
    const decoy = fc.constantFrom<unknown>([9], [], '"embedding":[9]', '\\"embedding":[9]', { embedding: [9] }, [[9]])
    const item = fc.record({
      before: fc.option(decoy, { nil: undefined }),
      embedding: fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 3 }),
      after: fc.option(decoy, { nil: undefined }),
    })
    const answer = fc.record({ embedding: decoy, data: fc.tuple(item, item), more: decoy }, { requiredKeys: ['data'] })
    await fc.assert(
      fc.asyncProperty(answer, async (body) => {
        const vectors = await embed(body)
        const sent = body.data.map(({ embedding }) => JSON.parse(JSON.stringify(embedding)) as unknown)
        expect(vectors.map(({ json }) => JSON.parse(json) as unknown)).toEqual(sent)
        expect(vectors.map(({ numbers }) => numbers)).toEqual(sent)
      }),
      { numRuns: 50 },
    )
  })

  it.each([
    [
      'two for one text',
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 0, embedding: [2] },
        ],
      },
    ],
    [
      'a number that fits no text',
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 2, embedding: [2] },
        ],
      },
    ],
    [
      'half a number',
      {
        data: [
          { index: 0.5, embedding: [1] },
          { index: 1, embedding: [2] },
        ],
      },
    ],
    ['too few', { data: [{ index: 0, embedding: [1] }] }],
    ['too many', { data: [1, 2, 3].map((n) => ({ embedding: [n] })) }],
    ['an empty vector', { data: [{ embedding: [] }, { embedding: [1] }] }],
    ['null in a vector', { data: [{ embedding: [null] }, { embedding: [1] }] }],
    ['base64', { data: [{ embedding: 'AAAA' }, { embedding: 'AAAA' }] }],
    ['something else', { data: [1, 2] }],
    ['no list', { vectors: [[1], [2]] }],
    ['null', null],
  ])('refuses %s', async (_name, body) => {
    await expect(embed(body)).rejects.toMatchObject({ code: 'failed' })
  })

  it('says what the service said instead', async () => {
    await expect(embed({ error: { message: 'the model was unloaded' } })).rejects.toThrow('the model was unloaded')
  })
})
