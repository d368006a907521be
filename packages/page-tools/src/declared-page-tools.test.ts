import type { AuditEntry, ToolOutcome } from '@leuria/agent'
import { fakeClock } from '@leuria/testing'
import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createPageTools, type PageAnswer, type PageLink, type PageToolsOptions, TOOL_LIMITS } from './index.js'

const MINUTE = 60_000

/** A page that answers by hand: every question is kept with the way to answer it. */
function handLink() {
  const asked: { id: string; what: unknown; answer(answer: PageAnswer): void; fail(error: Error): void }[] = []
  const cancelled: string[] = []
  const ask = ({ id, ...what }: { id: string }): Promise<PageAnswer> =>
    new Promise((resolve, reject) => {
      asked.push({ id, what, answer: resolve, fail: reject })
    })
  const link: PageLink = { callTool: ask, readResource: ask, getPrompt: ask, cancel: (id) => cancelled.push(id) }
  return { link, asked, cancelled }
}

/** A page that answers everything with one answer. */
function quickLink(answer: PageAnswer | (() => PageAnswer)) {
  const sent: Record<string, unknown>[] = []
  const reply = ({ id: _, ...what }: { id: string }): Promise<PageAnswer> => {
    sent.push(what)
    return Promise.resolve(typeof answer === 'function' ? answer() : answer)
  }
  const link: PageLink = { callTool: reply, readResource: reply, getPrompt: reply, cancel: () => undefined }
  return { link, sent }
}

function setUp(page: PageLink, options: Partial<PageToolsOptions> = {}) {
  const clock = fakeClock()
  const entries: AuditEntry[] = []
  const tools = createPageTools({
    page,
    clock,
    origin: 'https://shop.example',
    sessionId: 's1',
    audit: { record: (entry) => entries.push(entry) },
    ...options,
  })
  return { clock, tools, entries }
}

const OK: PageAnswer = { ok: true, result: 'done' }
const SEARCH = {
  name: 'search',
  description: 'Search',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
}

