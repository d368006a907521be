import { settle } from '@leuria/testing'
import { type } from 'arktype'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import * as mini from 'zod/mini'
import {
  defineTool,
  type Middleware,
  type RunEvent,
  type SchemaInput,
  type ToolOutcome,
  withJsonSchema,
} from '../index.js'
import { FakePage } from './page.fixture.js'
import { calls, hangs, says, type Script, ScriptedProvider } from './scripted-provider.fixture.js'

const add = defineTool({
  name: 'add',
  description: 'Adds.',
  execute: ({ a, b }: { a: number; b: number }) => a + b,
})

/** Calls these, and keeps the outcomes. */
function collects(outcomes: ToolOutcome[], ...wanted: { name: string; args?: unknown; callId?: string }[]): Script {
  return async ({ context }) => {
    for (const call of wanted) outcomes.push(await context.runTool({ args: {}, ...call }))
  }
}

describe('a tool call', () => {
  it('is told to the AI as it is declared', async () => {
    const own = new ScriptedProvider('own')
    const inputSchema = { type: 'object', properties: { a: { type: 'number' } } }
    const tool = defineTool({ name: 'add', description: 'Adds.', inputSchema, annotations: { readOnlyHint: true } })
    await new FakePage(own)
      .conversation({ tools: [tool] })
      .send('Hi')
      .text()
    expect(own.session.options.tools).toEqual([
      { name: 'add', description: 'Adds.', inputSchema, annotations: { readOnlyHint: true } },
    ])
  })

  it('of an unknown tool, or one that throws, fails for the AI and not for the page', async () => {
    const outcomes: ToolOutcome[] = []
    const broken = defineTool({
      name: 'broken',
      description: '',
      execute: () => {
        throw new Error('out of order')
      },
    })
    const rejects = defineTool({ name: 'rejects', description: '', execute: () => Promise.reject(new Error('later')) })
    const script = collects(outcomes, { name: 'nope' }, { name: 'broken' }, { name: 'rejects' })
    const run = new FakePage(new ScriptedProvider('own', script)).conversation({ tools: [broken, rejects] }).send('Hi')
    expect((await run.result()).message.parts).toMatchObject([
      { name: 'nope', state: 'error', error: 'There is no tool called nope.' },
      { name: 'broken', state: 'error', error: 'out of order' },
      { name: 'rejects', state: 'error', error: 'later' },
    ])
    expect(outcomes.map(({ ok }) => ok)).toEqual([false, false, false])
  })

  it('gets arguments even if the AI sends none', async () => {
    const seen: unknown[] = []
    const tool = defineTool({ name: 'time', description: '', execute: (args) => seen.push(args) })
    const script: Script = async ({ context }) => void (await context.runTool({ name: 'time', args: undefined }))
    await new FakePage(new ScriptedProvider('own', script))
      .conversation({ tools: [tool] })
      .send('Hi')
      .text()
    expect(seen).toEqual([{}])
  })

  it.each([0, 1, 10])('is one of %i that a turn may have; the AI is told to answer then', async (maxSteps) => {
    const outcomes: ToolOutcome[] = []
    const wanted = Array.from({ length: maxSteps + 2 }, () => ({ name: 'add', args: { a: 1, b: 1 } }))
    const own = new ScriptedProvider('own', collects(outcomes, ...wanted))
    const conversation = new FakePage(own).conversation({ tools: [add], maxSteps })
    for (const run of [conversation.send('a'), conversation.send('b')]) {
      expect((await run.result()).message.parts).toHaveLength(maxSteps)
      const [done, refused] = [outcomes.slice(0, maxSteps), outcomes.slice(maxSteps)]
      expect(done.every(({ ok }) => ok)).toBe(true)
      expect(refused).toEqual(
        Array(2).fill({ ok: false, error: expect.stringContaining('No more tool calls') as string }),
      )
      outcomes.length = 0
    }
    expect(own.session.options.maxSteps).toBe(maxSteps)
  })

  it('is refused by a limit that is no number', async () => {
    const own = new ScriptedProvider('own', calls('add'))
    const conversation = new FakePage(own).conversation({ tools: [add], maxSteps: NaN })
    expect(await conversation.send('Hi').text()).toMatch(/^failed: No more/)
  })

  it('may go on beside others, each under its own id', async () => {
    const own = new ScriptedProvider('own', async ({ context }) => {
      const wanted = [1, 2, 3].map((a) => context.runTool({ name: 'add', args: { a, b: a }, callId: 'same' }))
      context.text(JSON.stringify((await Promise.all(wanted)).map((each) => each.ok && each.result)))
    })
    const run = new FakePage(own).conversation({ tools: [add] }).send('Hi')
    expect(await run.text()).toBe('[2,4,6]')
    const ids = (await run.result()).message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []))
    expect(ids[0]).toBe('same')
    expect(new Set(ids).size).toBe(3)
  })

  it('is told when nobody waits for it any more', async () => {
    const seen: AbortSignal[] = []
    const slow = defineTool({
      name: 'slow',
      description: '',
      execute: (_, { signal }) => {
        seen.push(signal)
        return new Promise(() => undefined)
      },
    })
    const calledOff = new AbortController()
    const outcomes: ToolOutcome[] = []
    const own = new ScriptedProvider('own', async ({ context }) => {
      outcomes.push(await context.runTool({ name: 'slow', args: {}, signal: calledOff.signal }))
      outcomes.push(await context.runTool({ name: 'slow', args: {}, signal: calledOff.signal }))
      outcomes.push(await context.runTool({ name: 'slow', args: {} }))
    })
    const conversation = new FakePage(own).conversation({ tools: [slow] })
    const events: RunEvent[] = []
    conversation.on((event) => events.push(event))
    const run = conversation.send('Hi')
    await settle()
    expect(seen.map(({ aborted }) => aborted)).toEqual([false])
    calledOff.abort()
    await settle()
    expect(seen.map(({ aborted }) => aborted)).toEqual([true, false])
    conversation.stop()
    await settle()
    expect(seen.map(({ aborted }) => aborted)).toEqual([true, true])
    expect(outcomes.map(({ ok }) => ok)).toEqual([false, false, false])
    await expect(run.result()).rejects.toMatchObject({ code: 'aborted' })
    expect(events.filter((each) => each.type === 'tool-call')).toHaveLength(3)
    expect(events.filter((each) => each.type === 'tool-result')).toHaveLength(3)
    expect(events.at(-1)?.type).toBe('error')
  })

  it('does not start after its turn was stopped', async () => {
    let release = (): void => undefined
    const gate: Middleware = async (_, next) => {
      await new Promise<void>((resolve) => (release = resolve))
      return next()
    }
    let runs = 0
    const tool = defineTool({ name: 'buy', description: '', execute: () => (runs += 1) })
    const conversation = new FakePage(new ScriptedProvider('own', calls('buy'))).conversation({
      tools: [tool],
      middleware: [gate],
    })
    conversation.send('Hi')
    await settle()
    conversation.stop()
    release()
    await settle()
    expect(runs).toBe(0)
  })

  it('does not start when somebody stops the turn on hearing of it', async () => {
    let runs = 0
    const tool = defineTool({ name: 'buy', description: '', execute: () => (runs += 1) })
    const layer: Middleware = (_, next) => {
      runs += 1
      return next()
    }
    const own = new ScriptedProvider('own', calls('buy'))
    const conversation = new FakePage(own).conversation({ tools: [tool], middleware: [layer] })
    conversation.on((event) => {
      if (event.type === 'tool-call') conversation.stop()
    })
    conversation.send('Hi')
    await settle()
    expect(runs).toBe(0)
    expect(conversation.getState().messages.at(-1)?.parts).toMatchObject([{ name: 'buy', state: 'error' }])
  })
})

