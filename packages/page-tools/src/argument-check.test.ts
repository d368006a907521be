import type { JsonObject } from '@leuria/agent'
import { computedMs, fakeClock } from '@leuria/testing'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPageTools, type PageLink, TOOL_LIMITS } from './index.js'
import { patternSteps } from './pattern-cost.js'

/** Declares a tool with a schema; `try` gives the faults told to the AI, or null when the page was asked. */
function toolWith(inputSchema: unknown) {
  const reply = () => Promise.resolve({ ok: true as const, result: null })
  const page: PageLink = { callTool: reply, readResource: reply, getPrompt: reply, cancel: () => undefined }
  const tools = createPageTools({ page, clock: fakeClock(), origin: 'local', sessionId: 's' })
  const declared = tools.declare({ name: 't', inputSchema })
  return {
    declared,
    async try(args: unknown): Promise<string | null> {
      const outcome = await tools.call({ name: 't', arguments: args })
      return outcome.ok ? null : `${outcome.code}: ${outcome.error}`
    },
  }
}

const told = (faults: string): string =>
  `invalid_arguments: The arguments for "t" don't fit: ${faults}. Correct them and call the tool again.`

describe('arguments', () => {
  const schema = {
    type: 'object',
    properties: {
      query: { type: 'string', minLength: 2 },
      limit: { type: 'integer', maximum: 50 },
      sort: { enum: ['price', 'name'] },
      filters: { type: 'array', items: { type: 'object', required: ['key'], properties: { key: { type: 'string' } } } },
    },
    required: ['query'],
    additionalProperties: false,
  }

  it.each<[string, unknown, string | null]>([
    ['that fit reach the page', { query: 'mug', limit: 3, sort: 'name', filters: [{ key: 'a' }] }, null],
    ['without a required property', {}, told('"query" is missing')],
    ['of a wrong type', { query: 3 }, told('query: must be "string", not "number"')],
    [
      'with several faults, all told',
      { query: 'x', limit: 99, sort: 'size', filters: [{}] },
      told(
        'query: String is too short (1 < 2); limit: 99 is greater than 50; sort: must be one of ["price","name"]; filters[0]: "key" is missing',
      ),
    ],
    [
      'with an unknown property',
      { query: 'mug', colour: 1 },
      told('"colour" is not a known property, or has a wrong value'),
    ],
    ['that are a list', [], told('they must be a JSON object, not a list')],
    ['that are a text', '{"query":"mug"}', told('they must be a JSON object, not a string')],
    ['that are missing count as {}', undefined, told('"query" is missing')],
  ])('%s', async (_, args, faults) => {
    const tool = toolWith(schema)
    expect(tool.declared).toEqual({ ok: true })
    expect(await tool.try(args)).toBe(faults)
  })

  it('tell at most six faults', async () => {
    const properties = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`p${at}`, { type: 'string' }]))
    const args = Object.fromEntries(Object.keys(properties).map((name) => [name, 1]))
    expect(await toolWith({ properties }).try(args)).toMatch(/; and 3 more\./)
  })

  it.each([
    ['not', { not: { required: ['a'] } }, { a: 1 }],
    ['anyOf', { properties: { a: { anyOf: [{ type: 'string' }, { type: 'number' }] } } }, { a: true }],
    ['oneOf', { properties: { a: { oneOf: [{ minimum: 1 }, { minimum: 2 }] } } }, { a: 3 }],
    ['if and then', { if: { required: ['a'] }, then: { required: ['b'] } }, { a: 1 }],
    ['const', { properties: { a: { const: { x: 1 } } } }, { a: { x: 2 } }],
    ['uniqueItems', { properties: { a: { uniqueItems: true } } }, { a: [1, 1] }],
    ['prefixItems', { properties: { a: { prefixItems: [{ type: 'string' }] } } }, { a: [1] }],
    ['patternProperties', { patternProperties: { '^n_': { type: 'number' } } }, { n_a: 'x' }],
    ['propertyNames', { propertyNames: { maxLength: 2 } }, { long: 1 }],
    ['dependentRequired', { dependentRequired: { a: ['b'] } }, { a: 1 }],
    [
      'dependencies of draft 7',
      { $schema: 'http://json-schema.org/draft-07/schema#', dependencies: { a: ['b'] } },
      { a: 1 },
    ],
    [
      'a reference into $defs',
      { properties: { a: { $ref: '#/$defs/n' } }, $defs: { n: { type: 'number' } } },
      { a: 'x' },
    ],
    [
      'a recursive reference',
      { properties: { child: { $ref: '#' } }, additionalProperties: false },
      { child: { child: { x: 1 } } },
    ],
    [
      'an exclusive minimum of draft 4',
      { $schema: 'http://json-schema.org/draft-04/schema#', properties: { a: { minimum: 1, exclusiveMinimum: true } } },
      { a: 1 },
    ],
    [
      'a property called __proto__',
      { properties: JSON.parse('{"__proto__":{"type":"number"}}') as unknown },
      JSON.parse('{"__proto__":"x"}') as unknown,
    ],
  ])('are held to %s', async (_, inputSchema, args) => {
    const tool = toolWith(inputSchema)
    expect(tool.declared).toEqual({ ok: true })
    expect(await tool.try(args)).toMatch(/^invalid_arguments/)
  })

  it('ignore keywords that say nothing about a value, format among them', async () => {
    const tool = toolWith({
      properties: { at: { type: 'string', format: 'time', title: 5, nullable: true } },
      'x-own': {},
    })
    expect(tool.declared).toEqual({ ok: true })
    expect(await tool.try({ at: '14:30' })).toBeNull()
  })

  it('next to a $ref are ignored in draft 7 and count in 2020-12', async () => {
    const schema = { properties: { a: { $ref: '#/$defs/any', type: 'number' } }, $defs: { any: {} } }
    expect(await toolWith(schema).try({ a: 'x' })).toMatch(/number/)
    expect(await toolWith({ $schema: 'http://json-schema.org/draft-07/schema#', ...schema }).try({ a: 'x' })).toBeNull()
  })

  it('may be as large and as deep as the limits, no more', async () => {
    const tool = toolWith({})
    const nest = (depth: number): unknown => (depth === 1 ? {} : { a: nest(depth - 1) })
    expect(await tool.try(nest(TOOL_LIMITS.maxDepth))).toBeNull()
    expect(await tool.try(nest(TOOL_LIMITS.maxDepth + 1))).toMatch(/^invalid_arguments: .*nested/)
    expect(await tool.try({ a: 'x'.repeat(TOOL_LIMITS.maxArgumentsLength - 100) })).toBeNull()
    expect(await tool.try({ a: 'x'.repeat(TOOL_LIMITS.maxArgumentsLength) })).toMatch(/^too_large/)
  })
})

