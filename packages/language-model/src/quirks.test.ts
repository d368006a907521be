/** Every habit of real servers, in one conversation that must always come out the same: reason, call two tools, answer. */
import { systemClock } from '@leuria/clock'
import type { TurnEvent } from '@leuria/agent'
import {
  collectTurn,
  fakeClock,
  fakePageTools,
  MODEL_QUIRKS,
  type ModelQuirk,
  type ModelQuirks,
  type ModelStep,
  type ScriptedModelServer,
  scriptedModelServer,
  textOf,
} from '@leuria/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { createOpenAiModel, openModelSession } from './index.js'

let server: ScriptedModelServer
afterEach(async () => server.close())

const tools = () =>
  fakePageTools({
    search_products: { run: () => 'Celadon mug' },
    get_cart: { run: () => '[]' },
  })

const CALLS: ModelStep = {
  call: [{ name: 'search_products', arguments: { query: 'blue mug', max: 3 } }, { name: 'get_cart' }],
}

const thoughtOf = (events: readonly TurnEvent[]): string =>
  events.map((event) => (event.type === 'thought' ? event.text : '')).join('')

function open(clock = systemClock, offered = tools()) {
  const model = createOpenAiModel({ baseUrl: server.url, model: 'm', serviceName: 'U', clock })
  return { offered, session: openModelSession({ model, tools: offered }) }
}

async function conversation(quirks: ModelQuirks) {
  server = await scriptedModelServer({
    quirks,
    answers: [[{ think: ['Look ', 'first.'] }, CALLS], [{ say: ['A blue ', 'mug 北京🌍', '.'] }]],
  })
  const { session, offered } = open()
  const events = await collectTurn(session.prompt({ text: 'hi' }, AbortSignal.timeout(20_000)))
  return { events, offered }
}

/** Held open they need time to pass; a call in the text can only be one. They have tests of their own. */
const APART: readonly ModelQuirk[] = ['done_missing_open', 'call_as_text']
const together = (Object.keys(MODEL_QUIRKS) as ModelQuirk[]).filter((quirk) => !APART.includes(quirk))

const PAIRS: readonly (readonly ModelQuirk[])[] = [
  ['no_index', 'no_call_id'],
  ['zero_index', 'no_call_id', 'calls_in_one_chunk'],
  ['no_index', 'name_in_every_chunk'],
  ['no_call_id', 'name_in_every_chunk', 'zero_index'],
  ['arguments_object', 'no_index', 'no_call_id'],
  ['crlf', 'bytewise', 'no_last_blank_line', 'comments'],
  ['crlf', 'no_space', 'done_missing', 'no_last_blank_line'],
  ['finish_missing', 'usage_null_choices', 'content_parts'],
  ['think_tags', 'content_parts', 'bytewise'],
  ['finish_early', 'usage_always', 'empty_arguments'],
]

describe('habits of servers', () => {
  it.each([[], ...together.map((quirk) => [quirk]), ...PAIRS].map((quirks) => [quirks.join(' + ') || 'none', quirks]))(
    'comes out the same: %s',
    async (_name, quirks) => {
      const { events, offered } = await conversation(
        Object.fromEntries((quirks as ModelQuirk[]).map((quirk) => [quirk, true])),
      )
      expect(offered.calls).toHaveLength(2)
      expect(offered.calls).toMatchObject([
        { name: 'search_products', arguments: { query: 'blue mug', max: 3 } },
        { name: 'get_cart', arguments: {} },
      ])
      expect(thoughtOf(events)).toBe('Look first.')
      expect(textOf(events)).toBe('A blue mug 北京🌍.')
      expect(events.at(-1)).toEqual({ type: 'turn_end', stopReason: 'end_turn' })
      expect(server.faults).toEqual([])
    },
  )

  it('comes out the same: done_missing_open', async () => {
    server = await scriptedModelServer({ quirks: { done_missing_open: true }, answers: [[CALLS], [{ say: 'Done.' }]] })
    const clock = fakeClock()
    const { session } = open(clock)
    const turn = collectTurn(session.prompt({ text: 'hi' }, new AbortController().signal))
    for (const count of [1, 2]) {
      const exchange = await server.exchange(count)
      const state = { closed: false }
      void exchange.closed.then(() => (state.closed = true))
      for (let rounds = 0; !state.closed && rounds < 500; rounds += 1) await clock.advanceAsync(100)
      expect(state.closed).toBe(true)
    }
    expect(textOf(await turn)).toBe('Done.')
  })

  it('recovers a call that a local model wrote as text', async () => {
    server = await scriptedModelServer({
      quirks: { call_as_text: true },
      answers: [[{ call: { name: 'search_products', arguments: { query: 'mug' } } }], [{ say: 'Done.' }]],
    })
    const { session, offered } = open()
    const events = await collectTurn(session.prompt({ text: 'hi' }, AbortSignal.timeout(20_000)))
    expect(offered.calls).toMatchObject([{ name: 'search_products', arguments: { query: 'mug' } }])
    expect(textOf(events)).toBe('Done.')
    expect(server.faults).toEqual([])
  })
})

