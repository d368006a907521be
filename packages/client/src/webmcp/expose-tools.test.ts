import { fakeModelContext, type FakeModelContextOptions } from '@leuria/testing/browser-fakes'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { StandardSchema } from '../tool/schema-input.js'
import type { Tool, ToolContext } from '../tool/tool.js'
import { exposeTools } from './expose-tools.js'
import { modelContext } from './model-context.js'

const undo: (() => void)[] = []
afterEach(() => {
  for (const each of undo.splice(0)) each()
  vi.restoreAllMocks()
})

function install(where: 'document' | 'navigator' = 'document', options?: FakeModelContextOptions) {
  const context = fakeModelContext(options)
  undo.push(context.install(where))
  return context
}

function tool(more: Partial<Tool> = {}): Tool {
  return { name: 'get_cart', description: 'The cart.', execute: () => 'empty', ...more }
}

/** Takes `{ n: number }`; gives the double. */
const doubled: StandardSchema<{ n: number }> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    jsonSchema: { input: () => ({ type: 'object', properties: { n: { type: 'number' } } }) },
    validate: (value) => {
      const { n } = value as { n: unknown }
      return typeof n === 'number' ? { value: { n: 2 * n } } : { issues: [{ message: 'Not a number', path: ['n'] }] }
    },
  },
}

describe("tools for the browser's own agents", () => {
  it('are registered with what describes them, and give texts as they are and anything else as JSON', async () => {
    const context = install()
    const annotations = { readOnlyHint: true }
    const inputSchema = { type: 'object', properties: { id: { type: 'string' } } }
    exposeTools([
      tool({ annotations, inputSchema }),
      tool({ name: 'count', execute: () => Promise.resolve({ items: 2 }) }),
      tool({ name: 'nothing', execute: () => undefined }),
    ])
    expect(context.tools.get('get_cart')).toMatchObject({ description: 'The cart.', annotations, inputSchema })
    expect(context.tools.get('count')?.inputSchema).toEqual({ type: 'object' })
    expect(await context.tools.get('get_cart')?.execute({}, {})).toBe('empty')
    expect(await context.tools.get('count')?.execute({}, {})).toBe('{"items":2}')
    expect(await context.tools.get('nothing')?.execute({}, {})).toBe('null')
  })

  it('tell what goes wrong as an answer', async () => {
    const context = install()
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- pages reject with anything
    const fail = (error: unknown) => () => Promise.reject(error)
    exposeTools([tool({ execute: fail(new Error('Sold out.')) }), tool({ name: 'odd', execute: fail('words') })])
    expect(await context.call('get_cart')).toBe(JSON.stringify('{"error":"Sold out."}'))
    expect(await context.call('odd')).toBe(JSON.stringify('{"error":"words"}'))
  })

  it('know how often they were called, and when nobody waits any more', async () => {
    const context = install()
    const seen: ToolContext[] = []
    exposeTools([
      tool({ execute: (_args, about) => seen.push(about) }),
      tool({ name: 'other', execute: (_args, about) => seen.push(about) }),
    ])
    const stop = new AbortController()
    await context.call('get_cart')
    await context.call('other')
    await context.call('get_cart', {}, stop.signal)
    expect(seen.map(({ callCount }) => callCount)).toEqual([1, 1, 2])
    expect(seen[2]).toMatchObject({ turnId: 'webmcp', context: {}, signal: stop.signal })
    expect(new Set(seen.map(({ callId }) => callId)).size).toBe(3)
    seen[0]?.endTurn('ignored')
  })

  it('are checked by a validator, which may change the arguments', async () => {
    const context = install()
    exposeTools([tool({ inputSchema: doubled, execute: (args) => args })])
    expect(context.tools.get('get_cart')?.inputSchema).toEqual({
      type: 'object',
      properties: { n: { type: 'number' } },
    })
    expect(await context.tools.get('get_cart')?.execute({ n: 2 }, {})).toBe('{"n":4}')
    expect(await context.tools.get('get_cart')?.execute({ n: 'x' }, {})).toContain('n: Not a number')
  })

  it('leave out those that wait for the visitor', () => {
    const context = install()
    exposeTools([tool({ execute: undefined })])
    expect(context.tools.size).toBe(0)
  })

  it.each([
    ['its undo', (take: () => void) => take()],
    [
      'a signal',
      (_take: () => void, signal: AbortController) => {
        signal.abort()
      },
    ],
  ])('are taken back by %s', (_name, end) => {
    for (const old of [false, true]) {
      const context = install('document', { old })
      const signal = new AbortController()
      const take = exposeTools([tool()], { signal: signal.signal })
      expect(context.tools.size).toBe(1)
      end(take, signal)
      expect(context.tools.size).toBe(0)
      undo.pop()?.()
    }
  })

  it('are not offered at all when they are taken back already', () => {
    const context = install()
    exposeTools([tool()], { signal: AbortSignal.abort() })
    expect(context.tools.size).toBe(0)
  })

  it.each([false, true])('only warn when the browser refuses one (old browser: %s)', async (old) => {
    const context = install('document', { old })
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    exposeTools([tool({ name: 'no spaces please' }), tool()])
    await Promise.resolve()
    await Promise.resolve()
    expect(warn).toHaveBeenCalledOnce()
    expect([...context.tools.keys()]).toEqual(['get_cart'])
  })

  it('warn when a schema cannot be told, and offer the others', () => {
    const context = install()
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const mute = { '~standard': { version: 1, vendor: 'mute', validate: (value: unknown) => ({ value }) } } as const
    exposeTools([tool({ name: 'mute', inputSchema: mute }), tool()])
    expect(warn).toHaveBeenCalledOnce()
    expect([...context.tools.keys()]).toEqual(['get_cart'])
  })
})

describe('the entry point', () => {
  it('is of the document, else of the navigator, else missing', () => {
    expect(modelContext()).toBeUndefined()
    exposeTools([tool()])()
    const older = install('navigator', { old: true })
    expect(modelContext()).toBe(older)
    exposeTools([tool()])
    expect(older.tools.size).toBe(1)
    const newer = install('document')
    expect(modelContext()).toBe(newer)
  })
})
