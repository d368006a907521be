import {
  fakeClock,
  type ModelQuirk,
  MODEL_QUIRKS,
  scriptedModelServer,
  type ScriptedModelServer,
} from '@leuria/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { FINISH_GRACE_MS, SILENCE_LIMIT_MS } from './ask-server.js'
import type { SessionOptions } from './provider.js'
import { server as serverProvider, type ServerOptions } from './server-provider.js'
import { assistantMessage, sessionOptions, startTurn, userMessage } from './turn.fixture.js'

const TOOLS = [
  { name: 'search_products', description: 'Finds products.', inputSchema: { type: 'object' } },
  { name: 'get_cart', description: 'The cart.' },
]

let models: ScriptedModelServer
afterEach(() => models.close())

interface Scene extends Partial<ServerOptions> {
  session?: Partial<SessionOptions>
  models?: Parameters<typeof scriptedModelServer>[0]
}

async function open({ session, models: script, ...options }: Scene = {}) {
  models = await scriptedModelServer(script)
  const provider = serverProvider({ url: `${models.url}/chat/completions`, model: 'm', ...options })
  return { provider, session: await provider.createSession(sessionOptions(session)), faults: () => models.faults }
}

/** What the server was sent, request by request. */
const sent = (): unknown[] => models.exchanges.map(({ body }) => body.messages)