describe('answers that are none', () => {
  const CASES: readonly (readonly [string, string, RegExp])[] = [
    ['an empty body', '', /without saying anything/],
    ['only [DONE]', 'data: [DONE]\n\n', /without saying anything/],
    ['a web page', '<!doctype html><title>Sign in</title>', /isn't an answer: <!doctype html>/],
    ['half an object', 'data: {"choices":[{"delta":{"cont\n\n', /isn't an answer/],
    [
      'an error as plain JSON in the stream',
      'data: {"choices":[{"index":0,"delta":{"content":"x"}}]}\n\n{"error":"out of memory"}\n\n',
      /out of memory/,
    ],
    ['an error as a string', 'data: {"error":"out of memory"}\n\n', /out of memory/],
    [
      "vLLM's error",
      'data: {"object":"error","message":"bad grammar","type":"BadRequestError","code":400}\n\n',
      /bad grammar/,
    ],
    ["FastAPI's error", 'event: error\ndata: {"detail":[{"msg":"field required"}]}\n\n', /field required/],
    ['words as an error event', 'event: error\ndata: backend died\n\n', /backend died/],
    [
      'finish_reason error',
      'data: {"choices":[{"index":0,"delta":{},"finish_reason":"error"}]}\n\n',
      /reported an error/,
    ],
  ]
  it.each(CASES)('fails with a reason: %s', async (_name, raw, words) => {
    server = await scriptedModelServer({ answers: [[{ raw }]] })
    const { session } = open()
    await expect(collectTurn(session.prompt({ text: 'hi' }, AbortSignal.timeout(20_000)))).rejects.toThrow(words)
    expect(server.exchanges).toHaveLength(1)
  })

  it.each([
    'data: {"choices":[{"index":0,"delta":{"content":"Half an ans',
    'data: {"choices":[{"index":0,"delta":{"content":"Half"}}]}\n\n',
  ])('says that the server stopped in the middle, at once', async (raw) => {
    server = await scriptedModelServer({ answers: [[{ raw }, { drop: true }], [{ say: 'Back again.' }]] })
    const { session } = open()
    await expect(collectTurn(session.prompt({ text: 'hi' }, AbortSignal.timeout(20_000)))).rejects.toMatchObject({
      code: 'crashed',
      message: 'U stopped in the middle of its answer.',
    })
    expect(textOf(await collectTurn(session.prompt({ text: 'hi' }, AbortSignal.timeout(20_000))))).toBe('Back again.')
    expect(server.faults).toEqual([])
  })

  it('takes an answer that ends in order without any mark', async () => {
    server = await scriptedModelServer({
      answers: [[{ raw: 'data: {"choices":[{"index":0,"delta":{"content":"Whole."}}]}\n\n' }]],
    })
    const { session } = open()
    expect(textOf(await collectTurn(session.prompt({ text: 'hi' }, AbortSignal.timeout(20_000))))).toBe('Whole.')
  })

  it('ignores words that never were JSON, and an error that is null', async () => {
    const chunk = '{"error":null,"choices":[{"index":0,"delta":{"content":"Fine."},"finish_reason":"stop"}]}'
    server = await scriptedModelServer({ answers: [[{ raw: `data: ping\n\ndata: ${chunk}\n\ndata: [DONE]\n\n` }]] })
    const { session } = open()
    expect(textOf(await collectTurn(session.prompt({ text: 'hi' }, AbortSignal.timeout(20_000))))).toBe('Fine.')
  })
})

describe('calls that must not be carried out', () => {
  const call = (args: string, finish: string): string =>
    [
      `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"search_products","arguments":${JSON.stringify(args)}}}]}}]}`,
      `{"choices":[{"index":0,"delta":{},"finish_reason":"${finish}"}]}`,
      '[DONE]',
    ]
      .map((data) => `data: ${data}\n\n`)
      .join('')

  it.each(['{"query":"blue mug"}', '{"query":"blue m', ''])(
    'not a call cut off by the token limit: %j',
    async (args) => {
      server = await scriptedModelServer({ answers: [[{ raw: call(args, 'length') }], [{ say: 'OK' }]] })
      const { session, offered } = open()
      const events = await collectTurn(session.prompt({ text: 'hi' }, AbortSignal.timeout(20_000)))
      expect(offered.calls).toEqual([])
      expect(events.at(-1)).toEqual({ type: 'turn_end', stopReason: 'max_tokens' })
      await collectTurn(session.prompt({ text: 'go on' }, AbortSignal.timeout(20_000)))
      expect(server.faults).toEqual([])
    },
  )

  it('not one whose arguments are no complete object: the model is told, with what it sent', async () => {
    server = await scriptedModelServer({
      answers: [[{ raw: call('{"query":"blue m', 'tool_calls') }], [{ say: 'Sorry.' }]],
    })
    const { session, offered } = open()
    const events = await collectTurn(session.prompt({ text: 'hi' }, AbortSignal.timeout(20_000)))
    expect(offered.calls).toEqual([])
    expect(events.flatMap((event) => (event.type === 'tool_call' ? [event.status] : []))).toEqual([
      'in_progress',
      'failed',
    ])
    const [, assistant, result] = server.exchanges[1]?.body.messages as Record<string, unknown>[]
    expect(JSON.stringify(assistant)).toContain('unreadable')
    expect(String(result?.['content'])).toContain('{\\"query\\":\\"blue m')
    expect(server.faults).toEqual([])
  })
})
