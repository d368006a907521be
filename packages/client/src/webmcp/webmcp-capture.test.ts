import { FakeModelContext, type FakeContextTool, fakeModelContext } from '@leuria/testing/browser-fakes'
import { transformSync } from 'esbuild'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInThisContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { capturedTools, subscribeCapturedTools } from './captured-tools.js'
import { exposeTools } from './expose-tools.js'
import { type ModelContext, modelContext } from './model-context.js'

const source = readFileSync(join(import.meta.dirname, 'webmcp-capture.ts'), 'utf8')
/** As a page loads it: a plain script. */
const { code } = transformSync(source, { loader: 'ts', minify: true, target: 'es2022' })

const undo: (() => void)[] = []
afterEach(() => {
  for (const each of undo.splice(0).reverse()) each()
  Reflect.deleteProperty(globalThis, 'leuriaWebMCP')
})

/** Puts something in place of a global, until the test is over. */
function setGlobal(name: 'document' | 'navigator', value: object): void {
  const before = Object.getOwnPropertyDescriptor(globalThis, name)
  Object.defineProperty(globalThis, name, { value, configurable: true })
  undo.push(() => {
    if (before) Object.defineProperty(globalThis, name, before)
    else Reflect.deleteProperty(globalThis, name)
  })
}

/** A page that loads the script, in a browser that has these. */
function page(has: { document?: FakeModelContext; navigator?: FakeModelContext } = {}): void {
  setGlobal('document', has.document ? { modelContext: has.document } : {})
  setGlobal('navigator', has.navigator ? { modelContext: has.navigator } : {})
  runInThisContext(code)
}

const cart = (more: Partial<FakeContextTool> = {}): FakeContextTool => {
  return { name: 'get_cart', description: 'The cart.', execute: () => 'empty', ...more }
}
const names = () => capturedTools().map(({ name }) => name)
const call = (at: number, args: unknown) =>
  capturedTools()[at]?.execute?.(args, {
    context: {},
    callCount: 1,
    callId: 'c',
    turnId: 't',
    signal,
    endTurn: () => undefined,
  })
const { signal } = new AbortController()
const registered = (): ModelContext => modelContext()!