describe("the site's own server", () => {
  it('is ready from the start, never asked, and says what it was told it can do', async () => {
    const { provider } = await open({ jsonSchema: true, images: true, label: 'Our AI' })
    await provider.detect()
    expect(models.requests).toEqual([])
    expect(provider).toMatchObject({ id: 'server', label: 'Our AI', locality: 'site' })
    const capabilities = ['chat', 'tools', 'structured', 'images']
    expect(provider.getState()).toEqual({ status: 'ready', capabilities, model: 'm' })
    const plain = serverProvider({ url: 'https://x.example', tools: false })
    expect(plain.getState().capabilities).toEqual(['chat'])
  })

  it('streams an answer, and remembers the conversation', async () => {
    const { session } = await open({
      session: { system: 'Be kind.' },
      models: { answers: [[{ say: ['Hel', 'lo'] }], [{ say: 'Again' }]] },
    })
    const turn = startTurn(session, 'hi')
    expect(await turn.done).toEqual({ text: 'Hello' })
    expect(turn.texts).toEqual(['Hel', 'lo'])
    expect(await startTurn(session, 'and?').done).toEqual({ text: 'Again' })
    expect(models.exchanges[1]?.body).toEqual({
      model: 'm',
      stream: true,
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'Hello' },
        { role: 'user', content: 'and?' },
      ],
    })
  })

  it('runs the tools of the page and sends their results, message for message', async () => {
    const calls = [
      { name: 'search_products', arguments: { query: 'mug' }, id: 'c1' },
      { name: 'get_cart', id: 'c2' },
    ]
    const { session } = await open({
      session: { tools: TOOLS },
      models: { answers: [[{ say: 'Let me look.' }, { call: calls }], [{ say: 'A mug.' }]] },
    })
    const turn = startTurn(session, 'mugs?', {
      runTool: ({ name }) => (name === 'get_cart' ? { ok: false, error: 'No cart.' } : { ok: true, result: [1] }),
    })
    expect(await turn.done).toEqual({ text: 'Let me look.A mug.' })
    expect(turn.calls).toEqual([
      { name: 'search_products', args: { query: 'mug' }, callId: 'c1' },
      { name: 'get_cart', args: {}, callId: 'c2' },
    ])
    expect(models.exchanges[0]?.body.tools).toEqual([
      {
        type: 'function',
        function: { name: 'search_products', description: 'Finds products.', parameters: { type: 'object' } },
      },
      {
        type: 'function',
        function: { name: 'get_cart', description: 'The cart.', parameters: { type: 'object', properties: {} } },
      },
    ])
    expect(models.exchanges[0]?.body).not.toHaveProperty('tool_choice')
    const wire = (id: string, name: string, args: string) => ({
      id,
      type: 'function',
      function: { name, arguments: args },
    })
    expect(sent()[1]).toEqual([
      { role: 'user', content: 'mugs?' },
      {
        role: 'assistant',
        content: 'Let me look.',
        tool_calls: [wire('c1', 'search_products', '{"query":"mug"}'), wire('c2', 'get_cart', '{}')],
      },
      { role: 'tool', tool_call_id: 'c1', content: '[1]' },
      { role: 'tool', tool_call_id: 'c2', content: '{"error":"No cart."}' },
    ])
    expect(models.faults).toEqual([])
  })

  it('asks maxSteps + 1 times at most, and rules out calls the last time', async () => {
    const { session } = await open({
      session: { tools: TOOLS, maxSteps: 2 },
      models: { otherwise: [{ say: 'x' }, { call: { name: 'get_cart' } }] },
    })
    const turn = startTurn(session, 'loop')
    expect(await turn.done).toEqual({ text: 'xxx' })
    expect(turn.calls).toHaveLength(2)
    expect(models.exchanges.map(({ body }) => body['tool_choice'])).toEqual([undefined, undefined, 'none'])
    await startTurn(session, 'next').done
    expect(models.faults).toEqual([])
  })

  it('carries the past over, and gives every dangling call a result', async () => {
    const call = { type: 'tool-call', name: 'get_cart', args: {} } as const
    const text = (words: string) => ({ type: 'text', text: words }) as const
    const { session } = await open({
      session: {
        tools: TOOLS,
        history: [
          assistantMessage(text('Welcome.')),
          userMessage('one'),
          assistantMessage(
            { type: 'reasoning', text: 'hm' },
            text('I look.'),
            { ...call, callId: 'a', state: 'done', result: { n: 1 } },
            { ...call, callId: 'b', state: 'error', error: 'No.' },
            text('There.'),
          ),
          userMessage('two'),
          userMessage('three'),
          assistantMessage(
            { ...call, callId: 'c', state: 'running' },
            { ...call, callId: 'd', state: 'awaiting-input' },
          ),
        ],
      },
    })
    await startTurn(session, 'four').done
    const wire = (id: string) => ({ id, type: 'function', function: { name: 'get_cart', arguments: '{}' } })
    const stopped = '{"error":"Stopped before there was a result."}'
    expect(sent()[0]).toEqual([
      { role: 'user', content: '[No answer.]' },
      { role: 'assistant', content: 'Welcome.' },
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'I look.', tool_calls: [wire('a'), wire('b')] },
      { role: 'tool', tool_call_id: 'a', content: '{"n":1}' },
      { role: 'tool', tool_call_id: 'b', content: '{"error":"No."}' },
      { role: 'assistant', content: 'There.' },
      { role: 'user', content: 'two' },
      { role: 'assistant', content: '[No answer.]' },
      { role: 'user', content: 'three' },
      { role: 'assistant', content: '', tool_calls: [wire('c'), wire('d')] },
      { role: 'tool', tool_call_id: 'c', content: stopped },
      { role: 'tool', tool_call_id: 'd', content: stopped },
      { role: 'assistant', content: '[No answer.]' },
      { role: 'user', content: 'four' },
    ])
    expect(models.faults).toEqual([])
  })

  it('makes ids for calls that have none', async () => {
    const [again, quirks] = [[{ call: { name: 'get_cart' } }], { no_call_id: true }]
    const models = { quirks, answers: [again, again, [{ say: 'ok' }]] }
    const scene = await open({ session: { tools: TOOLS }, models })
    const turn = startTurn(scene.session, 'go')
    await turn.done
    expect(turn.calls.map(({ callId }) => callId)).toEqual(['call00001', 'call00002'])
    expect(scene.faults()).toEqual([])
  })

  it("gives a page's odd tool names the form that every API takes, and the page its own (FC-18)", async () => {
    const { session } = await open({
      session: { tools: [{ name: 'cart.add item', description: 'Adds.' }] },
      models: { answers: [[{ call: { name: 'cart_add_item' } }], [{ say: 'ok' }]] },
    })
    const turn = startTurn(session, 'go')
    await turn.done
    expect(turn.calls[0]?.name).toBe('cart.add item')
    expect(models.faults).toEqual([])
  })

  it('asks for JSON of a shape, sends pictures where it may, and names what a page has', async () => {
    const schema = { type: 'object', properties: { a: { type: 'number' } } }
    const { session } = await open({ jsonSchema: true, images: true, session: { schema } })
    const url = 'data:image/png;base64,AA=='
    await startTurn(session, 'what?', { files: [{ type: 'file', mediaType: 'image/png', url }] }).done
    expect(models.exchanges[0]?.body).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } },
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'what?' },
            { type: 'image_url', image_url: { url } },
          ],
        },
      ],
    })
  })

  it('sends headers of its own, asked anew for each request', async () => {
    let count = 0
    const { session } = await open({
      headers: () => Promise.resolve({ Authorization: `Bearer ${(count += 1)}` }),
      models: { answers: [[{ call: { name: 'get_cart' } }], [{ say: 'ok' }]] },
    })
    await startTurn(session, 'go').done
    expect(models.exchanges.map(({ headers }) => headers.authorization)).toEqual(['Bearer 1', 'Bearer 2'])
    const fixed = serverProvider({
      url: `${models.url}/chat/completions`,
      model: 'm',
      headers: { 'X-Site': 'a' },
    })
    await startTurn(await fixed.createSession(sessionOptions()), 'go').done
    expect(models.exchanges[2]?.headers['x-site']).toBe('a')
  })
})

