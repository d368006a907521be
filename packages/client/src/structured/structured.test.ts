import { computedMs } from '@leuria/testing'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { FakePage } from '../conversation/page.fixture.js'
import { fails, hangs, says, type Script, ScriptedProvider } from '../conversation/scripted-provider.fixture.js'
import { extractJson, type SchemaInput, StructuredOutputError, SUBMIT_TOOL, type ToolOutcome } from '../index.js'

const schema = {
  type: 'object',
  properties: { name: { type: 'string' }, price: { type: 'number' } },
  required: ['name', 'price'],
}
const MUG = { name: 'mug', price: 9 }

const native = (...scripts: Script[]) => new ScriptedProvider('native', ...scripts).able('structured')
const byTool = (...scripts: Script[]) => new ScriptedProvider('by-tool', ...scripts).able('tools')

/** Hands these answers in, one after the other, and keeps what comes back. */
function submits(outcomes: ToolOutcome[], ...answers: unknown[]): Script {
  return async ({ context }) => {
    for (const args of answers) outcomes.push(await context.runTool({ name: SUBMIT_TOOL, args }))
  }
}

describe('an answer of a shape, from a provider that holds it to the schema', () => {
  it('is the JSON that was written', async () => {
    const own = native(says('{"name":"mug",', '"price":9}'))
    const conversation = new FakePage(own).conversation({ schema, system: 'Be brief.' })
    const run = conversation.send('The mug?')
    expect(await run.object()).toEqual(MUG)
    expect(await run.result()).toMatchObject({
      text: '{"name":"mug","price":9}',
      message: { metadata: { object: MUG } },
    })
    expect(own.session.options).toMatchObject({ schema, system: 'Be brief.', tools: [] })
  })

  it.each([
    ['in a fence', '```json\n{"name":"mug","price":9}\n```'],
    ['between words', 'Here you are: {"name":"mug","price":9}. Anything else?'],
  ])('may stand %s', async (_, words) => {
    const conversation = new FakePage(native(says(words))).conversation({ schema })
    expect(await conversation.send('The mug?').object()).toEqual(MUG)
  })

  it('stands once in the history of a later session', async () => {
    const own = native(says('{"name":"mug","price":9}'))
    const conversation = new FakePage(own).conversation({ schema })
    await conversation.send('?').object()
    await conversation.close()
    await conversation.send('!').object()
    expect(own.session.options.history[1]?.parts).toEqual([{ type: 'text', text: '{"name":"mug","price":9}' }])
  })

  it('isn’t wrapped when it is no object', async () => {
    const own = native(says('["mug","pen"]'))
    const list = { type: 'array', items: { type: 'string' } }
    expect(await new FakePage(own).conversation({ schema: list }).send('All?').object()).toEqual(['mug', 'pen'])
    expect(own.session.options.schema).toEqual(list)
  })

  it('is asked for once more when it doesn’t fit; only the last one stays', async () => {
    const own = native(says('{"name":"mug"}'), says('{"name":"mug","price":9}'))
    const run = new FakePage(own).conversation({ schema }).send('The mug?')
    expect(await run.object()).toEqual(MUG)
    expect(await run.text()).toBe('{"name":"mug","price":9}')
    expect(own.said[1]).toMatch(/doesn't fit.*price/)
    expect((await run.result()).message.parts).toHaveLength(1)
  })

  it('that doesn’t fit the second time either is a StructuredOutputError; the session stays', async () => {
    const own = native(says('no idea'), says('still none'), says('{"name":"mug","price":9}'))
    const conversation = new FakePage(own).conversation({ schema })
    const error = await conversation
      .send('The mug?')
      .object()
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(StructuredOutputError)
    expect(error).toMatchObject({ text: 'still none', code: 'bad_output', detail: 'There is no JSON in it.' })
    expect(conversation.getState()).toMatchObject({ status: 'error', session: 'ready' })
    expect(conversation.getState().messages.at(-1)?.parts).toEqual([{ type: 'text', text: 'still none' }])
    expect(await conversation.send('Again').object()).toEqual(MUG)
    expect(own.sessions).toHaveLength(1)
  })
})

describe('an answer of a shape, handed in with a tool', () => {
  it('is what was handed in; the call is hidden, counts nothing and passes no layer', async () => {
    const outcomes: ToolOutcome[] = []
    const own = byTool(submits(outcomes, MUG))
    const page = new FakePage(own)
    page.middleware.push(() => ({ ok: false, error: 'A layer.' }))
    const run = page.conversation({ schema, system: 'Be brief.', maxSteps: 0 }).send('The mug?')
    expect(await run.object()).toEqual(MUG)
    expect(outcomes).toEqual([{ ok: true, result: expect.any(String) as string }])
    expect((await run.result()).message.parts).toEqual([])
    expect(page.events.map((event) => event.type)).toEqual(['start', 'finish'])
    expect(own.session.options.tools).toEqual([
      { name: 'submit_result', description: expect.any(String) as string, inputSchema: schema },
    ])
    expect(own.session.options.system).toMatch(/^Be brief\.\n\n.*submit_result/)
    expect(own.session.options.schema).toBeUndefined()
  })

  it('goes back to the AI once when it doesn’t fit', async () => {
    const outcomes: ToolOutcome[] = []
    const run = new FakePage(byTool(submits(outcomes, { name: 'mug' }, MUG))).conversation({ schema }).send('?')
    expect(await run.object()).toEqual(MUG)
    expect(outcomes).toMatchObject([{ ok: false, error: expect.stringMatching(/price/) as string }, { ok: true }])
  })

  it('that doesn’t fit the second time ends the turn', async () => {
    const own = byTool(async (turn) => {
      await submits([], { name: 'mug' }, { name: 'pen' })(turn)
      await hangs()(turn)
    })
    const conversation = new FakePage(own).conversation({ schema })
    await expect(conversation.send('?').object()).rejects.toMatchObject({
      name: 'StructuredOutputError',
      text: '{"name":"pen"}',
    })
  })

  it('is wrapped when it is no object, and its definitions stay at the root', async () => {
    const list = { $defs: { sku: { type: 'string' } }, type: 'array', items: { $ref: '#/$defs/sku' } }
    for (const answer of [{ value: ['mug'] }, ['mug']]) {
      const own = byTool(submits([], answer))
      expect(await new FakePage(own).conversation({ schema: list }).send('All?').object()).toEqual(['mug'])
      expect(own.session.options.tools[0]?.inputSchema).toEqual({
        $defs: { sku: { type: 'string' } },
        type: 'object',
        properties: { value: { type: 'array', items: { $ref: '#/$defs/sku' } } },
        required: ['value'],
      })
    }
  })

  it('keeps an object’s own member called value', async () => {
    const own = byTool(submits([], { value: 3 }))
    const object = { type: 'object', properties: { value: { type: 'number' } } }
    expect(await new FakePage(own).conversation({ schema: object }).send('?').object()).toEqual({ value: 3 })
  })

  it('may be written by an AI that ignores the tool', async () => {
    const own = byTool(says('Sure:\n```\n{"name":"mug","price":9}\n```'))
    expect(await new FakePage(own).conversation({ schema }).send('?').object()).toEqual(MUG)
  })

  it('is asked for once more when neither was done', async () => {
    const own = byTool(says('A mug costs nine.'), submits([], MUG))
    const run = new FakePage(own).conversation({ schema }).send('?')
    expect(await run.object()).toEqual(MUG)
    expect(own.said).toHaveLength(2)
  })

  it('is what the AI said, for the next session', async () => {
    const own = byTool(submits([], MUG))
    const conversation = new FakePage(own).conversation({ schema })
    await conversation.send('?').object()
    await conversation.close()
    await conversation.send('!').object()
    expect(own.session.options.history[1]).toMatchObject({
      role: 'assistant',
      parts: [{ text: '{"name":"mug","price":9}' }],
    })
  })

  it('of a type that is no object may come bare', async () => {
    const either = { anyOf: [{ type: 'object', required: ['stars'] }, { type: 'null' }] }
    const own = byTool(submits([], { stars: 5 }))
    expect(await new FakePage(own).conversation({ schema: either }).send('?').object()).toEqual({ stars: 5 })
    expect(own.said).toHaveLength(1)
  })

  it('isn’t needed when a tool ends the turn, or when the AI fails', async () => {
    const stop = {
      name: 'stop',
      description: '',
      execute: (_: unknown, ctx: { endTurn: (o: unknown) => void }) => ctx.endTurn('enough'),
    }
    const own = byTool(
      async ({ context }) => void (await context.runTool({ name: 'stop', args: {} })),
      fails(new Error('boom')),
    )
    const conversation = new FakePage(own).conversation({ schema, tools: [stop] })
    expect(await conversation.send('?').result()).toMatchObject({ outcome: 'enough', object: undefined })
    await expect(conversation.send('?').object()).rejects.toMatchObject({ code: 'ai_failed' })
  })
})

describe('the check of an answer', () => {
  it('may go further than the schema, and change the value', async () => {
    const validate = async (value: unknown) => {
      const { price } = value as { price: number }
      if (price > 10) throw new Error('Too dear: at most 10.')
      return { euros: price }
    }
    const own = native(says('{"name":"mug","price":12}'), says('{"name":"mug","price":9}'))
    expect(await new FakePage(own).conversation({ schema, validate }).send('?').object()).toEqual({ euros: 9 })
    expect(own.said[1]).toContain('Too dear: at most 10.')
  })

  it('asks the page only about what fits the schema', async () => {
    const seen: unknown[] = []
    const validate = (value: unknown) => (seen.push(value), value)
    const own = native(says('{"name":"mug"}'), says('{"name":"mug","price":9}'))
    await new FakePage(own).conversation({ schema, validate }).send('?').object()
    expect(seen).toEqual([MUG])
  })

  it('by a validator that can’t tell its JSON Schema is refused at once', () => {
    const open = () => new FakePage().conversation({ schema: v.object({ name: v.string() }) })
    expect(open).toThrow(/withJsonSchema/)
  })

  const validators: [string, SchemaInput][] = [
    ['zod', z.object({ name: z.string(), price: z.number() })],
    ['valibot', toStandardJsonSchema(v.object({ name: v.string(), price: v.number() }))],
    ['arktype', type({ name: 'string', price: 'number' })],
  ]
  it.each(validators)('may be a validator of %s', async (_, validator) => {
    const own = native(says('{"name":"mug"}'), says('{"name":"mug","price":9}'))
    expect(await new FakePage(own).conversation({ schema: validator }).send('?').object()).toEqual(MUG)
    expect(own.session.options.schema).toMatchObject(schema)
    expect(own.said[1]).toMatch(/price/)
  })

  it('takes over what a validator makes of the value', async () => {
    const prices = z.array(z.string()).transform((list) => list.map(Number))
    const own = byTool(submits([], { value: ['1', '2'] }))
    expect(await new FakePage(own).conversation({ schema: prices }).send('?').object()).toEqual([1, 2])
  })

  it.each([
    ['https://json-schema.org/draft/2020-12/schema', { prefixItems: [{ type: 'string' }] }],
    ['http://json-schema.org/draft-07/schema#', { items: [{ type: 'string' }] }],
    ['https://json-schema.org/draft/2019-09/schema', { items: [{ type: 'string' }] }],
    ['http://json-schema.org/draft-04/schema#', { items: [{ type: 'string' }] }],
  ])('goes by %s', async ($schema, rest) => {
    const own = native(says('[1]'), says('["a"]'))
    const conversation = new FakePage(own).conversation({ schema: { $schema, ...rest } })
    expect(await conversation.send('?').object()).toEqual(['a'])
    expect(own.said).toHaveLength(2)
  })

  it('tells the AI at most five faults, each at its place', async () => {
    const list = { type: 'array', items: { type: 'object', required: ['sku'] } }
    const own = native(says('[{},{},{},{},{},{},{}]'), says('[]'))
    await new FakePage(own).conversation({ schema: list }).send('?').object()
    expect(own.said[1]?.match(/sku/g)).toHaveLength(5)
    expect(own.said[1]).toMatch(/0: .*1: /)
  })

  it('by a schema that is none fails as the page’s fault, not the AI’s', async () => {
    const broken = { type: 'object', properties: { a: { $ref: '#/$defs/gone' } } }
    for (const own of [native(says('{"a":1}')), byTool(submits([], { a: 1 }))])
      await expect(new FakePage(own).conversation({ schema: broken }).send('?').object()).rejects.toMatchObject({
        code: 'bad_schema',
      })
  })
})

describe('extractJson', () => {
  it.each([
    ['the whole text', ' {"a":1} ', { a: 1 }],
    ['a fence', 'So:\n```json\n[1,2]\n```\nDone.', [1, 2]],
    ['the first fence that holds JSON', '```js\nlet a\n```\n```\n{"a":1}\n```', { a: 1 }],
    ['brackets between words', 'I say {"a":[1]} and no more', { a: [1] }],
    ['a list between words', 'These: [1,{"b":2}] !', [1, { b: 2 }]],
    ['a bare value', '42', 42],
    ['null', 'null', null],
    ['a fence inside a text of JSON', '"```\\n1\\n```"', '```\n1\n```'],
    ['no JSON', 'Nothing [here', undefined],
    ['nothing', '', undefined],
  ])('finds %s', (_, text, value) => {
    expect(extractJson(text)).toEqual(value)
  })

  it('is quick on hostile text', () => {
    const started = computedMs()
    extractJson('```'.repeat(50_000))
    extractJson('{'.repeat(200_000))
    expect(computedMs() - started).toBeLessThan(2_000)
  })
})