describe('declaring', () => {
  it('keeps the order of declarations, and the place of a tool that is replaced', () => {
    const { tools } = setUp(handLink().link)
    for (const name of ['a', 'b', 'c']) expect(tools.declare({ name })).toEqual({ ok: true })
    tools.declare({ name: 'b', description: 'new' })
    expect(tools.listTools().map(({ name, description }) => [name, description])).toEqual([
      ['a', ''],
      ['b', 'new'],
      ['c', ''],
    ])
    expect(tools.remove('a')).toBe(true)
    expect(tools.remove('a')).toBe(false)
    expect(tools.listTools().map(({ name }) => name)).toEqual(['b', 'c'])
  })

  it('fills in an empty object schema (Page tools, registerTool)', () => {
    const { tools } = setUp(handLink().link)
    tools.declare({ name: 'now' })
    expect(tools.listTools()).toEqual([
      { name: 'now', description: '', inputSchema: { type: 'object', properties: {} } },
    ])
  })

  it('hands out snapshots: the same array until something changes', () => {
    const { tools } = setUp(handLink().link)
    tools.declare({ name: 'a' })
    const before = tools.listTools()
    expect(tools.listTools()).toBe(before)
    tools.declare({ name: 'b' })
    expect(before).toHaveLength(1)
    expect(tools.listTools()).not.toBe(before)
  })

  it('tells subscribers which list changed, until they leave', () => {
    const { tools } = setUp(handLink().link)
    const told: string[] = []
    const leave = tools.subscribe((list) => told.push(list))
    tools.declare({ name: 'a' })
    tools.declareResource({ uri: 'shop://cart' })
    tools.declarePrompt({ name: 'p' })
    tools.remove('a')
    tools.remove('gone')
    tools.declare({ name: '' })
    leave()
    tools.declare({ name: 'b' })
    expect(told).toEqual(['tools', 'resources', 'prompts', 'tools'])
  })

  // FC-18
  it("keeps the page's own spelling of odd names, and refuses an empty one with words", async () => {
    const { link, sent } = quickLink(OK)
    const { tools } = setUp(link)
    const names = ['search_products', 'cart.add', 'add to cart', 'größe', '__proto__', 'constructor']
    for (const name of names) expect(tools.declare({ name })).toEqual({ ok: true })
    for (const name of ['', '  ']) expect(tools.declare({ name })).toEqual({ ok: false, error: 'A tool needs a name.' })
    expect(tools.listTools().map(({ name }) => name)).toEqual(names)
    for (const name of names) await tools.call({ name, arguments: {} })
    expect(sent.map(({ tool }) => tool)).toEqual(names)
  })

  it('takes a name of 128 characters and refuses one of 129', () => {
    const { tools } = setUp(handLink().link)
    expect(tools.declare({ name: 'n'.repeat(128) })).toEqual({ ok: true })
    expect(tools.declare({ name: 'n'.repeat(129) })).toMatchObject({
      ok: false,
      error: expect.stringMatching(/128/) as unknown,
    })
    expect(tools.declareResource({ uri: 'u'.repeat(2_049) }).ok).toBe(false)
  })

  it('takes as many tools as the limit and refuses one more, but still replaces', () => {
    const { tools } = setUp(handLink().link, { limits: { maxDeclarations: 3 } })
    for (const name of ['a', 'b', 'c']) tools.declare({ name })
    expect(tools.declare({ name: 'd' })).toMatchObject({ ok: false })
    expect(tools.declare({ name: 'c', description: 'x' })).toEqual({ ok: true })
    expect(tools.declareResource({ uri: 'a' })).toEqual({ ok: true })
    expect(tools.listTools()).toHaveLength(3)
  })

  it('bounds one declaration and all of them together, counting replaced ones once', () => {
    const { tools } = setUp(handLink().link, { limits: { maxDeclarationLength: 1_000, maxDeclaredLength: 1_500 } })
    expect(tools.declare({ name: 'a', description: 'x'.repeat(1_000) }).ok).toBe(false)
    expect(tools.declare({ name: 'a', description: 'x'.repeat(800) }).ok).toBe(true)
    expect(tools.declare({ name: 'a', description: 'y'.repeat(800) }).ok).toBe(true)
    expect(tools.declare({ name: 'b', description: 'x'.repeat(800) }).ok).toBe(false)
    tools.remove('a')
    expect(tools.declare({ name: 'b', description: 'x'.repeat(800) }).ok).toBe(true)
  })

  it('refuses a declaration nested too deep for anything to walk', () => {
    const { tools } = setUp(handLink().link)
    const nest = (depth: number): unknown => (depth === 0 ? {} : { properties: nest(depth - 1) })
    expect(tools.declare({ name: 'ok', inputSchema: nest(TOOL_LIMITS.maxDepth - 2) }).ok).toBe(true)
    expect(tools.declare({ name: 'deep', inputSchema: nest(TOOL_LIMITS.maxDepth) }).ok).toBe(false)
    expect(tools.declare({ name: 'abyss', inputSchema: nest(5_000) }).ok).toBe(false)
  })

  it.each([
    ['a description that is a number', { description: 5 }, { clean: { description: '' }, word: 'description' }],
    ['annotations that are a list', { annotations: [] }, { clean: {}, word: 'annotations' }],
    [
      'an annotation of the wrong type',
      { annotations: { title: 'T', readOnlyHint: 'yes', own: 1 } },
      { clean: { annotations: { title: 'T', own: 1 } }, word: 'readOnlyHint' },
    ],
    [
      'a schema that is a text',
      { inputSchema: 'x' },
      { clean: { inputSchema: { type: 'object', properties: {} } }, word: 'inputSchema' },
    ],
  ])('takes %s, cleans it and warns', (_, odd, { clean, word }) => {
    const { tools } = setUp(handLink().link)
    const declared = tools.declare({ name: 't', ...odd })
    expect(declared).toMatchObject({ ok: true, warning: expect.stringContaining(word) as unknown })
    expect(tools.listTools()[0]).toMatchObject({ name: 't', ...clean })
  })

  it('cleans resources and prompts; a resource without a name is named by its uri', () => {
    const { tools } = setUp(handLink().link)
    expect(tools.declareResource({ uri: 'shop://cart' })).toEqual({ ok: true })
    expect(tools.declareResource({ uri: 'shop://x', name: 1, description: 'd', mimeType: 'text/plain' }).ok).toBe(true)
    const prompt = {
      name: 'p',
      description: 'd',
      arguments: [{ name: 'a', required: true, description: 3 }, { no: 1 }, 7],
    }
    expect(tools.declarePrompt(prompt)).toMatchObject({
      ok: true,
      warning: expect.stringContaining('arguments[1]') as unknown,
    })
    expect(tools.declarePrompt({ name: 'q', arguments: 'x' })).toMatchObject({
      ok: true,
      warning: expect.stringMatching(/list/) as unknown,
    })
    expect(tools.listResources()).toEqual([
      { uri: 'shop://cart', name: 'shop://cart' },
      { uri: 'shop://x', name: 'shop://x', description: 'd', mimeType: 'text/plain' },
    ])
    expect(tools.listPrompts()).toEqual([
      { name: 'p', description: 'd', arguments: [{ name: 'a', required: true }] },
      { name: 'q' },
    ])
  })

  it('offers schemas that every MCP client can read', () => {
    const { tools } = setUp(handLink().link)
    tools.declare({ name: 'untyped', inputSchema: { properties: { a: true, b: false, c: { type: 'string' } } } })
    tools.declare({ name: 'nullable', inputSchema: { type: ['object', 'null'] } })
    tools.declare({ name: 'text', inputSchema: { type: 'string' } })
    tools.declare({
      name: 'broken',
      inputSchema: { properties: { a: { type: 'strin', description: 'd' }, b: { type: 'number' } }, required: ['a'] },
    })
    expect(tools.listTools().map(({ inputSchema }) => inputSchema)).toEqual([
      { type: 'object', properties: { a: {}, b: { not: {} }, c: { type: 'string' } } },
      { type: 'object' },
      { type: 'object', properties: {} },
      { type: 'object', properties: { a: { description: 'd' }, b: { type: 'number' } }, required: ['a'] },
    ])
  })

  it('never throws and never offers what it should not, whatever the page declares', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.jsonValue()), (name, [description, inputSchema, annotations]) => {
        const { tools } = setUp(handLink().link)
        tools.declare({ name, description, inputSchema, annotations })
        for (const tool of tools.listTools()) {
          expect(typeof tool.description).toBe('string')
          expect(tool.inputSchema.type).toBe('object')
        }
      }),
    )
  })
})

