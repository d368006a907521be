/**
 * Recorded streams, damaged in every way: the loop never crashes, never calls a tool with arguments that the model
 * did not send, and always ends. Rounds: `LEURIA_TEST_ROUNDS` (1,000 for a thorough run).
 */
import { AgentError, type TurnEvent } from '@leuria/agent'
import { systemClock } from '@leuria/clock'
import {
  fakePageTools,
  type ModelQuirk,
  MODEL_QUIRKS,
  type ScriptedModelServer,
  scriptedModelServer,
} from '@leuria/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createOpenAiModel, openModelSession } from './index.js'

const ROUNDS = Number(process.env['LEURIA_TEST_ROUNDS'] ?? 200)

let server: ScriptedModelServer
beforeAll(async () => {
  server = await scriptedModelServer({ otherwise: [{ say: 'Enough.' }] })
})
afterAll(async () => server.close())

const event = (data: string): string => `data: ${data}\n\n`
const chunk = (delta: object, finish: string | null = null): string =>
  event(JSON.stringify({ id: 'x', choices: [{ index: 0, delta, finish_reason: finish }] }))
const call = (fields: object, about: object): object => ({ tool_calls: [{ ...fields, function: about }] })

/** The values a mutated stream may still spell out; each round's arguments must be made of the sent bytes. */
const SEEDS: readonly string[] = [
  chunk({ role: 'assistant', content: 'Hello ' }) +
    chunk({ content: 'wörld 🌍' }) +
    chunk({}, 'stop') +
    event('[DONE]'),
  chunk(call({ index: 0, id: 'a', type: 'function' }, { name: 'search', arguments: '' })) +
    chunk(call({ index: 0 }, { arguments: '{"query":' })) +
    chunk(call({ index: 0 }, { arguments: '"blue mug","max":3}' })) +
    chunk(call({ index: 1, id: 'b', type: 'function' }, { name: 'get_cart', arguments: '{}' })) +
    chunk({}, 'tool_calls') +
    event('{"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":1}}') +
    event('[DONE]'),
  chunk({
    tool_calls: [
      { id: 'a', function: { name: 'search', arguments: { query: 'x' } } },
      { id: 'b', function: { name: 'search', arguments: "{'query': 'y',}" } },
    ],
  }) + chunk({}, 'stop'),
  chunk({ content: '<think>hm' }) +
    chunk({ content: 'm</think>{"name":"search",' }) +
    chunk({ content: '"arguments":{"query":"z"}}' }) +
    chunk({}, 'stop') +
    event('[DONE]'),
  event('{"error":{"message":"overloaded","code":503}}'),
  JSON.stringify({ choices: [{ message: { content: 'Whole.' }, finish_reason: 'stop' }] }, null, 1),
]

type Mutation = (bytes: Buffer) => Buffer
const at = (bytes: Buffer, place: number): number => (bytes.length === 0 ? 0 : place % bytes.length)

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.nat().map(
    (place): Mutation =>
      (bytes) =>
        bytes.subarray(0, at(bytes, place)),
  ),
  fc.tuple(fc.nat(), fc.integer({ min: 1, max: 40 })).map(
    ([place, length]): Mutation =>
      (bytes) =>
        Buffer.concat([bytes.subarray(0, at(bytes, place)), bytes.subarray(at(bytes, place) + length)]),
  ),
  fc.tuple(fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 8 })).map(
    ([place, noise]): Mutation =>
      (bytes) =>
        Buffer.concat([bytes.subarray(0, at(bytes, place)), noise, bytes.subarray(at(bytes, place))]),
  ),
  fc.tuple(fc.nat(), fc.nat()).map(([from, to]): Mutation => (bytes) => {
    const events = bytes.toString('latin1').split('\n\n')
    const [moved = ''] = events.splice(from % events.length, 1)
    events.splice(to % (events.length + 1), 0, moved)
    return Buffer.from(events.join('\n\n'), 'latin1')
  }),
  fc.nat().map((place): Mutation => (bytes) => {
    const events = bytes.toString('latin1').split('\n\n')
    const chosen = events[place % events.length] ?? ''
    return Buffer.from([...events, chosen, chosen].join('\n\n'), 'latin1')
  }),
  fc.constant<Mutation>((bytes) => Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1')),
)

