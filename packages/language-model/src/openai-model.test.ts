import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AgentError } from '@leuria/agent'
import { systemClock } from '@leuria/clock'
import { fakeClock, type ModelStep, type ScriptedModelServer, scriptedModelServer, settle } from '@leuria/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { type ChatRequest, createOpenAiModel, type ModelPart, type OpenAiModelOptions } from './index.js'

let server: ScriptedModelServer | undefined
let plain: Server | undefined
afterEach(async () => {
  await server?.close()
  plain?.closeAllConnections()
  plain?.close()
  server = plain = undefined
})

const REQUEST: ChatRequest = {
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
  tools: [],
  toolChoice: 'auto',
}

const modelAt = (baseUrl: string, more: Partial<OpenAiModelOptions> = {}) =>
  createOpenAiModel({ baseUrl, model: 'm', serviceName: 'U', clock: systemClock, ...more })

async function collect(parts: AsyncIterable<readonly ModelPart[]>): Promise<ModelPart[]> {
  const all: ModelPart[] = []
  for await (const batch of parts) all.push(...batch)
  return all
}

const never = new AbortController().signal
const fail = (status: number, body?: unknown, headers?: Record<string, string>): ModelStep[] => [
  { fail: { status, body, headers } },
]

/** Moves time on until `work` is done. */
async function inFastTime<T>(clock: ReturnType<typeof fakeClock>, work: Promise<T>): Promise<T> {
  const state = { done: false }
  const watched = work.finally(() => (state.done = true))
  watched.catch(() => undefined)
  for (let rounds = 0; !state.done && rounds < 2_000; rounds += 1) {
    await settle()
    await clock.advanceAsync(250)
  }
  return watched
}

async function play(answers: ModelStep[][], request = REQUEST, more: Partial<OpenAiModelOptions> = {}) {
  server = await scriptedModelServer({ answers, strict: false })
  const clock = fakeClock()
  const parts = await inFastTime(clock, collect(modelAt(server.url, { clock, ...more }).stream(request, never)))
  return { parts, clock }
}

async function failure(answers: ModelStep[][], more: Partial<OpenAiModelOptions> = {}): Promise<AgentError> {
  const error: unknown = await play(answers, REQUEST, more).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof AgentError)) throw new Error('It should have failed with an AgentError.')
  return error
}