describe('middleware', () => {
  it('stands around each call, the client’s outermost', async () => {
    const trace: string[] = []
    const layer =
      (name: string): Middleware =>
      async (call, next) => {
        trace.push(`${name} in`)
        const outcome = await next()
        trace.push(`${name} out`)
        return outcome
      }
    const page = new FakePage(new ScriptedProvider('own', calls('add', { a: 1, b: 2 })))
    page.middleware.push(layer('client 1'), layer('client 2'))
    await page
      .conversation({ tools: [add], middleware: [layer('own')] })
      .send('Hi')
      .text()
    expect(trace).toEqual(['client 1 in', 'client 2 in', 'own in', 'own out', 'client 2 out', 'client 1 out'])
  })

  it('sees the call, and may change it, its outcome, or keep it from running', async () => {
    const seen: unknown[] = []
    const middleware: Middleware[] = [
      (call, next) => {
        seen.push(call)
        if (call.args === 'secret') return { ok: false, error: 'Not allowed.' }
        return next({ ...call, args: { a: 20, b: 1 } })
      },
      async (_, next) => {
        const outcome = await next()
        return outcome.ok ? { ok: true, result: `[${String(outcome.result)}]` } : outcome
      },
    ]
    const own = new ScriptedProvider('own', calls('add', { a: 1, b: 2 }), calls('add', 'secret'))
    const conversation = new FakePage(own).conversation({ tools: [add], middleware })
    const run = conversation.send('Hi', { context: { page: 'cart' } })
    expect(await run.text()).toBe('"[21]"')
    expect(seen).toEqual([
      {
        callId: expect.any(String) as string,
        turnId: run.turnId,
        name: 'add',
        args: { a: 1, b: 2 },
        context: { page: 'cart' },
      },
    ])
    expect((await run.result()).message.parts[0]).toMatchObject({ args: { a: 1, b: 2 }, result: '[21]' })
    expect(await conversation.send('Hi').text()).toBe('failed: Not allowed.')
  })

  it('that throws, or forgets its outcome, makes the call fail', async () => {
    const throws: Middleware = () => {
      throw new Error('no')
    }
    const forgets = (() => undefined) as unknown as Middleware
    for (const layer of [throws, forgets]) {
      const own = new ScriptedProvider('own', calls('add'))
      const conversation = new FakePage(own).conversation({ tools: [add], middleware: [layer] })
      expect(await conversation.send('Hi').text()).toMatch(/^failed: /)
    }
  })

  it('hears of unknown tools and of those that the visitor answers', async () => {
    const names: string[] = []
    const note: Middleware = async (call, next) => {
      names.push(call.name)
      const outcome = await next()
      return outcome.ok ? { ok: true, result: `redacted ${String(outcome.result)}` } : outcome
    }
    const ask = defineTool({ name: 'ask', description: 'Asks.' })
    const own = new ScriptedProvider('own', calls('nope'), calls('ask'))
    const conversation = new FakePage(own).conversation({ tools: [ask], middleware: [note] })
    await conversation.send('Hi').text()
    const run = conversation.send('Hi')
    await settle()
    conversation.submitToolResult(conversation.getState().pendingInputs[0]?.callId ?? '', 'blue')
    expect(await run.text()).toBe('"redacted blue"')
    expect(names).toEqual(['nope', 'ask'])
  })
})

