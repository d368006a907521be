/** Faults that people reported about software of this kind, byte for byte. The ids stand in the comments. */
import { AgentError, type TurnEvent } from '@leuria/agent'
import { systemClock } from '@leuria/clock'
import {
  collectTurn,
  fakeClock,
  type FakePageTools,
  fakePageTools,
  type ModelAnswer,
  type ScriptedModelServer,
  scriptedModelServer,
  settle,
  textOf,
  waitingTool,
} from '@leuria/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { createOpenAiModel, openModelSession } from './index.js'

let server: ScriptedModelServer
afterEach(async () => server.close())

const PAGE_TOOLS = {
  search_products: { inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] } },
  get_cart: {},
}

const DONE = 'data: [DONE]\n\n'
/** Each line as an event of its own: the line, then an empty one. */
const lines = (...data: string[]): string => data.map((line) => `data: ${line}\n\n`).join('')
const delta = (json: string, finish = 'null'): string =>
  `{"id":"x1","object":"chat.completion.chunk","choices":[{"index":0,"delta":${json},"finish_reason":${finish}}]}`
const stop = (reason = 'stop'): string => delta('{}', `"${reason}"`)

async function start(...answers: ModelAnswer[]): Promise<void> {
  server = await scriptedModelServer({ answers })
}

function open(tools: FakePageTools = fakePageTools(PAGE_TOOLS), clock = systemClock) {
  const model = createOpenAiModel({ baseUrl: server.url, model: 'm', serviceName: 'U', clock })
  return openModelSession({ model, tools })
}

const ask = async (session = open(), text = 'hello'): Promise<TurnEvent[]> =>
  collectTurn(session.prompt({ text }, AbortSignal.timeout(20_000)))

const thoughtOf = (events: readonly TurnEvent[]): string =>
  events.map((event) => (event.type === 'thought' ? event.text : '')).join('')

const lastMessages = (): Record<string, unknown>[] =>
  server.exchanges.at(-1)?.body.messages as Record<string, unknown>[]

describe('FC-07: tool calls without index, or all with index 0', () => {
  const opening = (id: string, name: string, args: string): string =>
    `"id":"${id}","type":"function","function":{"name":"${name}","arguments":${JSON.stringify(args)}}`
  const search = (index = ''): string => `{${index}${opening('call_a', 'search_products', '{"query":"blue mug"}')}}`
  const cart = (index = ''): string => `{${index}${opening('call_b', 'get_cart', '{}')}}`
  const finish = [stop('tool_calls'), '[DONE]']
  const A = lines(delta(`{"role":"assistant","tool_calls":[${search()},${cart()}]}`), ...finish)
  const B = lines(
    delta(`{"role":"assistant","tool_calls":[${search('"index":0,')}]}`),
    delta(`{"tool_calls":[${cart('"index":0,')}]}`),
    ...finish,
  )
  const C = lines(
    delta(`{"role":"assistant","tool_calls":[{${opening('call_a', 'search_products', '')}}]}`),
    delta('{"tool_calls":[{"function":{"arguments":"{\\"query\\":"}}]}'),
    delta('{"tool_calls":[{"function":{"arguments":"\\"blue mug\\"}"}}]}'),
    ...finish,
  )
  const both = [
    { name: 'search_products', arguments: { query: 'blue mug' } },
    { name: 'get_cart', arguments: {} },
  ]
  it.each([
    ['A: no index', A, both],
    ['B: index 0 twice', B, both],
    ['C: pieces with neither id nor index', C, both.slice(0, 1)],
  ])('keeps calls apart (%s)', async (_name, bytes, calls) => {
    await start([{ raw: bytes }], [{ say: 'Done.' }])
    const tools = fakePageTools(PAGE_TOOLS)
    await ask(open(tools))
    expect(tools.calls).toMatchObject(calls)
    expect(tools.calls).toHaveLength(calls.length)
    const [, assistant, ...results] = lastMessages()
    const ids = (assistant?.['tool_calls'] as { id: string }[]).map(({ id }) => id)
    expect(ids).toEqual(['call_a', 'call_b'].slice(0, calls.length))
    expect(results.map((message) => message['tool_call_id'])).toEqual(ids)
    expect(server.faults).toEqual([])
  })
})

describe('FC-08: empty arguments', () => {
  it.each([
    ['""', '"arguments":""'],
    ['left out', ''],
    ['null', '"arguments":null'],
    ['blanks', '"arguments":"  "'],
  ])('runs a tool without parameters (%s)', async (_name, args) => {
    const about = ['"name":"get_cart"', args].filter(Boolean).join(',')
    const bytes = lines(
      delta(`{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{${about}}}]}`),
      stop('tool_calls'),
      '[DONE]',
    )
    await start([{ raw: bytes }], [{ say: 'Empty.' }])
    const tools = fakePageTools(PAGE_TOOLS)
    await ask(open(tools))
    expect(tools.calls).toHaveLength(1)
    expect(tools.calls[0]).toMatchObject({ name: 'get_cart', arguments: {} })
    expect(lastMessages()[1]).toMatchObject({ tool_calls: [{ function: { name: 'get_cart', arguments: '{}' } }] })
  })
})

