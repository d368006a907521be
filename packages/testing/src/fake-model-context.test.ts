import { describe, expect, it } from 'vitest'
import { fakeModelContext } from './fake-model-context.js'

const tool = { name: 'get_cart', description: 'The cart.', execute: () => ({ items: 1 }) }

describe('the fake of a browser with agents', () => {
  it('calls what a page registered, until its signal takes it away', async () => {
    const context = fakeModelContext()
    const stop = new AbortController()
    await context.registerTool(tool, { signal: stop.signal })
    expect(await context.call('get_cart')).toBe('{"items":1}')
    stop.abort()
    await expect(context.call('get_cart')).rejects.toMatchObject({ name: 'NotFoundError' })
  })

  it('rejects a name that is taken; old browsers throw', async () => {
    const context = fakeModelContext()
    await context.registerTool(tool)
    await expect(context.registerTool(tool)).rejects.toThrow('registered')
    const old = fakeModelContext({ old: true })
    void old.registerTool(tool)
    expect(() => old.registerTool(tool)).toThrow('registered')
    old.provideContext?.({ tools: [{ ...tool, name: 'other' }] })
    expect([...old.tools.keys()]).toEqual(['other'])
    old.unregisterTool?.('other')
    expect(old.tools.size).toBe(0)
  })
})