describe('the script that a page loads first', () => {
  it('is a plain script of less than a kilobyte', () => {
    expect(code).not.toMatch(/\b(import|export)\b/)
    const bytes = gzipSync(code, { level: 9 }).length
    console.log(`@leuria/client/webmcp-capture, minified and gzipped: ${bytes} bytes`)
    expect(bytes).toBeLessThanOrEqual(1_000)
  })

  it('keeps what the page registers, and lets it through to the browser', async () => {
    const browser = fakeModelContext()
    page({ document: browser })
    const annotations = { readOnlyHint: true }
    const inputSchema = { type: 'object' }
    const seen: unknown[] = []
    const execute = (input: object, options: object) => seen.push([input, options])
    await browser.registerTool(cart({ annotations, inputSchema, execute }))
    expect([...browser.tools.keys()]).toEqual(['get_cart'])
    expect(capturedTools()).toMatchObject([{ name: 'get_cart', description: 'The cart.', annotations, inputSchema }])
    expect(await call(0, { a: 1 })).toBe(1)
    expect(seen).toEqual([[{ a: 1 }, { signal }]])
  })

  it.each(['a browser', 'no browser of that kind'])('breaks no call that %s takes', async (where) => {
    const taken: unknown[][] = []
    const take = (...call: unknown[]) => void taken.push(call)
    page()
    if (where === 'a browser') {
      Reflect.deleteProperty(globalThis, 'leuriaWebMCP')
      setGlobal('document', { modelContext: { registerTool: take, provideContext: take } })
      runInThisContext(code)
    }
    const context = modelContext() as unknown as Record<string, (...call: unknown[]) => unknown>
    // What WebIDL takes for "no options".
    await context.registerTool?.(cart(), null)
    for (const given of [undefined, null, {}, { tools: null }]) await context.provideContext?.(given)
    await context.registerTool?.(undefined)
    await context.registerTool?.(cart(), undefined)
    expect(names()).toEqual(['get_cart'])
  })

  it('follows the signal, and refusals of the browser', async () => {
    const browser = fakeModelContext()
    page({ document: browser })
    const stop = new AbortController()
    await browser.registerTool(cart(), { signal: stop.signal })
    await expect(browser.registerTool(cart({ description: 'A second one.' }))).rejects.toThrow()
    await Promise.resolve()
    expect(capturedTools().map(({ description }) => description)).toEqual(['The cart.'])
    stop.abort()
    expect(names()).toEqual([])
    await browser.registerTool(cart(), { signal: stop.signal })?.catch(() => undefined)
    expect(names()).toEqual([])
  })

  it('follows older browsers: unregisterTool, provideContext, and what is thrown', () => {
    const browser = fakeModelContext({ old: true })
    page({ navigator: browser })
    void browser.registerTool(cart())
    expect(() => browser.registerTool(cart())).toThrow()
    void browser.registerTool(cart({ name: 'other' }))
    expect(names()).toEqual(['get_cart', 'other'])
    browser.unregisterTool?.('get_cart')
    expect(names()).toEqual(['other'])
    browser.provideContext?.({ tools: [cart({ name: 'a' }), cart({ name: 'b' })] })
    expect(names()).toEqual(['a', 'b'])
    expect([...browser.tools.keys()]).toEqual(['a', 'b'])
    browser.provideContext?.({})
    expect(names()).toEqual([])
  })

  it('follows an undo that registering gives back', () => {
    let gone = 0
    const registration = { unregister: () => void (gone += 1) }
    const browser = Object.assign(new FakeModelContext(), { registerTool: () => registration })
    page({ document: browser })
    registered().registerTool({ ...cart(), execute: () => 'empty' })
    expect(names()).toEqual(['get_cart'])
    registration.unregister()
    expect([names(), gone]).toEqual([[], 1])
  })

  it('stands in where the browser has no agents', async () => {
    page()
    expect(Reflect.get(navigator, 'modelContext')).toBe(registered())
    await registered().registerTool({ ...cart(), execute: () => 'empty' })
    await expect(registered().registerTool({ ...cart(), execute: () => 'empty' })).rejects.toMatchObject({
      name: 'InvalidStateError',
    })
    expect(names()).toEqual(['get_cart'])
    registered().unregisterTool?.('get_cart')
    expect(names()).toEqual([])
  })

  it('may be loaded twice, and on a server', () => {
    const browser = fakeModelContext()
    page({ document: browser })
    void browser.registerTool(cart())
    runInThisContext(code)
    expect(names()).toEqual(['get_cart'])
    for (const each of undo.splice(0).reverse()) each()
    Reflect.deleteProperty(globalThis, 'leuriaWebMCP')
    runInThisContext(code)
    expect(Reflect.has(globalThis, 'leuriaWebMCP')).toBe(false)
  })
})

describe('captured tools', () => {
  it('are none without the script', () => {
    expect(capturedTools()).toEqual([])
    subscribeCapturedTools(() => undefined)()
  })

  it('are the same list until something changed, and tell when', () => {
    page()
    let told = 0
    const stop = subscribeCapturedTools(() => (told += 1))
    const other = subscribeCapturedTools(() => (told += 1))
    other()
    const none = capturedTools()
    void registered().registerTool({ ...cart(), execute: () => 'empty' })
    const one = capturedTools()
    expect([told, none === one, one === capturedTools()]).toEqual([1, false, true])
    void registered().registerTool({ ...cart({ name: 'b' }), execute: () => 'empty' })
    expect([told, capturedTools()[0] === one[0]]).toEqual([2, true])
    stop()
    registered().unregisterTool?.('b')
    expect([told, names()]).toEqual([2, ['get_cart']])
  })

  it("leave out what the page offered through exposeTools: those are the visitor's AI's already", () => {
    page({ document: fakeModelContext() })
    const take = exposeTools([{ name: 'mine', description: 'Mine.', execute: () => 'x' }])
    void registered().registerTool({ ...cart(), execute: () => 'empty' })
    expect(names()).toEqual(['get_cart'])
    take()
    expect(names()).toEqual(['get_cart'])
  })
})