describe('FC-09: a chunk with no choice', () => {
  const bytes = (empty: string, third: string): string =>
    lines(
      `{"id":"x1","object":"chat.completion.chunk"${empty}}`,
      delta('{"content":"Hi"}'),
      third,
      `{"id":"x1","object":"chat.completion.chunk"${empty},"usage":{"prompt_tokens":5,"completion_tokens":1,"total_tokens":6}}`,
      '[DONE]',
    )
  it.each([
    ['[]', ',"choices":[]', stop()],
    ['null', ',"choices":null', stop()],
    ['left out', '', stop()],
    ['delta null', ',"choices":[]', delta('null', '"stop"')],
  ])('survives choices %s', async (_name, empty, third) => {
    await start([{ raw: bytes(empty, third) }])
    expect(await ask()).toEqual([
      { type: 'text', text: 'Hi' },
      { type: 'usage', inputTokens: 5, outputTokens: 1 },
      { type: 'turn_end', stopReason: 'end_turn' },
    ])
  })
})

describe('FC-10: no [DONE]', () => {
  const bytes = lines(delta('{"content":"Done."}'), stop())
  const usage = lines(
    '{"id":"x1","object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":5,"completion_tokens":1}}',
  )

  it('A: ends shortly after the finish reason, closes its socket and takes the next prompt', async () => {
    await start('by_hand', [{ say: 'Again.' }])
    const clock = fakeClock()
    const session = open(fakePageTools(), clock)
    const turn = ask(session)
    const exchange = await server.exchange(1)
    await exchange.write(bytes)
    await settle()
    await clock.advanceAsync(1_900)
    expect(exchange.closedEarly).toBe(false)
    await clock.advanceAsync(200)
    expect(textOf(await turn)).toBe('Done.')
    await exchange.closed
    expect(textOf(await ask(session))).toBe('Again.')
  })

  it('B: takes the usage that comes later, and closes its socket', async () => {
    await start('by_hand')
    const clock = fakeClock()
    const turn = ask(open(fakePageTools(), clock))
    const exchange = await server.exchange(1)
    await exchange.write(bytes)
    await clock.advanceAsync(300)
    await exchange.write(usage)
    expect(await turn).toContainEqual({ type: 'usage', inputTokens: 5, outputTokens: 1 })
    await clock.advanceAsync(1_000)
    await exchange.closed
  })

  it('C: ends when the server closes', async () => {
    await start([{ raw: bytes }, { drop: true }])
    expect(textOf(await ask())).toBe('Done.')
  })
})

describe('FC-11: UTF-8 cut by the network', () => {
  const text = '北京🌍'
  const event = Buffer.from(`data: {"choices":[{"index":0,"delta":{"content":"${text}"},"finish_reason":null}]}\n\n`)
  const rest = lines('{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}') + DONE

  it('has the bytes of the report', () => {
    expect(event).toHaveLength(87)
    expect(event.subarray(49, 59).toString('hex')).toBe('e58c97e4baacf09f8c8d')
  })

  it.each([
    ['three writes', [event.subarray(0, 51), event.subarray(51, 58), event.subarray(58)]],
    ['one byte a write', [...event].map((byte) => Buffer.of(byte))],
  ])('puts characters together (%s)', async (_name, writes) => {
    await start(async (exchange) => {
      for (const bytes of writes) await exchange.write(bytes)
      await exchange.write(rest)
      exchange.end()
    })
    const events = await ask()
    expect(textOf(events)).toBe(text)
  })

  it('C: gives a tool the exact string', async () => {
    const args = JSON.stringify(JSON.stringify({ query: text }))
    const bytes = Buffer.from(
      lines(
        delta(
          `{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"search_products","arguments":${args}}}]}`,
        ),
        stop('tool_calls'),
        '[DONE]',
      ),
    )
    await start(
      async (exchange) => {
        for (const byte of bytes) await exchange.write(Buffer.of(byte))
        exchange.end()
      },
      [{ say: 'Found.' }],
    )
    const tools = fakePageTools(PAGE_TOOLS)
    await ask(open(tools))
    expect(tools.calls[0]?.arguments).toEqual({ query: text })
  })
})

