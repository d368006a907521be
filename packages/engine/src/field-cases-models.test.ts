/**
 * Field cases of model servers' streams, byte for byte, through a whole engine and a page; the ids stand in the comments.
 * The same at the part: packages/language-model. FC-12 and FC-14: field-cases.test.ts. FC-20: spec-embeddings.test.ts.
 */
import { livedTime, type ModelAnswer, type ModelExchange } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import { openModelEngine } from './model-engine.fixture.js'
import { connectSite, type TestSession } from './site.fixture.js'

const DONE = 'data: [DONE]\n\n'
const delta = (json: string, finish = 'null'): string =>
  `data: {"id":"x1","object":"chat.completion.chunk","choices":[{"index":0,"delta":${json},"finish_reason":${finish}}]}\n\n`
const stop = (reason = 'stop'): string => delta('{}', `"${reason}"`)
const QUERY = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] }

/** What the page saw of a turn whose answers were these bytes. */
async function play(answers: readonly ModelAnswer[], toolNames: readonly string[] = ['search_products', 'get_cart']) {
  await using engine = await openModelEngine('test-model', { answers })
  const session = await (await connectSite(engine.test)).prepare({ prompt: 'hello' })
  const page = await session.page({
    tools: Object.fromEntries(
      toolNames.map((name) => [name, { ...(name === 'search_products' && { inputSchema: QUERY }), run: () => 'done' }]),
    ),
  })
  await session.act('approve')
  const last = await lastOf(session)
  expect(engine.server.faults).toEqual([])
  expect(engine.test.warnings).toEqual([])
  return {
    last,
    chunks: textOf(session, 'chunk'),
    thoughts: textOf(session, 'thought'),
    calls: page.calls.map(({ tool, arguments: args }) => [tool, args]),
    messages: engine.server.exchanges.at(-1)?.body.messages as Record<string, unknown>[],
    offered: engine.server.exchanges[0]?.body.tools as { function: { name: string } }[],
  }
}

async function lastOf(session: TestSession): Promise<{ event: string; data: unknown }> {
  const last = () => session.events.find(({ event }) => event === 'turn_completed' || event === 'failed')
  await expect.poll(last, { timeout: 20_000, interval: 5 }).toBeDefined()
  return last() ?? expect.fail('unreachable: it was just seen')
}

const textOf = (session: TestSession, name: string): string =>
  session.events
    .filter(({ event }) => event === name)
    .map(({ data }) => String(data))
    .join('')

const completed = (text: string) => ({ event: 'turn_completed', data: { text } })
const THEN: ModelAnswer = [{ say: 'ok' }]

// FC-07
describe('tool calls without index, or all with index 0', () => {
  const call = (id: string, name: string, args: string): string =>
    `"id":"${id}","type":"function","function":{"name":"${name}","arguments":${JSON.stringify(args)}}`
  const search = call('call_a', 'search_products', '{"query":"blue mug"}')
  const cart = call('call_b', 'get_cart', '{}')
  const both = [
    ['search_products', { query: 'blue mug' }],
    ['get_cart', {}],
  ]
  it.each([
    ['A', delta(`{"role":"assistant","tool_calls":[{${search}},{${cart}}]}`), both],
    ['B', delta(`{"tool_calls":[{"index":0,${search}}]}`) + delta(`{"tool_calls":[{"index":0,${cart}}]}`), both],
    [
      'C',
      delta(`{"tool_calls":[{${call('call_a', 'search_products', '')}}]}`) +
        delta('{"tool_calls":[{"function":{"arguments":"{\\"query\\":"}}]}') +
        delta('{"tool_calls":[{"function":{"arguments":"\\"blue mug\\"}"}}]}'),
      both.slice(0, 1),
    ],
  ])('%s', async (_, raw, calls) => {
    const seen = await play([[{ raw: raw + stop('tool_calls') + DONE }], THEN])
    expect(seen).toMatchObject({ last: completed('ok'), calls })
    const made = seen.messages.flatMap(({ tool_calls }) => (tool_calls ?? []) as { id: string }[])
    const answered = seen.messages.filter(({ role }) => role === 'tool')
    expect(made).toHaveLength(calls.length)
    expect(answered.map(({ tool_call_id }) => tool_call_id)).toEqual(made.map(({ id }) => id))
  })
})

// FC-08
it.each(['"arguments":""', '', '"arguments":null', '"arguments":"  "'])(
  'carries out a call without arguments: %j',
  async (member) => {
    const fn = `{"name":"get_cart"${member === '' ? '' : `,${member}`}}`
    const raw = delta(`{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":${fn}}]}`)
    const seen = await play([[{ raw: raw + stop('tool_calls') + DONE }], THEN])
    expect(seen).toMatchObject({ last: completed('ok'), calls: [['get_cart', {}]] })
    expect(seen.messages.find(({ role }) => role === 'assistant')).toMatchObject({
      tool_calls: [{ function: { arguments: '{}' } }],
    })
  },
)