describe('a tool that the visitor answers', () => {
  const ask = defineTool({ name: 'ask', description: 'Asks.' })

  it('waits for the answer', async () => {
    const own = new ScriptedProvider('own', calls('ask', { question: 'Colour?' }))
    const conversation = new FakePage(own).conversation({ tools: [ask] })
    const run = conversation.send('Hi')
    const types: string[] = []
    run.on((event) => types.push(event.type))
    await settle()
    const { pendingInputs, messages, status } = conversation.getState()
    expect(status).toBe('running')
    expect(pendingInputs).toMatchObject([{ name: 'ask', args: { question: 'Colour?' }, state: 'awaiting-input' }])
    expect(messages.at(-1)?.parts[0]).toBe(pendingInputs[0])
    const callId = pendingInputs[0]?.callId ?? ''
    conversation.submitToolResult(callId, { colour: 'blue' })
    conversation.submitToolResult(callId, { colour: 'red' })
    expect(await run.text()).toBe('{"colour":"blue"}')
    expect(conversation.getState().pendingInputs).toEqual([])
    expect(types).toEqual(['start', 'tool-call', 'tool-input', 'tool-result', 'text-delta', 'finish'])
  })

  it('may be turned down', async () => {
    const own = new ScriptedProvider('own', calls('ask'), calls('ask'))
    const conversation = new FakePage(own).conversation({ tools: [ask] })
    for (const [words, expected] of [
      [undefined, 'The visitor declined.'],
      ['Ask me later.', 'Ask me later.'],
    ] as const) {
      const run = conversation.send('Hi')
      await settle()
      conversation.rejectToolCall(conversation.getState().pendingInputs[0]?.callId ?? '', words)
      expect(await run.text()).toBe(`failed: ${expected}`)
    }
  })

  it('is dismissed when the turn ends first', async () => {
    const conversation = new FakePage(new ScriptedProvider('own', calls('ask'))).conversation({ tools: [ask] })
    const run = conversation.send('Hi')
    const types: string[] = []
    run.on((event) => types.push(event.type))
    await settle()
    const callId = conversation.getState().pendingInputs[0]?.callId ?? ''
    conversation.stop()
    expect(conversation.getState().pendingInputs).toEqual([])
    expect(conversation.getState().messages.at(-1)?.parts).toMatchObject([{ name: 'ask', state: 'error' }])
    expect(types).toEqual(['start', 'tool-call', 'tool-input', 'tool-result', 'error'])
    const before = conversation.getState()
    conversation.submitToolResult(callId, 'late')
    expect(conversation.getState()).toBe(before)
  })

  it('keeps the list of what waits as it is while something else changes', async () => {
    const own = new ScriptedProvider('own', async (turn) => {
      void turn.context.runTool({ name: 'ask', args: {} })
      await settle()
      turn.context.text('Meanwhile')
      await turn.context.runTool({ name: 'add', args: { a: 1, b: 1 } })
      await hangs()(turn)
    })
    const conversation = new FakePage(own).conversation({ tools: [ask, add] })
    const lists = new Set<unknown>()
    conversation.subscribe(() => lists.add(conversation.getState().pendingInputs))
    conversation.send('Hi')
    await settle()
    await settle()
    expect(lists.size).toBe(2)
  })
})