describe('calling', () => {
  it('sends the name and the arguments, and counts missing ones as {}', async () => {
    const { link, sent } = quickLink(OK)
    const { tools } = setUp(link)
    tools.declare({ name: 'now' })
    tools.declare(SEARCH)
    await tools.call({ name: 'search', arguments: { query: 'blue mug' } })
    await tools.call({ name: 'now', arguments: undefined })
    await tools.call({ name: 'now', arguments: null })
    expect(sent).toEqual([
      { tool: 'search', arguments: { query: 'blue mug' } },
      { tool: 'now', arguments: {} },
      { tool: 'now', arguments: {} },
    ])
  })

  it.each<[string, PageAnswer, ToolOutcome]>([
    ['a string as it is', { ok: true, result: 'plain "text"' }, { ok: true, text: 'plain "text"' }],
    ['an object as JSON text', { ok: true, result: { a: [1, null] } }, { ok: true, text: '{"a":[1,null]}' }],
    ['a number as JSON text', { ok: true, result: 0 }, { ok: true, text: '0' }],
    ['null as JSON text', { ok: true, result: null }, { ok: true, text: 'null' }],
    ['no result at all as null', { ok: true, result: undefined }, { ok: true, text: 'null' }],
    ['an empty text', { ok: true, result: '' }, { ok: true, text: '' }],
    [
      'an error as a failed call',
      { ok: false, code: 'page_error', error: 'The catalog is offline.' },
      { ok: false, code: 'page_error', error: 'The catalog is offline.' },
    ],
    [
      'rich content with its structured result',
      { ok: true, result: { n: 1 }, content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }] },
      {
        ok: true,
        text: '{"n":1}',
        content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }],
        structuredContent: { n: 1 },
      },
    ],
    [
      'rich content alone, with a text made of it',
      {
        ok: true,
        result: undefined,
        content: [
          { type: 'text', text: 'Two mugs', extra: 1 },
          { type: 'resource_link', uri: 'https://a.example/', name: 'Mug' },
          { type: 'resource', resource: { uri: 'x:1', text: 'inside', odd: 1 } },
        ],
      },
      {
        ok: true,
        text: 'Two mugs\n[Mug](https://a.example/)\ninside',
        content: [
          { type: 'text', text: 'Two mugs' },
          { type: 'resource_link', uri: 'https://a.example/', name: 'Mug' },
          { type: 'resource', resource: { uri: 'x:1', text: 'inside' } },
        ],
      },
    ],
    [
      'a good result beside content that is wrong',
      { ok: true, result: 'kept', content: [{ type: 'image', data: '%%', mimeType: 'image/png' }] },
      { ok: true, text: 'kept' },
    ],
  ])('shapes %s', async (_, answer, outcome) => {
    const { tools } = setUp(quickLink(answer).link)
    tools.declare({ name: 't' })
    expect(await tools.call({ name: 't', arguments: {} })).toEqual(outcome)
  })

  it.each([
    ['not a list', {}],
    ['too many blocks', Array.from({ length: 65 }, () => ({ type: 'text', text: '' }))],
    ['an unknown type', [{ type: 'video' }]],
    ['a resource without contents', [{ type: 'resource', resource: { uri: 'x' } }]],
    ['a block that is null', [null]],
  ])('fails with words when there is only content and it is %s', async (_, content) => {
    const { tools } = setUp(quickLink({ ok: true, result: undefined, content }).link)
    tools.declare({ name: 't' })
    expect(await tools.call({ name: 't', arguments: {} })).toMatchObject({ ok: false, code: 'page_error' })
  })

  it('takes a result as long as the limit and refuses one that is longer', async () => {
    let result = 'x'.repeat(100)
    const { tools } = setUp(quickLink(() => ({ ok: true, result })).link, { limits: { maxResultLength: 100 } })
    tools.declare({ name: 't' })
    expect((await tools.call({ name: 't', arguments: {} })).ok).toBe(true)
    result += 'x'
    expect(await tools.call({ name: 't', arguments: {} })).toMatchObject({ ok: false, code: 'too_large' })
  })

  it('fails, rather than throws, on a result nested deeper than the stack', async () => {
    const result: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
    const { tools } = setUp(quickLink({ ok: true, result }).link)
    tools.declare({ name: 't' })
    expect(await tools.call({ name: 't', arguments: {} })).toMatchObject({ ok: false, code: 'page_error' })
  })

  it('names the tools there are when the AI asks for another', async () => {
    const { tools } = setUp(quickLink(OK).link)
    tools.declare(SEARCH)
    const outcome = await tools.call({ name: 'serch', arguments: {} })
    expect(outcome).toEqual({
      ok: false,
      code: 'unknown_tool',
      error: 'The page has no tool "serch". The page offers: "search".',
    })
  })

  it('turns a link that throws into a failed call', async () => {
    const { link, asked } = handLink()
    const { tools, clock } = setUp(link)
    tools.declare({ name: 't' })
    const call = tools.call({ name: 't', arguments: {} })
    asked[0]?.fail(new Error('socket gone'))
    expect(await call).toMatchObject({
      ok: false,
      code: 'page_error',
      error: expect.stringMatching(/socket gone/) as unknown,
    })
    expect(clock.pending).toBe(0)
  })
})