// FC-09
it.each([
  ['"choices":[]', '{}'],
  ['"choices":null', '{}'],
  ['"object":"chat.completion.chunk"', '{}'],
  ['"choices":[]', 'null'],
])('reads on after a chunk with no choice: %s, last delta %s', async (member, last) => {
  const raw =
    `data: {"id":"x1",${member}}\n\n${delta('{"content":"Hi"}')}${delta(last, '"stop"')}` +
    `data: {"id":"x1",${member},"usage":{"prompt_tokens":5,"completion_tokens":1,"total_tokens":6}}\n\n${DONE}`
  expect(await play([[{ raw }]])).toMatchObject({ last: completed('Hi'), chunks: 'Hi' })
})

// FC-10
describe('no [DONE]', () => {
  const USAGE = 'data: {"id":"x1","choices":[],"usage":{"prompt_tokens":5,"completion_tokens":1,"total_tokens":6}}\n\n'
  it.each(['A', 'B', 'C'])(
    'is complete within 5 s of the finish reason; the next prompt works: %s',
    async (variant) => {
      const answer = async (exchange: ModelExchange): Promise<void> => {
        await exchange.write(delta('{"content":"Done."}') + stop())
        if (variant === 'B') {
          await new Promise((resolve) => setTimeout(resolve, 300))
          await exchange.write(USAGE)
        }
        if (variant === 'C') exchange.end()
      }
      await using engine = await openModelEngine('test-model', { answers: [answer, [{ say: 'Again.' }]] })
      const session = await (await connectSite(engine.test)).prepare({ prompt: 'hello' })
      using time = livedTime()
      await session.act('approve')
      expect(await lastOf(session)).toMatchObject(completed('Done.'))
      expect(time.ms).toBeLessThan(5_000)
      expect(await session.info()).toMatchObject({ status: 'idle' })
      await engine.server.exchanges[0]?.closed
      await session.act('prompt', { prompt: 'again' })
      await expect.poll(() => session.events.at(-1)).toMatchObject(completed('Again.'))
    },
  )
})

// FC-11
describe('UTF-8 cut by the network', () => {
  const bytes = Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"北京🌍"},"finish_reason":null}]}\n\n')
  const call = Buffer.from(
    delta(
      '{"tool_calls":[{"index":0,"id":"c","function":{"name":"search_products","arguments":"{\\"query\\":\\"北京🌍\\"}"}}]}',
    ),
  )
  const inPieces =
    (pieces: readonly Uint8Array[], pauseMs = 0, reason = 'stop') =>
    async (exchange: ModelExchange): Promise<void> => {
      for (const piece of pieces) {
        await exchange.write(piece)
        if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
      await exchange.write(stop(reason) + DONE)
      exchange.end()
    }
  const single = (all: Buffer): Uint8Array[] => [...all].map((byte) => Uint8Array.of(byte))

  it('arrives whole', async () => {
    expect(bytes).toHaveLength(87)
    const cut = [bytes.subarray(0, 50), bytes.subarray(50, 57), bytes.subarray(57)]
    for (const answer of [inPieces(cut, 50), inPieces(single(bytes))])
      expect(await play([answer])).toMatchObject({ last: completed('北京🌍'), chunks: '北京🌍' })
    expect(await play([inPieces(single(call), 0, 'tool_calls'), THEN])).toMatchObject({
      calls: [['search_products', { query: '北京🌍' }]],
    })
  })
})

// FC-13
it.each([
  ['A', '{"reasoning_content":"2+2"}'],
  ['B', '{"reasoning":"2+2"}'],
  ['C', '{"reasoning_content":"2+2","reasoning":"2+2"}'],
  ['D', '{"reasoning":"2+2","content":""}'],
])('shows reasoning once, whatever it is called: %s', async (_, thought) => {
  const raw = delta(thought) + delta('{"content":"4"}') + stop() + DONE
  expect(await play([[{ raw }]])).toMatchObject({ last: completed('4'), chunks: '4', thoughts: '2+2' })
})

// FC-18
it('offers tools under names that every API takes, and calls them by the page’s own', async () => {
  const second: ModelAnswer = async (exchange) => {
    const tools = exchange.body.tools as { function: { name: string } }[]
    await exchange.play([{ call: { name: tools[1]?.function.name ?? '' } }])
  }
  const names = ['search_products', 'cart.add', 'add to cart', 'größe']
  const seen = await play([second, THEN], names)
  expect(seen).toMatchObject({ last: completed('ok'), calls: [['cart.add', {}]] })
  const offered = seen.offered.map((tool) => tool.function.name)
  expect(offered[0]).toBe('search_products')
  expect(new Set(offered).size).toBe(names.length)
  for (const name of offered) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
})
