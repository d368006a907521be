import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ToolNames } from './tool-names.js'

describe('tool names', () => {
  it('keeps a legal name even when an illegal one would become it', () => {
    const names = new ToolNames()
    names.learn(['cart.add', 'cart add', 'cart_add'])
    expect(['cart.add', 'cart add', 'cart_add'].map((name) => names.forModel(name))).toEqual([
      'cart_add_2',
      'cart_add_3',
      'cart_add',
    ])
    expect(names.forPage('cart_add_2')).toBe('cart.add')
  })

  it('keeps a name it has given when tools are declared later', () => {
    const names = new ToolNames()
    names.learn(['cart.add'])
    names.learn(['cart_add', 'cart.add'])
    expect(names.forModel('cart.add')).toBe('cart_add')
    expect(names.forModel('cart_add')).toBe('cart_add_2')
  })

  it('knows a tool behind the prefixes that models add', () => {
    const names = new ToolNames()
    names.learn(['get_cart'])
    for (const called of ['functions.get_cart', 'default_api:get_cart', 'mcp__webmcp__get_cart']) {
      expect(names.forPage(called)).toBe('get_cart')
    }
    expect(names.forPage('other')).toBe('other')
  })

  it('makes names that every API takes, all different, and finds the way back', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: 'grapheme', maxLength: 80 })), (pageNames) => {
        const names = new ToolNames()
        names.learn(pageNames)
        const given = pageNames.map((name) => names.forModel(name))
        for (const name of given) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
        expect(new Set(given).size).toBe(given.length)
        expect(given.map((name) => names.forPage(name))).toEqual(pageNames)
        pageNames.forEach((name, at) => {
          if (/^[A-Za-z0-9_-]{1,64}$/.test(name)) expect(given[at]).toBe(name)
        })
      }),
    )
  })
})