describe('a broken schema', () => {
  it.each<[string, JsonObject, RegExp]>([
    ['an unknown type', { properties: { a: { type: 'strin' } } }, /properties\/a\/type must be the name of a type/],
    ['required as in draft 3', { properties: { a: { required: true } } }, /required must be a list of texts/],
    ['properties that are a list', { properties: [] }, /properties must be an object/],
    ['a schema that is a number', { properties: { a: 5 } }, /properties\/a must be an object/],
    ['anyOf that is no list', { anyOf: {} }, /anyOf must be a list/],
    ['a reference to nowhere', { properties: { a: { $ref: '#/$defs/no' } } }, /leads to nothing/],
    ['a reference to another server', { $ref: 'https://evil.example/schema.json' }, /leads to nothing/],
    ['a reference to itself', { $ref: '#' }, /refers to itself without end/],
    ['a pattern that is none', { properties: { a: { pattern: '(' } } }, /regular expression/],
    ['a key that is no pattern', { patternProperties: { '[': {} } }, /regular expression/],
    ['another type than object', { type: 'array' }, /type must be "object"/],
    ['an $id that is none', { $id: 'http://[' }, /./],
    ['more parts than anyone needs', { anyOf: Array.from({ length: 5_001 }, () => ({})) }, /more than 5000 parts/],
  ])('with %s is accepted, warned about, and not checked', async (_, schema, warning) => {
    const tool = toolWith(schema)
    expect(tool.declared).toEqual({ ok: true, warning: expect.stringMatching(warning) as unknown })
    expect(await tool.try({ anything: [1] })).toBeNull()
  })
})