describe('the ends of a call', () => {
  it('gives up after 10 minutes, tells the page, and ignores what comes later', async () => {
    const { link, asked, cancelled } = handLink()
    const { tools, clock } = setUp(link)
    tools.declare({ name: 't' })
    const call = tools.call({ name: 't', arguments: {} })
    clock.advance(10 * MINUTE - 1)
    expect(cancelled).toEqual([])
    clock.advance(1)
    expect(await call).toEqual({ ok: false, code: 'timed_out', error: 'The page did not answer within 10 minutes.' })
    expect(cancelled).toEqual([asked[0]?.id])
    asked[0]?.answer(OK)
    expect(tools.openCalls).toBe(0)
  })

  it('takes an answer just before 10 minutes and clears its timer', async () => {
    const { link, asked } = handLink()
    const { tools, clock } = setUp(link)
    tools.declare({ name: 't' })
    const call = tools.call({ name: 't', arguments: {} })
    expect(clock.pending).toBe(1)
    clock.advance(10 * MINUTE - 1)
    asked[0]?.answer(OK)
    expect(await call).toEqual({ ok: true, text: 'done' })
    expect(clock.pending).toBe(0)
  })

  it('stops when the caller does, and tells the page', async () => {
    const { link, asked, cancelled } = handLink()
    const { tools, clock } = setUp(link)
    tools.declare({ name: 't' })
    const controller = new AbortController()
    const call = tools.call({ name: 't', arguments: {}, signal: controller.signal })
    controller.abort()
    expect(await call).toMatchObject({ ok: false, code: 'cancelled' })
    expect(cancelled).toEqual([asked[0]?.id])
    expect(clock.pending).toBe(0)
  })

  it('does not bother the page when the caller stopped before', async () => {
    const { link, asked } = handLink()
    const { tools } = setUp(link)
    tools.declare({ name: 't' })
    expect(await tools.call({ name: 't', arguments: {}, signal: AbortSignal.abort() })).toMatchObject({
      code: 'cancelled',
    })
    expect(asked).toEqual([])
  })

  it('ends all calls with the session; later ones fail at once', async () => {
    const { link, cancelled } = handLink()
    const { tools, clock } = setUp(link)
    tools.declare({ name: 't' })
    tools.declareResource({ uri: 'r' })
    tools.declarePrompt({ name: 'p' })
    const open = [tools.call({ name: 't', arguments: {} }), tools.readResource('r'), tools.getPrompt('p', {})]
    tools.close('the page closed it')
    tools.close('again')
    for (const end of await Promise.all(open)) {
      expect(end).toEqual({ ok: false, code: 'session_ended', error: 'The session has ended: the page closed it' })
    }
    expect(cancelled).toHaveLength(3)
    expect(clock.pending).toBe(0)
    expect(await tools.call({ name: 't', arguments: {} })).toMatchObject({ code: 'session_ended' })
    expect(await tools.readResource('r')).toMatchObject({ code: 'session_ended' })
    expect(await tools.getPrompt('p', {})).toMatchObject({ code: 'session_ended' })
    expect(tools.declare({ name: 'late' })).toMatchObject({ ok: false })
    expect(tools.listTools()).toEqual([])
  })

  it('lets as many calls wait as the limit and refuses one more with words', async () => {
    const { link } = handLink()
    const { tools } = setUp(link, { limits: { maxOpenCalls: 2 } })
    tools.declare({ name: 't' })
    void tools.call({ name: 't', arguments: {} })
    void tools.call({ name: 't', arguments: {} })
    expect(tools.openCalls).toBe(2)
    expect(await tools.call({ name: 't', arguments: {} })).toMatchObject({ ok: false, code: 'over_budget' })
    tools.close('end of test')
  })
})