describe('stopping', () => {
  it('ends the request at once, keeps what was said, and goes on with the next message', async () => {
    const { session } = await open({ models: { answers: [[{ say: 'Once upon' }, { stall: true }]] } })
    const turn = startTurn(session, 'a story')
    const exchange = await models.exchange(1)
    while (turn.texts.length === 0) await new Promise((resolve) => setImmediate(resolve))
    turn.stop()
    expect(await turn.done).toEqual({ text: 'Once upon' })
    await exchange.closed
    expect(exchange.closedEarly).toBe(true)
    await startTurn(session, 'go on').done
    expect(sent()[1]).toEqual([
      { role: 'user', content: 'a story' },
      { role: 'assistant', content: 'Once upon' },
      { role: 'user', content: 'go on' },
    ])
    expect(models.faults).toEqual([])
  })

  it('waits for no tool that goes on, and runs none that comes after', async () => {
    const { session } = await open({
      session: { tools: TOOLS },
      models: { answers: [[{ call: [{ name: 'get_cart' }, { name: 'get_cart' }] }]] },
    })
    const turn = startTurn(session, 'go', { runTool: () => new Promise(() => undefined) })
    while (turn.calls.length === 0) await new Promise((resolve) => setImmediate(resolve))
    turn.stop()
    expect(await turn.done).toEqual({ text: '' })
    expect(turn.calls).toHaveLength(1)
    await startTurn(session, 'next').done
    expect(models.faults).toEqual([])
  })

  it('asks nothing when the turn was over before it began', async () => {
    const { session } = await open()
    const turn = startTurn(session, 'go')
    turn.stop()
    expect(await turn.done).toEqual({ text: '' })
    expect(models.requests).toEqual([])
  })
})

