import { describe, expect, it } from 'vitest'
import type { ToolContext } from '@leuria/client'
import { createCart, type Cart } from '../shop/cart.js'
import { callWords, resultWords } from './call-words.js'
import { createShopTools } from './shop-tools.js'

interface Scene {
  cart: Cart
  call: (name: string, args?: unknown) => Promise<unknown>
}

const CONTEXT: ToolContext = {
  ...{ context: {}, callCount: 1, callId: 'c1', turnId: 't1', endTurn: () => undefined },
  signal: new AbortController().signal,
}

function scene(): Scene {
  const cart = createCart()
  const tools = new Map(createShopTools({ cart }).map((tool) => [tool.name, tool]))
  const call: Scene['call'] = async (name, args) => tools.get(name)?.execute?.(args, CONTEXT)
  return { cart, call }
}

describe('search_products', () => {
  it('tells what an AI needs to choose and to go on', async () => {
    const result = await scene().call('search_products', { query: 'blue', maxPrice: 25 })
    expect(result).toMatchObject({ products: [{ id: 'harbour', name: 'Harbour mug', price: '€24.00', inStock: 8 }] })
  })

  it('says when it had to leave words out', async () => {
    expect(await scene().call('search_products', { query: 'blue elephant' })).toHaveProperty('note')
  })

  it.each([
    [{ query: 3 }, '"query" must be a text.'],
    [{ query: 'x', colour: 'plaid' }, '"colour" must be one of: blue, green, white, brown, yellow, red, grey.'],
    [{ query: 'x', maxPrice: 'cheap' }, '"maxPrice" must be a number.'],
    ['blue', 'The arguments must be an object.'],
  ])('tells the AI what is wrong with %j', async (args, message) => {
    await expect(scene().call('search_products', args)).rejects.toThrow(message)
  })
})

describe('add_to_cart', () => {
  it('adds one, or as many as asked for', async () => {
    const { cart, call } = scene()
    await call('add_to_cart', { productId: 'oat' })
    const result = await call('add_to_cart', { productId: 'oat', quantity: 2 })
    expect(result).toEqual({ message: 'Added 2 × Oat mug.', cart: { mugs: 3, total: '€66.00' } })
    expect(cart.get().count).toBe(3)
  })

  it.each([
    [{}, /"productId" is missing/],
    [{ productId: 'nope' }, /no mug with that id/],
    [{ productId: 'lemon' }, /sold out/],
    [{ productId: 'fern', quantity: 3 }, /Only 2 more/],
    [{ productId: 'oat', quantity: 0.5 }, /whole number/],
  ])('refuses %j with words', async (args, message) => {
    const { cart, call } = scene()
    await expect(call('add_to_cart', args)).rejects.toThrow(message)
    expect(cart.get().count).toBe(0)
  })
})

describe('get_cart', () => {
  it('tells the lines and the total', async () => {
    const { call } = scene()
    expect(await call('get_cart')).toEqual({ message: 'The cart is empty.', items: [] })
    await call('add_to_cart', { productId: 'fog', quantity: 2 })
    expect(await call('get_cart', {})).toEqual({
      items: [{ productId: 'fog', name: 'Fog mug', quantity: 2, price: '€50.00' }],
      total: '€50.00',
    })
  })
})

it('leaves the order to the visitor', () => {
  const confirm = createShopTools({ cart: createCart() }).find(({ name }) => name === 'confirm_order')
  expect(confirm?.description).toContain('waits for their own click')
  expect(confirm?.execute).toBeUndefined()
})

describe('calls in words', () => {
  it.each([
    ['search_products', { query: 'mug', colour: 'blue', maxPrice: 30 }, 'Searched mugs: mug, blue, up to €30'],
    ['search_products', {}, 'Searched mugs'],
    ['add_to_cart', { productId: 'oat', quantity: 2 }, 'Put into your cart: 2 × Oat mug'],
    ['add_to_cart', { productId: 'x' }, 'Put into your cart: x'],
    ['get_cart', undefined, 'Looked into your cart'],
    ['confirm_order', null, 'Asked you to confirm the order'],
    ['toString', 'x', 'Called toString'],
  ])('says %s %j', (tool, args, words) => {
    expect(callWords(tool, args).done).toBe(words)
  })

  it('says what came of it', () => {
    expect(resultWords('search_products', { products: [1] })).toBe('1 mug found')
    expect(resultWords('search_products', { products: [] })).toBe('nothing found')
    expect(resultWords('confirm_order', { status: 'declined' })).toBe('you declined')
    expect(resultWords('get_cart', 3)).toBe('')
  })
})
