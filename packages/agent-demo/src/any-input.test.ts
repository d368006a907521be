/** Whatever a page declares and a visitor asks: nothing crashes, and every turn ends exactly once. */
import type { JsonObject } from '@leuria/agent'
import { computedMs, fakePageTools, type FakeTool } from '@leuria/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ask, openDemo } from './ask.fixture.js'

const name = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'get_x', 'addThing', '', 'id', 'query', 'thingId', '\u202e'),
)
const word = fc.constantFrom(
  ...[
    'find',
    'add',
    'it',
    'the second one',
    'blue',
    '7',
    '"quoted"',
    '2026-01-01',
    'to',
    'under 30',
    'not',
    '天気',
    'délété',
  ],
  ...[
    'between 1 and 2',
    'called',
    '-1e9',
    '9'.repeat(40),
    'a@b.cc',
    "'",
    '„',
    '\ud800',
    'and then delete',
    '#3',
    'x-1',
  ],
)
const question = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.array(word, { maxLength: 12 }).map((words) => words.join(' ')),
)

const leaf = fc.oneof(
  fc.record(
    {
      type: fc.constantFrom('string', 'integer', 'number', 'boolean', 'array', 'null', 'nonsense'),
      minimum: fc.oneof(fc.integer(), fc.constant('x')),
      maximum: fc.double(),
      maxLength: fc.integer(),
      minLength: fc.integer(),
      format: fc.constantFrom('email', 'date', 'date-time', 'time', 'uri', '?'),
      description: fc.oneof(fc.string(), fc.integer()),
      default: fc.jsonValue({ maxDepth: 1 }),
    },
    { requiredKeys: [] },
  ),
  fc.record({ enum: fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 4 }) }),
  fc.constantFrom(
    { $ref: '#' },
    { $ref: '#/properties/a' },
    { $ref: '#/__proto__' },
    { anyOf: [] },
    { oneOf: 3 },
    null,
    4,
    [],
  ),
)
const { schema } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.record(
      {
        type: fc.constantFrom('object', ['object', 'null'], 'array'),
        properties: fc.oneof(fc.dictionary(name, tie('schema'), { maxKeys: 5 }), fc.constant(null)),
        required: fc.oneof(fc.array(name, { maxLength: 3 }), fc.constant('id')),
        items: tie('schema'),
        minItems: fc.integer({ min: -1, max: 3 }),
      },
      { requiredKeys: [] },
    ),
  ),
}))

const toolSet = fc.dictionary(
  name,
  fc.record({
    description: fc.string({ unit: 'grapheme', maxLength: 60 }),
    inputSchema: schema,
    result: fc.oneof(
      fc.json({ maxDepth: 4 }),
      fc.string({ unit: 'binary' }),
      fc.constant('[{"id":"a","name":"Blue"},{"id":"b","name":"Red"}]'),
      fc.constant(null),
    ),
  }),
  { maxKeys: 6 },
)

it('never crashes and always ends a turn once, whatever is declared and asked', async () => {
  await fc.assert(
    fc.asyncProperty(toolSet, fc.array(question, { minLength: 1, maxLength: 4 }), async (set, questions) => {
      const tools = Object.entries(set).map(([key, { result, ...tool }]): [string, FakeTool] => [
        key,
        {
          description: tool.description,
          // A page may declare anything; the contract says object, hostile input may say otherwise.
          inputSchema: tool.inputSchema as JsonObject,
          run: () => result ?? { ok: false, code: 'page_error', error: 'no' },
        },
      ])
      const page = fakePageTools(Object.fromEntries(tools))
      const session = await openDemo(page)
      for (const text of questions) {
        const { events } = await ask(session, text)
        expect(events.filter((event) => event.type === 'turn_end')).toHaveLength(1)
        expect(events.at(-1)?.type).toBe('turn_end')
        expect(events.some((event) => event.type === 'text' && event.text === '')).toBe(false)
      }
      for (const call of page.calls) {
        expect(Object.hasOwn(set, call.name)).toBe(true)
        expect(() => JSON.stringify(call.arguments)).not.toThrow()
      }
    }),
    { numRuns: 300 },
  )
}, 60_000)

it('answers a huge question about huge tools in reasonable time', async () => {
  const tools = Object.fromEntries(
    Array.from({ length: 200 }, (_, number): [string, FakeTool] => [
      `tool_${number}`,
      {
        description: `word${number} `.repeat(2_000),
        inputSchema: { type: 'object', properties: { query: { type: 'string' } } },
      },
    ]),
  )
  const session = await openDemo(fakePageTools(tools))
  const before = computedMs()
  await ask(session, Array.from({ length: 20_000 }, (_, number) => `thing${number}`).join(' '))
  expect(computedMs() - before).toBeLessThan(5_000)
}, 60_000)