describe('what goes wrong', () => {
  it('is told with the status, at most 200 characters of what the server says, and when to try again', async () => {
    const fail = { status: 429, body: { error: 'x'.repeat(300) }, headers: { 'Retry-After': '7' } }
    const { session } = await open({ models: { answers: [[{ fail }]] } })
    const error: unknown = await startTurn(session, 'go').done.catch((caught: unknown) => caught)
    expect(error).toMatchObject({ name: 'LeuriaError', code: 'too_many', status: 429, retryAfterS: 7 })
    expect((error as { detail: string }).detail).toHaveLength(200)
    expect((error as Error).message).toBe("This site's AI is busy. Try again in a moment.")
  })

  it('leaves the conversation usable: what failed is no part of it', async () => {
    const { session } = await open({ models: { answers: [[{ fail: { status: 500, body: 'boom' } }]] } })
    await expect(startTurn(session, 'go').done).rejects.toMatchObject({ code: 'server_error', status: 500 })
    expect(await startTurn(session, 'again').done).toEqual({ text: 'OK' })
    expect(models.faults).toEqual([])
  })

  it('reads a date as the time to wait until', async () => {
    const headers = { 'Retry-After': new Date(Date.now() + 90_000).toUTCString() }
    const { session } = await open({ models: { answers: [[{ fail: { status: 503, headers } }]] } })
    const error: unknown = await startTurn(session, 'go').done.catch((caught: unknown) => caught)
    const { retryAfterS } = error as { retryAfterS: number }
    expect(retryAfterS).toBeGreaterThan(80)
    expect(retryAfterS).toBeLessThanOrEqual(90)
  })

  it('is `unreachable` for a server that is not there, and for an answer that breaks off', async () => {
    const { session } = await open({ models: { answers: [[{ say: 'Half' }, { drop: true }]] } })
    await expect(startTurn(session, 'go').done).rejects.toMatchObject({ code: 'unreachable' })
    await models.close()
    await expect(startTurn(session, 'go').done).rejects.toMatchObject({ code: 'unreachable' })
  })

  it('is `bad_answer` for an answer without a word or a call', async () => {
    const { session } = await open({ models: { answers: [[{ say: '' }]] } })
    await expect(startTurn(session, 'go').done).rejects.toMatchObject({ code: 'bad_answer' })
  })

  it.each([
    ['waits for a silent server just so long', SILENCE_LIMIT_MS - 1, true],
    ['gives up a server that stays silent', SILENCE_LIMIT_MS, false],
  ])('%s', async (_name, waitMs, waits) => {
    const clock = fakeClock()
    const { session } = await open({ clock, models: { answers: ['by_hand'] } })
    const { done } = startTurn(session, 'go')
    const exchange = await models.exchange(1)
    clock.advance(waitMs)
    if (waits) await exchange.play([{ say: 'Late' }])
    if (waits) expect(await done).toEqual({ text: 'Late' })
    else await expect(done).rejects.toMatchObject({ code: 'timeout' })
  })
})