/** Every string and number in a value, as text. */
function scalars(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, inner]) => [key, ...scalars(inner)])
  }
  return [String(value)]
}

/** What the sent bytes spell, without everything that JSON and its repair add or take away. */
const spelled = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

async function play(bytes: Buffer, drop: boolean): Promise<void> {
  server.answer(async (exchange) => {
    await exchange.write(bytes)
    if (drop) exchange.drop()
    else exchange.end()
  })
  const tools = fakePageTools({ search: {}, get_cart: {} })
  const model = createOpenAiModel({ baseUrl: server.url, model: 'm', serviceName: 'U', clock: systemClock })
  const session = openModelSession({ model, tools })
  const events: TurnEvent[] = []
  try {
    for await (const turnEvent of session.prompt({ text: 'hi' }, AbortSignal.timeout(20_000))) events.push(turnEvent)
    expect(events.filter(({ type }) => type === 'turn_end')).toHaveLength(1)
    expect(events.at(-1)).not.toEqual({ type: 'turn_end', stopReason: 'cancelled' })
  } catch (error) {
    expect(error).toBeInstanceOf(AgentError)
  }
  const sent = spelled(bytes.toString('utf8'))
  for (const made of tools.calls) {
    // A chunk that was lost or moved can bring pieces together, but each is the model's own.
    for (const scalar of scalars(made.arguments))
      for (const word of scalar.split(/[^\p{L}\p{N}]+/u)) expect(sent).toContain(spelled(word))
  }
}

it(`survives ${ROUNDS} damaged streams`, { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...SEEDS),
      fc.array(mutation, { minLength: 0, maxLength: 3 }),
      fc.boolean(),
      async (seed, mutations, drop) =>
        play(
          mutations.reduce<Buffer>((bytes, mutate) => mutate(bytes), Buffer.from(seed)),
          drop,
        ),
    ),
    { numRuns: ROUNDS },
  )
  expect(server.faults).toEqual([])
})

it('survives any mixture of habits', { timeout: 60_000 }, async () => {
  const quirks = (Object.keys(MODEL_QUIRKS) as ModelQuirk[]).filter(
    (quirk) => !['done_missing_open', 'call_as_text', 'bytewise'].includes(quirk),
  )
  await fc.assert(
    fc.asyncProperty(fc.subarray(quirks), fc.dictionary(fc.string(), fc.jsonValue()), async (chosen, args) => {
      const has = (...habits: ModelQuirk[]): boolean => habits.every((quirk) => chosen.includes(quirk))
      // Nothing then tells a call without arguments from one that lost them: it is refused.
      if (has('finish_missing', 'done_missing', 'empty_arguments') && !has('not_a_stream')) return
      const sent = JSON.parse(JSON.stringify(args)) as unknown
      // That habit would change quotes inside the values too.
      if (has('broken_arguments') && /['\\]/.test(JSON.stringify(args))) return
      const own = await scriptedModelServer({
        quirks: Object.fromEntries(chosen.map((quirk) => [quirk, true])),
        answers: [[{ call: [{ name: 'search', arguments: sent }, { name: 'get_cart' }] }], [{ say: 'Done.' }]],
      })
      const tools = fakePageTools({ search: {}, get_cart: {} })
      const model = createOpenAiModel({ baseUrl: own.url, model: 'm', serviceName: 'U', clock: systemClock })
      try {
        for await (const _event of openModelSession({ model, tools }).prompt(
          { text: 'hi' },
          AbortSignal.timeout(20_000),
        ));
      } finally {
        await own.close()
      }
      expect(tools.calls.map(({ name }) => name).at(-1)).toBe('get_cart')
      const searches = tools.calls.filter(({ name }) => name === 'search')
      // Broken quoting can't always be undone; then the call is refused.
      if (!has('broken_arguments')) expect(searches).toHaveLength(1)
      for (const { arguments: got } of searches) expect(got).toEqual(sent)
      expect(own.faults).toEqual([])
    }),
    { numRuns: Math.ceil(ROUNDS / 2) },
  )
})