async function serve(handler: Parameters<typeof createServer>[1]): Promise<string> {
  const http = createServer({}, handler)
  plain = http
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`
}

describe('trying again', () => {
  it('gets past a 429 and a 500 before the first token, and says so', async () => {
    const { parts } = await play([fail(429, undefined, { 'retry-after': '1' }), fail(500), [{ say: 'Hi' }]])
    expect(parts.map(({ type }) => type)).toEqual(['status', 'status', 'text', 'usage', 'finish'])
    expect(parts[0]).toEqual({ type: 'status', text: 'U is busy. Trying again in 1 s.' })
    expect(server?.exchanges).toHaveLength(3)
  })

  it('gives up after three', async () => {
    const error = await failure([fail(500), fail(502, '<html>Bad Gateway</html>'), fail(503)])
    expect(error).toMatchObject({ code: 'failed', message: 'U has trouble of its own (status 503): scripted failure' })
    expect(server?.exchanges).toHaveLength(3)
  })

  it('does not wait longer than is sensible', async () => {
    const error = await failure([fail(429, { error: { message: 'Try tomorrow' } }, { 'retry-after': '86400' })])
    expect(error).toMatchObject({ code: 'rate_limited', message: expect.stringContaining('Try tomorrow') as string })
    expect(server?.exchanges).toHaveLength(1)
  })

  it('waits while a model is read from disk', async () => {
    const loading = fail(503, { error: { message: 'Loading model', code: 503 } })
    const { parts, clock } = await play([...Array.from({ length: 40 }, () => loading), [{ say: 'Ready.' }]])
    expect(parts.at(0)).toEqual({ type: 'status', text: 'U is loading the model.' })
    expect(parts).toContainEqual({ type: 'text', text: 'Ready.' })
    expect(clock.now()).toBeGreaterThanOrEqual(40_000)
  })

  it('stops waiting at abort', async () => {
    server = await scriptedModelServer({ answers: [fail(500)] })
    const cancel = new AbortController()
    const parts: ModelPart[] = []
    for await (const batch of modelAt(server.url, { clock: fakeClock() }).stream(REQUEST, cancel.signal)) {
      parts.push(...batch)
      cancel.abort()
    }
    expect(parts).toHaveLength(1)
  })

  it('tries once more, soon, when nobody listens', async () => {
    server = await scriptedModelServer()
    const { url, port } = server
    await server.close()
    const clock = fakeClock()
    const error: unknown = await inFastTime(clock, collect(modelAt(url, { clock }).stream(REQUEST, never))).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject({ code: 'unavailable', message: "U isn't running, or doesn't listen at its address." })
    const parts = modelAt(url, { clock }).stream(REQUEST, never)[Symbol.asyncIterator]()
    await parts.next()
    server = await scriptedModelServer({ port })
    const back = (async () => {
      for (let next = await parts.next(); next.done !== true; next = await parts.next())
        if (next.value[0]?.type === 'text') return next.value[0].text
      return ''
    })()
    expect(await inFastTime(clock, back)).toBe('OK')
  })
})

describe('waiting', () => {
  it('has no limit of 300 s before the first token or between two', async () => {
    server = await scriptedModelServer({ answers: ['by_hand'] })
    const clock = fakeClock()
    const done = collect(modelAt(server.url, { clock }).stream(REQUEST, never))
    const exchange = await server.exchange(1)
    await settle()
    await clock.advanceAsync(25 * 60_000)
    await exchange.write('data: {"choices":[{"index":0,"delta":{"content":"Slow"}}]}\n\n')
    await clock.advanceAsync(25 * 60_000)
    await exchange.write('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')
    expect(await done).toContainEqual({ type: 'text', text: 'Slow' })
  })

  it('ends when nothing came for half an hour', async () => {
    server = await scriptedModelServer({ answers: ['by_hand'] })
    const clock = fakeClock()
    const done = collect(modelAt(server.url, { clock }).stream(REQUEST, never)).catch((error: unknown) => error)
    const exchange = await server.exchange(1)
    await exchange.write(': hello\n\n')
    while (clock.pending === 0) await settle()
    await clock.advanceAsync(29 * 60_000)
    expect(exchange.closedEarly).toBe(false)
    await clock.advanceAsync(60 * 60_000)
    expect(await done).toMatchObject({ code: 'timed_out' })
    await exchange.closed
  })

  it('closes the connection at once when it is aborted before any reply', async () => {
    server = await scriptedModelServer({ answers: ['by_hand'] })
    const cancel = new AbortController()
    const done = collect(modelAt(server.url).stream(REQUEST, cancel.signal))
    const exchange = await server.exchange(1)
    cancel.abort()
    expect(await done).toEqual([])
    await exchange.closed
    expect(exchange.closedEarly).toBe(true)
  })

  it('keeps a connection for the next answer', async () => {
    const ports = new Set<number | undefined>()
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort)
      response.end(
        'data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      )
    })
    for (let count = 0; count < 3; count += 1) {
      await collect(modelAt(url).stream(REQUEST, never))
      await settle()
    }
    expect(ports.size).toBe(1)
  })

  it('sends a request again that met a connection closed in the same moment', async () => {
    let requests = 0
    const url = await serve((request, response) => {
      requests += 1
      if (requests === 2) {
        request.socket.destroy()
        return
      }
      response.end(
        'data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      )
    })
    await collect(modelAt(url).stream(REQUEST, never))
    await settle()
    expect(await collect(modelAt(url).stream(REQUEST, never))).toContainEqual({ type: 'text', text: 'Hi' })
    expect(requests).toBe(3)
  })
})

describe('limits', () => {
  it('refuses an event without an end', async () => {
    const url = await serve((_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        response.once('drain', more)
      }
      response.write('data: {"choices":[{"index":0,"delta":{"content":"')
      more()
    })
    await expect(collect(modelAt(url).stream(REQUEST, never))).rejects.toThrow(
      'U sent more at once than any answer has.',
    )
  })

  it.each([
    ['an event', (json: string) => `data: ${json}\n\n`],
    ['a body', (json: string) => json],
  ])('refuses %s of nothing but brackets before it parses them', async (_name, frame) => {
    const reply = (parts: number): string =>
      frame(`{"ignored":[${'[],'.repeat(parts - 2)}0],"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}`)
    const answer = async (parts: number) => {
      const url = await serve((_request, response) => response.end(reply(parts)))
      return collect(modelAt(url).stream(REQUEST, never))
    }
    // Three more are the choices.
    expect(await answer(50_000 - 3)).toContainEqual({ type: 'text', text: 'Hi' })
    await expect(answer(50_001 - 3)).rejects.toThrow("U sent something that isn't an answer")
  })

  it('takes an event of 3 MB', async () => {
    const text = 'x'.repeat(3_000_000)
    const { parts } = await play([[{ say: text }]])
    expect(parts[0]).toEqual({ type: 'text', text })
  })
})