describe('a validator as the schema of a tool', () => {
  const jsonSchema = { type: 'object', properties: { count: { type: 'number' } }, required: ['count'] }
  const validators: [string, SchemaInput][] = [
    ['zod', z.object({ count: z.number() })],
    ['zod/mini with its JSON Schema', withJsonSchema(mini.object({ count: mini.number() }), jsonSchema)],
    ['valibot', toStandardJsonSchema(v.object({ count: v.number() }))],
    ['valibot with its JSON Schema', withJsonSchema(v.object({ count: v.number() }), jsonSchema)],
    ['arktype', type({ count: 'number' })],
    ['arktype of before Standard JSON Schema', olderArktype()],
  ]

  function olderArktype(): SchemaInput {
    const { version, vendor, validate } = type({ count: 'number' })['~standard']
    return Object.assign(() => undefined, {
      '~standard': { version, vendor, validate },
      toJsonSchema: () => jsonSchema,
    })
  }

  it.each(validators)('%s tells the AI its JSON Schema and checks the arguments', async (_, inputSchema) => {
    const outcomes: ToolOutcome[] = []
    const seen: unknown[] = []
    const tool = { name: 'take', description: '', inputSchema, execute: (args: unknown) => seen.push(args) }
    const script = collects(outcomes, { name: 'take', args: { count: 'two' } }, { name: 'take', args: { count: 2 } })
    const own = new ScriptedProvider('own', script)
    await new FakePage(own)
      .conversation({ tools: [tool] })
      .send('Hi')
      .text()
    expect(own.session.options.tools[0]?.inputSchema).toMatchObject(jsonSchema)
    expect(structuredClone(own.session.options.tools[0])).toEqual(own.session.options.tools[0])
    expect(outcomes[0]).toEqual({ ok: false, error: expect.stringMatching(/don't fit.*count/) as string })
    expect(outcomes[1]).toMatchObject({ ok: true })
    expect(seen).toEqual([{ count: 2 }])
  })

  it('changes the arguments on their way to the tool, and leaves them as they came in the message', async () => {
    const tool = defineTool({
      name: 'day',
      description: '',
      inputSchema: z.object({ at: z.iso.date().transform((words) => new Date(words)), days: z.number().default(1) }),
      execute: ({ at, days }) => at.getTime() + days,
    })
    const own = new ScriptedProvider('own', calls('day', { at: '1970-01-01' }))
    const run = new FakePage(own).conversation({ tools: [tool] }).send('Hi')
    expect(await run.text()).toBe('1')
    expect((await run.result()).message.parts[0]).toMatchObject({ args: { at: '1970-01-01' } })
  })

  it('says where a nested value is wrong', async () => {
    const inputSchema = z.object({ cart: z.array(z.object({ sku: z.string() })) })
    const tool = { name: 'take', description: '', inputSchema, execute: () => 1 }
    const own = new ScriptedProvider('own', calls('take', { cart: [{ sku: 'a' }, { sku: 1 }] }))
    expect(
      await new FakePage(own)
        .conversation({ tools: [tool] })
        .send('Hi')
        .text(),
    ).toMatch(/cart\.1\.sku: /)
  })

  it.each([
    ['zod/mini', mini.object({ count: mini.number() })],
    ['valibot', v.object({ count: v.number() })],
    ['zod, with something that JSON Schema can’t say', z.object({ at: z.date() })],
  ])('%s that has no JSON Schema is refused with what to do', (_, inputSchema) => {
    const open = () => new FakePage().conversation({ tools: [{ name: 'take', description: '', inputSchema }] })
    expect(open).toThrow(/withJsonSchema\(schema, jsonSchema\)/)
    expect(open).toThrow(expect.objectContaining({ code: 'bad_schema' }) as Error)
  })

  it('gives execute its types', () => {
    defineTool({
      name: 'take',
      description: '',
      inputSchema: z.object({ count: z.number() }),
      execute: ({ count }) => count.toFixed(),
    })
    defineTool({ name: 'free', description: '', execute: ({ anything }) => anything })
    defineTool({ name: 'typed', description: '', execute: ({ id }: { id: string }) => id.trim() })
    defineTool({
      name: 'wrong',
      description: '',
      // @ts-expect-error the validator says number
      inputSchema: z.object({ a: z.number() }),
      execute: ({ a }: { a: string }) => a,
    })
  })
})

it('an AI that calls no tool is fine', async () => {
  expect(
    await new FakePage(new ScriptedProvider('own', says('No need.')))
      .conversation({ tools: [add] })
      .send('?')
      .text(),
  ).toBe('No need.')
})