describe('streams as servers write them', () => {
  const answer = (...lines: string[]) => lines.map((line) => `data: ${line}\n\n`).join('')
  const chunk = (delta: unknown, finish: string | null = null) =>
    JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })
  const STOP = chunk({}, 'stop')
  const CALLS = chunk({}, 'tool_calls')

  async function play(raw: string, session: Partial<SessionOptions> = {}) {
    const scene = await open({ session: { tools: TOOLS, ...session }, models: { answers: [[{ raw }]] } })
    return startTurn(scene.session, 'go')
  }

  const one = {
    id: 'call_a',
    type: 'function',
    function: { name: 'search_products', arguments: '{"query":"blue mug"}' },
  }
  const two = { id: 'call_b', type: 'function', function: { name: 'get_cart', arguments: '{}' } }

  // FC-07
  it.each([
    ['no index', answer(chunk({ role: 'assistant', tool_calls: [one, two] }), CALLS, '[DONE]'), 2],
    [
      'index 0 for both',
      answer(
        chunk({ tool_calls: [{ index: 0, ...one }] }),
        chunk({ tool_calls: [{ index: 0, ...two }] }),
        CALLS,
        '[DONE]',
      ),
      2,
    ],
    [
      'pieces with neither id nor index',
      answer(
        chunk({ tool_calls: [{ id: 'call_a', function: { name: 'search_products' } }] }),
        chunk({ tool_calls: [{ function: { arguments: '{"query":' } }] }),
        chunk({ tool_calls: [{ function: { arguments: '"blue mug"}' } }] }),
        CALLS,
        '[DONE]',
      ),
      1,
    ],
  ])('tells calls apart: %s', async (_name, raw, count) => {
    const turn = await play(raw)
    await turn.done
    const expected = [
      { name: 'search_products', args: { query: 'blue mug' }, callId: 'call_a' },
      { name: 'get_cart', args: {}, callId: 'call_b' },
    ]
    expect(turn.calls).toEqual(expected.slice(0, count))
    expect(sent()[1]).toMatchObject([
      {},
      { tool_calls: { length: count } },
      ...expected.slice(0, count).map(() => ({ role: 'tool' })),
    ])
    expect(models.faults).toEqual([])
  })

  // FC-08
  it.each([
    ['""', ''],
    ['left out', undefined],
    ['null', null],
    ['spaces', '  '],
  ])('runs a tool without parameters whose arguments are %s', async (_name, args) => {
    const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'get_cart', arguments: args } }
    const turn = await play(answer(chunk({ tool_calls: [call] }), CALLS, '[DONE]'))
    await turn.done
    expect(turn.calls).toEqual([{ name: 'get_cart', args: {}, callId: 'call_1' }])
    expect(JSON.stringify(sent()[1])).toContain('"arguments":"{}"')
  })

  it('tells the AI that its arguments are no object, and the page nothing', async () => {
    const call = { index: 0, id: 'call_1', function: { name: 'get_cart', arguments: '{"a":' } }
    const turn = await play(answer(chunk({ tool_calls: [call] }), CALLS, '[DONE]'))
    await turn.done
    expect(turn.calls).toEqual([])
    expect(JSON.stringify(sent()[1])).toContain('The arguments must be one JSON object.')
    expect(models.faults).toEqual([])
  })

  // FC-09
  it.each([['[]'], ['null'], ['left out']])('reads over chunks whose choices are %s', async (choices) => {
    const empty = choices === 'left out' ? '{"usage":{}}' : `{"choices":${choices},"usage":{"total_tokens":6}}`
    const turn = await play(answer(empty, chunk({ content: 'Hi' }), chunk(null, 'stop'), empty, '[DONE]'))
    expect(await turn.done).toEqual({ text: 'Hi' })
  })

  // FC-10
  it.each([
    ['and nothing after', ''],
    ['and figures after', answer('{"choices":[],"usage":{"total_tokens":6}}')],
  ])('ends after the last word without [DONE], %s', async (_name, after) => {
    const clock = fakeClock()
    const { session } = await open({ clock, models: { answers: ['by_hand'] } })
    const turn = startTurn(session, 'go')
    const exchange = await models.exchange(1)
    await exchange.write(answer(chunk({ content: 'Done.' }), STOP) + after)
    while (turn.texts.length === 0) await new Promise((resolve) => setImmediate(resolve))
    for (let at = 0; at < 8; at += 1) await new Promise((resolve) => setImmediate(resolve))
    clock.advance(FINISH_GRACE_MS)
    expect(await turn.done).toEqual({ text: 'Done.' })
    await exchange.closed
    expect(await startTurn(session, 'next').done).toEqual({ text: 'OK' })
  })

  it('ends when the server closes after the last word, in order or not (FC-10)', async () => {
    const turn = await play(answer(chunk({ content: 'Done.' }), STOP))
    expect(await turn.done).toEqual({ text: 'Done.' })
    const other = await open({ models: { answers: ['by_hand'] } })
    const cut = startTurn(other.session, 'go')
    const exchange = await models.exchange(1)
    await exchange.write(answer(chunk({ content: 'Done.' }), STOP))
    exchange.drop()
    expect(await cut.done).toEqual({ text: 'Done.' })
  })

  // FC-11
  it.each([['text'], ['argument']])('puts characters together that the network cut: %s', async (where) => {
    const words = '北京🌍'
    const call = { index: 0, id: 'c', function: { name: 'get_cart', arguments: JSON.stringify({ words }) } }
    const body = answer(
      chunk(where === 'text' ? { content: words } : { tool_calls: [call] }),
      where === 'text' ? STOP : CALLS,
    )
    const { session } = await open({ session: { tools: TOOLS }, models: { answers: ['by_hand', [{ say: 'ok' }]] } })
    const turn = startTurn(session, 'go')
    const exchange = await models.exchange(1)
    for (const byte of new TextEncoder().encode(body)) await exchange.write(new Uint8Array([byte]))
    exchange.end()
    await turn.done
    expect(where === 'text' ? turn.texts.join('') : turn.calls[0]?.args).toEqual(where === 'text' ? words : { words })
  })

  // FC-12
  it.each([
    [
      'after a part',
      `${answer(chunk({ content: 'Part' }))}data: {"error":{"message":"engine overloaded","code":503}}\n\n`,
      'engine overloaded',
    ],
    [
      'as an event',
      'event: error\ndata: {"error_type":"context_length_exceeded","error_message":"prompt is 6000 tokens, window is 4096"}\n\n',
      'prompt is 6000 tokens, window is 4096',
    ],
    [
      'as the whole body',
      '{"error":{"code":400,"message":"prompt is 6000 tokens, window is 4096"}}',
      'prompt is 6000 tokens, window is 4096',
    ],
    ['as words', 'event: error\ndata: out of memory\n\n', 'out of memory'],
  ])('fails with what the server says inside the stream: %s', async (_name, raw, detail) => {
    const turn = await play(raw)
    await expect(turn.done).rejects.toMatchObject({ code: 'server_error', detail })
    expect(models.exchanges).toHaveLength(1)
  })

  // FC-13
  it.each([
    ['reasoning_content', { reasoning_content: '2+2' }],
    ['reasoning', { reasoning: '2+2' }],
    ['both', { reasoning: '2+2', reasoning_content: '2+2' }],
    ['reasoning and empty content', { reasoning: '2+2', content: '' }],
    ['null and reasoning', { reasoning: '2+2', reasoning_content: null }],
  ])('hears reasoning once under either name: %s', async (_name, delta) => {
    const turn = await play(answer(chunk(delta), chunk({ content: '4' }), STOP, '[DONE]'))
    expect(await turn.done).toEqual({ text: '4' })
    expect(turn.thoughts.join('')).toBe('2+2')
  })

  it('is no success when a piece of the stream is broken, and takes no notice of words that never were JSON', async () => {
    const broken = await play(answer(chunk({ content: 'a' }), '{"choices":[', STOP, '[DONE]'))
    await expect(broken.done).rejects.toMatchObject({ code: 'bad_answer' })
    await models.close()
    expect(await (await play(answer('ping', chunk({ content: 'a' }), STOP, '[DONE]'))).done).toEqual({ text: 'a' })
  })

  it.each([
    ['a page instead of an answer', '<!doctype html><title>Log in</title>', 'bad_answer'],
    ['half a JSON value', '{"choices":[{"message":{"content":"a"', 'bad_answer'],
    ['nothing at all', '\n', 'unreachable'],
    ['a stream that ends without a last word', answer(chunk({ content: 'Half' })), 'unreachable'],
  ])('takes no answer from %s', async (_name, raw, code) => {
    await expect((await play(raw)).done).rejects.toMatchObject({ code })
  })

  it('carries nothing out after the answer was cut at its longest', async () => {
    const call = { index: 0, id: 'c', function: { name: 'get_cart', arguments: '{}' } }
    const turn = await play(answer(chunk({ content: 'Well', tool_calls: [call] }), chunk({}, 'length'), '[DONE]'))
    expect(await turn.done).toEqual({ text: 'Well' })
    expect(turn.calls).toEqual([])
  })

  /** What a page's own server need not do: mend JSON, read calls and thoughts out of the text. */
  const NOT_READ = new Set<string>(['broken_arguments', 'call_as_text', 'think_tags', 'done_missing_open'])
  const quirks = Object.keys(MODEL_QUIRKS).filter((name) => !NOT_READ.has(name)) as ModelQuirk[]
  it.each(quirks)('understands servers with the habit %s', async (quirk) => {
    const calls = [{ name: 'search_products', arguments: { query: 'mug' } }, { name: 'get_cart' }]
    const { session } = await open({
      session: { tools: TOOLS },
      models: {
        quirks: { [quirk]: true },
        answers: [[{ think: 'hm' }, { say: 'I look.' }, { call: calls }], [{ say: ['O', 'K'] }]],
      },
    })
    const turn = startTurn(session, 'go')
    expect(await turn.done).toEqual({ text: 'I look.OK' })
    expect(turn.calls).toMatchObject([{ args: { query: 'mug' } }, { name: 'get_cart', args: {} }])
    expect(turn.thoughts.join('')).toBe('hm')
    expect(models.faults).toEqual([])
  })
})
