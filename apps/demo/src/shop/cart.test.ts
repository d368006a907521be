import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCart, type CartStorage } from './cart.js'
import { CATALOGUE } from './catalogue.js'

function memoryStorage(stored?: string): CartStorage & { value: string | null } {
  return {
    value: stored ?? null,
    getItem() {
      return this.value
    },
    setItem(_key, value) {
      this.value = value
    },
  }
}

const blocked: CartStorage = {
  getItem() {
    throw new Error('blocked')
  },
  setItem() {
    throw new Error('blocked')
  },
}

describe('the cart', () => {
  it('adds up', () => {
    const cart = createCart()
    cart.add('harbour', 2)
    cart.add('celadon', 1)
    cart.add('harbour', 1)
    expect(cart.get()).toMatchObject({ count: 4, totalCents: 3 * 2400 + 2600 })
    expect(cart.get().lines.map(({ mug, quantity }) => [mug.id, quantity])).toEqual([
      ['harbour', 3],
      ['celadon', 1],
    ])
  })

  it('takes all there is and not one more', () => {
    const cart = createCart()
    expect(cart.add('celadon', 3)).toMatchObject({ ok: true })
    expect(cart.add('celadon', 1)).toEqual({ ok: false, reason: 'not_enough', left: 0 })
    expect(createCart().add('celadon', 4)).toEqual({ ok: false, reason: 'not_enough', left: 3 })
  })

  it.each([
    ['nothing', 1, 'unknown_mug'],
    ['lemon', 1, 'sold_out'],
    ['oat', 0, 'bad_quantity'],
    ['oat', 1.5, 'bad_quantity'],
    ['oat', -2, 'bad_quantity'],
    ['oat', NaN, 'bad_quantity'],
  ])('refuses %s × %d', (id, quantity, reason) => {
    const cart = createCart()
    expect(cart.add(id, quantity)).toMatchObject({ ok: false, reason })
    expect(cart.get().count).toBe(0)
  })

  it('sets a quantity within what there is, and takes a line out at nought', () => {
    const cart = createCart()
    cart.add('fern', 1)
    cart.setQuantity('fern', 99)
    expect(cart.get().count).toBe(2)
    cart.setQuantity('fern', 0)
    expect(cart.get().lines).toEqual([])
    cart.setQuantity('nothing', 3)
    expect(cart.get().count).toBe(0)
  })

  it('is still there after a reload', () => {
    const storage = memoryStorage()
    createCart(storage).add('fog', 2)
    expect(createCart(storage).get()).toMatchObject({ count: 2, totalCents: 5000 })
  })

  it('works where storage is blocked', () => {
    const cart = createCart(blocked)
    expect(cart.add('fog', 1).ok).toBe(true)
    cart.clear()
    expect(cart.get().count).toBe(0)
  })

  it('reads whatever is stored and keeps only what can be', () => {
    expect(
      createCart(memoryStorage('[["fog",99],["lemon",1],["nope",1],["oat","2"],3,null,["oat",-1]]')).get(),
    ).toMatchObject({
      lines: [{ mug: { id: 'fog' }, quantity: 7 }],
    })
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (stored) => {
        const { lines } = createCart(memoryStorage(stored)).get()
        expect(
          lines.every(({ mug, quantity }) => CATALOGUE.includes(mug) && quantity >= 1 && quantity <= mug.stock),
        ).toBe(true)
      }),
    )
  })
})