describe('errors in plain words', () => {
  it.each<[number, unknown, string, string]>([
    [
      401,
      { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } },
      'signed_out',
      'U refused the API key: Incorrect API key provided',
    ],
    [403, {}, 'signed_out', 'U refused the API key.'],
    [
      404,
      { error: { message: 'model "m" not found' } },
      'model_missing',
      `U doesn't have the model m, or its address is wrong: model "m" not found`,
    ],
    [402, 'pay up', 'failed', 'U asks to be paid first: pay up'],
    [413, {}, 'too_long', 'The conversation is longer than m can take.'],
    [400, { error: 'just words' }, 'failed', 'U refused the request (status 400): just words'],
    [400, { detail: [{ msg: 'field required' }] }, 'failed', 'U refused the request (status 400): field required'],
    [
      400,
      { error: { message: 'maximum context length is 4096 tokens' } },
      'too_long',
      'The conversation is longer than m can take: maximum context length is 4096 tokens',
    ],
    [302, '', 'failed', 'U sends requests on to another address; save that address instead.'],
    [418, '\u0000\u0007tea\npot', 'failed', 'U refused the request (status 418): tea pot'],
  ])('%d %j', async (...[status, body, code, message]) => {
    expect(await failure([fail(status, body)])).toMatchObject({ code, message })
    expect(server?.exchanges).toHaveLength(1)
  })

  it('never shows the key or a secret header, even if the service repeats them', async () => {
    const body = { error: { message: 'Bad key sk-secret-1 with tenant tenant-secret-2' } }
    const error = await failure([fail(401, body)], {
      apiKey: 'sk-secret-1',
      headers: { 'x-tenant': 'tenant-secret-2' },
    })
    expect(error.message).toBe('U refused the API key: Bad key [key] with tenant [key]')
    expect(server?.exchanges[0]?.headers).toMatchObject({
      authorization: 'Bearer sk-secret-1',
      'x-tenant': 'tenant-secret-2',
    })
  })

  it('shortens what the service says', async () => {
    const error = await failure([fail(400, { error: { message: 'x'.repeat(5_000) } })])
    expect(error.message.length).toBeLessThan(400)
  })

  it('never follows a redirect', async () => {
    let asked = 0
    const url = await serve((_request, response) => {
      asked += 1
      response.writeHead(307, { location: '/elsewhere' }).end()
    })
    await expect(collect(modelAt(url, { apiKey: 'k' }).stream(REQUEST, never))).rejects.toThrow('sends requests on')
    expect(asked).toBe(1)
  })

  it('says that a service without TLS cannot be reached over https', async () => {
    const url = await serve((_request, response) => response.end())
    const error: unknown = await collect(modelAt(url.replace('http:', 'https:')).stream(REQUEST, never)).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('No secure connection to U') as string,
    })
  })
})

describe('what a server does not take', () => {
  const tool = { name: 'get_cart', description: '', inputSchema: { type: 'object' } }
  const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const

  it.each<[string, string, ChatRequest, string, OpenAiModelOptions['facts']]>([
    ['stream_options', 'Unknown field: stream_options', REQUEST, 'stream_options', {}],
    ['tools', 'm does not support tools', { ...REQUEST, tools: [tool] }, 'tools', {}],
    ['tools', '"auto" tool choice requires --enable-auto-tool-choice', { ...REQUEST, tools: [tool] }, 'tools', {}],
    ['tool_choice', 'tool_choice is not allowed', { ...REQUEST, tools: [tool], toolChoice: 'none' }, 'tool_choice', {}],
    [
      'images',
      'image input is not supported',
      { ...REQUEST, messages: [{ role: 'user', parts: [image] }] },
      'image_url',
      { images: true },
    ],
  ])('is left out from then on: %s', async (...[, message, request, field, facts]) => {
    server = await scriptedModelServer({ answers: [fail(400, { error: { message } })], strict: false })
    const model = modelAt(server.url, { facts })
    expect(await collect(model.stream(request, never))).toContainEqual({ type: 'text', text: 'OK' })
    await collect(model.stream(request, never))
    expect(server.exchanges.map(({ body }) => JSON.stringify(body).includes(`"${field}"`))).toEqual([
      true,
      false,
      false,
    ])
    expect(model.facts.images).toBe(false)
  })

  it('says plainly that the model cannot use tools', async () => {
    const { parts } = await play([fail(400, { error: { message: 'm does not support tools' } }), [{ say: 'Hi' }]], {
      ...REQUEST,
      tools: [tool],
    })
    expect(parts[0]).toEqual({ type: 'status', text: "This model can't use the page's tools." })
  })
})