describe('resources and prompts', () => {
  it("hand over the page's value as it is", async () => {
    const value = { content: 'x', mimeType: 'text/plain' }
    const { link, sent } = quickLink({ ok: true, result: value })
    const { tools } = setUp(link)
    tools.declareResource({ uri: 'shop://cart' })
    tools.declarePrompt({ name: 'p' })
    expect(await tools.readResource('shop://cart')).toEqual({ ok: true, value })
    expect(await tools.getPrompt('p', { a: '1' })).toEqual({ ok: true, value })
    expect(await tools.getPrompt('p', undefined)).toEqual({ ok: true, value })
    expect(sent).toEqual([{ uri: 'shop://cart' }, { name: 'p', arguments: { a: '1' } }, { name: 'p', arguments: {} }])
  })

  it('fail with words when there is none of that name, or the caller stops', async () => {
    const { link, cancelled } = handLink()
    const { tools } = setUp(link)
    expect(await tools.readResource('nope')).toMatchObject({ ok: false, code: 'unknown_tool' })
    expect(await tools.getPrompt('nope', {})).toMatchObject({ ok: false, code: 'unknown_tool' })
    tools.declareResource({ uri: 'r' })
    const controller = new AbortController()
    const read = tools.readResource('r', controller.signal)
    controller.abort()
    expect(await read).toMatchObject({ code: 'cancelled' })
    expect(cancelled).toHaveLength(1)
  })
})