describe('a hostile schema', () => {
  /** Generous for a busy machine: unbounded, each of these takes minutes or for ever. */
  const LIMIT_MS = 1_500
  const doubling = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => {
      const next = { $ref: `#/$defs/d${at + 1}` }
      return [`d${at}`, at === 59 ? {} : { allOf: [next, next] }]
    }),
  )
  const wide = Array.from({ length: 20_000 }, (_, at) => ({ at }))
  const deepTree = JSON.parse('{"c":'.repeat(60) + '1' + '}'.repeat(60)) as unknown

  it.each<[string, JsonObject, unknown]>([
    ['doubles its work at every level', { properties: { x: { $ref: '#/$defs/d0' } }, $defs: doubling }, { x: 1 }],
    [
      'doubles its work at every level of the arguments',
      { properties: { c: { anyOf: [{ $ref: '#' }, { $ref: '#' }] } } },
      deepTree,
    ],
    ['backtracks without end', { properties: { a: { pattern: '^(a+)+$' } } }, { a: `${'a'.repeat(50)}!` }],
    ['backtracks in a polynomial way', { properties: { a: { pattern: 'a*a*a*a*a*b' } } }, { a: 'a'.repeat(5_000) }],
    ['backtracks in a property name', { patternProperties: { '(x+x+)+y': {} } }, { ['x'.repeat(60)]: 1 }],
    [
      'repeats a slow pattern over many values',
      { properties: { a: { items: { pattern: '^[^@]+@[^@]+[.][^@]+$' } } } },
      { a: Array.from({ length: 5_000 }, () => 'x@'.repeat(60)) },
    ],
    ['compares all items with each other', { properties: { a: { uniqueItems: true } } }, { a: wide }],
    ['has a huge enum', { properties: { a: { items: { enum: wide.slice(0, 4_000) } } } }, { a: wide.slice(0, 5_000) }],
  ])('that %s ends soon, and the page decides', async (_, schema, args) => {
    const tool = toolWith(schema)
    const start = computedMs()
    expect(await tool.try(args)).toBeNull()
    expect(computedMs() - start).toBeLessThan(LIMIT_MS)
  })

  it('does not cost other checks of the same tool', async () => {
    const tool = toolWith({ properties: { a: { type: 'string', pattern: '^(a+)+$' } } })
    expect(await tool.try({ a: 'a'.repeat(60) })).toBeNull()
    expect(await tool.try({ a: 'b' })).toMatch(/pattern/)
    expect(await tool.try({ a: 5 })).toMatch(/string/)
  })

  it('never throws, whatever the schema and the arguments', async () => {
    const keyword = fc.constantFrom(
      'type',
      'properties',
      'items',
      'anyOf',
      'not',
      '$ref',
      'enum',
      'pattern',
      'required',
      '$id',
      '$defs',
    )
    const { schema } = fc.letrec((tie) => ({
      schema: fc.dictionary(
        keyword,
        fc.oneof(
          { depthSize: 'small' },
          fc.jsonValue(),
          tie('schema'),
          fc.array(tie('schema'), { maxLength: 3 }),
          fc.constant('#'),
        ),
        { maxKeys: 4 },
      ),
    }))
    await fc.assert(
      fc.asyncProperty(schema, fc.dictionary(fc.string(), fc.jsonValue()), async (inputSchema, args) => {
        await toolWith(inputSchema).try(args)
      }),
      { numRuns: 300 },
    )
  })
})

describe('the bound of a pattern', () => {
  it.each([
    ['^[a-z]+$', 1_000, 10_000],
    ['^\\d{4}-\\d{2}-\\d{2}$', 1_000_000, 100],
    ['^[A-Z]{2}[0-9]{1,3}(?:-x)?$', 1_000_000, 200],
    ['^(?=.{1,10}$)\\p{L}\\u{61}\\x61\\cA$', 1_000, 100],
    ['[\\]a]b', 1_000, 10_000],
    ['^(?<y>a)\\k<y>\\1$', 100, 1_000],
  ])('%s is cheap', (pattern, length, atMost) => {
    expect(patternSteps(pattern)?.(length)).toBeLessThan(atMost)
  })

  it.each([
    '(a+)+$',
    '(a|a)*$',
    '(?:a*)*b',
    '^(?:\\w+\\s?)+$',
    '(a|aa)+$',
    '^(([a-z])+.)+$',
    '(.*)*',
    'a'.repeat(1_001),
  ])('%s is endless on a long text', (pattern) => {
    expect(patternSteps(pattern)?.(200)).toBeGreaterThan(1e15)
  })

  it.each(['(', '[z-a]', '\\', 'a**', '\\p{Nope}', '[\\w-.]'])('%s is not a Unicode pattern', (pattern) => {
    expect(patternSteps(pattern)).toBeNull()
  })

  it('grows with the text, and reads any pattern that compiles', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ab()[\]|*+?{},.^$\\d0-3-]{0,12}$/), (pattern) => {
        const steps = patternSteps(pattern)
        if (steps === null) return
        expect(steps(20)).toBeGreaterThanOrEqual(steps(10))
        expect(steps(10)).toBeGreaterThan(0)
      }),
      { numRuns: 2_000 },
    )
  })
})