describe('FC-12: an error inside a 200 stream', () => {
  const A =
    'data: {"choices":[{"index":0,"delta":{"content":"Part"},"finish_reason":null}]}\n\n' +
    'data: {"error":{"message":"engine overloaded","type":"server_error","code":503}}\n\n'
  const B =
    'event: error\ndata: {"error_type":"context_length_exceeded","error_message":"prompt is 6000 tokens, window is 4096"}\n\n'
  const C = '{"error":{"code":400,"message":"prompt is 6000 tokens, window is 4096"}}'
  it.each([
    ['A', A, 'engine overloaded', 'failed'],
    ['B', B, 'prompt is 6000 tokens, window is 4096', 'too_long'],
    ['C', C, 'prompt is 6000 tokens, window is 4096', 'too_long'],
  ])('fails with the words of the server, once (%s)', async (...[, bytes, words, code]) => {
    await start([{ raw: bytes }])
    const events: TurnEvent[] = []
    const error: unknown = await (async () => {
      for await (const event of open().prompt({ text: 'hi' }, AbortSignal.timeout(20_000))) events.push(event)
    })().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AgentError)
    expect(error).toMatchObject({ code, message: expect.stringContaining(words) as string })
    expect(events.filter((event) => event.type === 'turn_end')).toEqual([])
    expect(server.exchanges).toHaveLength(1)
  })
})

describe('FC-13: two names for reasoning', () => {
  it.each([
    ['A', '{"reasoning_content":"2+2"}'],
    ['B', '{"reasoning":"2+2"}'],
    ['C', '{"reasoning_content":"2+2","reasoning":"2+2"}'],
    ['D', '{"reasoning":"2+2","content":""}'],
  ])('tells reasoning from the answer (%s)', async (_name, json) => {
    await start([{ raw: lines(delta(json), delta('{"content":"4"}'), stop(), '[DONE]') }])
    const events = await ask()
    expect(thoughtOf(events)).toBe('2+2')
    expect(textOf(events)).toBe('4')
  })
})

describe('FC-14: stop must reach the model', () => {
  it.each(['cancel the turn', 'close the session'])('hangs up at once (%s)', async (how) => {
    await start('by_hand', [{ say: 'Again.' }])
    const session = open()
    const cancel = new AbortController()
    const seen: TurnEvent[] = []
    const turn = (async () => {
      for await (const event of session.prompt({ text: 'count' }, cancel.signal)) seen.push(event)
    })()
    const exchange = await server.exchange(1)
    for (let count = 0; count < 10; count += 1) await exchange.write(lines(delta(`{"content":"${count} "}`)))
    const before = seen.length
    expect(before).toBe(10)
    if (how === 'cancel the turn') cancel.abort()
    else await session.close()
    await Promise.all([exchange.closed, turn])
    expect(exchange.closedEarly).toBe(true)
    expect(seen.slice(before)).toEqual([{ type: 'turn_end', stopReason: 'cancelled' }])
    if (how === 'cancel the turn') expect(textOf(await ask(session, 'again'))).toBe('Again.')
    expect(server.faults).toEqual([])
  })
})

describe('FC-18: tool names that the API of a model refuses', () => {
  it('offers each under a legal name of its own, and calls it by the spelling of the page', async () => {
    const names = ['search_products', 'cart.add', 'add to cart', 'größe', '']
    await start()
    server.answer(
      async (exchange) => {
        const offered = exchange.body.tools as { function: { name: string } }[]
        await exchange.play([{ call: { name: offered[1]!.function.name } }])
      },
      [{ say: 'Added.' }],
    )
    const tools = fakePageTools(Object.fromEntries(names.map((name) => [name, {}])))
    const events = await ask(open(tools))
    const offered = (server.exchanges[0]?.body.tools as { function: { name: string } }[]).map(
      (tool) => tool.function.name,
    )
    expect(offered).toEqual(['search_products', 'cart_add', 'add_to_cart', 'grosse', 'tool'])
    expect(tools.calls).toMatchObject([{ name: 'cart.add', arguments: {} }])
    expect(events.filter((event) => event.type === 'tool_call')).toMatchObject([
      { title: 'cart.add', toolName: 'mcp__webmcp__cart.add', kind: 'other', status: 'in_progress' },
      { status: 'completed' },
    ])
    expect(server.faults).toEqual([])
  })
})

describe('cancelling in the middle of a tool call', () => {
  it('leaves a history that a strict API accepts', async () => {
    await start([{ call: [{ name: 'get_cart' }, { name: 'wait' }] }], [{ say: 'Again.' }])
    const tools = fakePageTools({ get_cart: {}, wait: waitingTool })
    const session = open(tools)
    const cancel = new AbortController()
    const turn = collectTurn(session.prompt({ text: 'go' }, cancel.signal))
    await tools.called(2)
    await settle()
    cancel.abort()
    expect((await turn).at(-1)).toEqual({ type: 'turn_end', stopReason: 'cancelled' })
    expect(textOf(await ask(session, 'again'))).toBe('Again.')
    expect(server.faults).toEqual([])
    expect(lastMessages().map((message) => message['role'])).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
      'assistant',
      'user',
    ])
  })
})