describe('the budget of a turn', () => {
  it('takes the calls of the turn and refuses one more with words; the next turn starts anew', async () => {
    const { tools } = setUp(quickLink(OK).link)
    tools.declare({ name: 't' })
    const call = () => tools.call({ name: 't', arguments: {} })
    tools.beginTurn(2)
    expect([(await call()).ok, (await call()).ok]).toEqual([true, true])
    expect(await call()).toEqual({
      ok: false,
      code: 'over_budget',
      error:
        "The page's tools may be called at most 2 times in one turn, and that is used up. Answer with what you have.",
    })
    tools.endTurn()
    tools.beginTurn(1)
    expect([(await call()).ok, (await call()).ok]).toEqual([true, false])
    tools.endTurn()
    expect((await call()).ok).toBe(true)
  })

  it('counts attempts that fail too, so that a loop of bad calls ends', async () => {
    const { tools } = setUp(quickLink(OK).link)
    tools.beginTurn(2)
    expect(await tools.call({ name: 'no', arguments: {} })).toMatchObject({ code: 'unknown_tool' })
    expect(await tools.call({ name: 'no', arguments: {} })).toMatchObject({ code: 'unknown_tool' })
    expect(await tools.call({ name: 'no', arguments: {} })).toMatchObject({ code: 'over_budget' })
  })

  it("an adapter's own limit counts from when it was set, is told once, and ends with the turn", async () => {
    const { tools } = setUp(quickLink(OK).link)
    tools.declare({ name: 't' })
    const call = () => tools.call({ name: 't', arguments: {} })
    const over = vi.fn()
    tools.beginTurn(5)
    await call()
    tools.limitCalls({ maxCalls: 2, onOver: over })
    expect([(await call()).ok, (await call()).ok]).toEqual([true, true])
    expect(over).not.toHaveBeenCalled()
    expect(await call()).toMatchObject({
      code: 'over_budget',
      error: expect.stringContaining('at most 2 times') as unknown,
    })
    await call()
    expect(over).toHaveBeenCalledTimes(1)
    tools.endTurn()
    expect((await call()).ok).toBe(true)
    tools.beginTurn(1)
    tools.limitCalls({ maxCalls: 2, onOver: over })
    expect([(await call()).ok, (await call()).ok]).toEqual([true, false])
    expect(over).toHaveBeenCalledTimes(1)
  })

  it('holds the default limit between turns', async () => {
    const { tools } = setUp(quickLink(OK).link, { maxCalls: 1 })
    tools.declare({ name: 't' })
    expect((await tools.call({ name: 't', arguments: {} })).ok).toBe(true)
    expect((await tools.call({ name: 't', arguments: {} })).ok).toBe(false)
  })

  it('cancels what is still open when the turn ends', async () => {
    const { link, cancelled } = handLink()
    const { tools } = setUp(link)
    tools.declare({ name: 't' })
    tools.beginTurn(5)
    const call = tools.call({ name: 't', arguments: {} })
    tools.endTurn()
    expect(await call).toMatchObject({ ok: false, code: 'cancelled' })
    expect(cancelled).toHaveLength(1)
  })
})

describe('the audit', () => {
  it('gets the name and the outcome of every call, never what was said', async () => {
    let answer: PageAnswer = { ok: true, result: 'secret result' }
    const { tools, entries } = setUp(quickLink(() => answer).link)
    tools.declare(SEARCH)
    await tools.call({ name: 'search', arguments: { query: 'secret query' } })
    answer = { ok: false, code: 'page_error', error: 'secret error' }
    await tools.call({ name: 'search', arguments: { query: 'secret query' } })
    await tools.call({ name: 'search', arguments: { secret: 1 } })
    await tools.call({ name: 'x'.repeat(1_000), arguments: {} })
    const base = { kind: 'tool_called', origin: 'https://shop.example', sessionId: 's1' }
    expect(entries).toEqual([
      { ...base, tool: 'search', outcome: 'ok' },
      { ...base, tool: 'search', outcome: 'page_error' },
      { ...base, tool: 'search', outcome: 'invalid_arguments' },
      { ...base, tool: 'x'.repeat(128), outcome: 'unknown_tool' },
    ])
    expect(JSON.stringify(entries)).not.toContain('secret')
  })
})
