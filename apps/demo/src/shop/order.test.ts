import { describe, expect, it } from 'vitest'
import { createCart, type Cart } from './cart.js'
import { createOrders, type Orders } from './order.js'

function shop(): { cart: Cart; orders: Orders } {
  const cart = createCart()
  cart.add('oat', 2)
  return { cart, orders: createOrders(cart) }
}

describe('ordering', () => {
  it('waits for the visitor and empties the cart once they have said yes', async () => {
    const { cart, orders } = shop()
    const answer = orders.ask('ai')
    expect(orders.question.get()).toMatchObject({ askedBy: 'ai', cart: { count: 2 } })
    expect(cart.get().count).toBe(2)
    orders.answer(true)
    expect(await answer).toMatchObject({ outcome: 'placed', number: 'SK-1042', cart: { totalCents: 4400 } })
    expect(cart.get().count).toBe(0)
    expect(orders.question.get()).toBeNull()
  })

  it('changes nothing on a no', async () => {
    const { cart, orders } = shop()
    const answer = orders.ask('visitor')
    orders.answer(false)
    expect(await answer).toEqual({ outcome: 'declined' })
    expect(cart.get().count).toBe(2)
  })

  it('takes the question back when nobody waits for the answer any more', async () => {
    const { orders } = shop()
    const asking = new AbortController()
    const answer = orders.ask('ai', asking.signal)
    asking.abort()
    expect(await answer).toEqual({ outcome: 'taken_back' })
    expect(orders.question.get()).toBeNull()
    expect(await orders.ask('ai', AbortSignal.abort())).toEqual({ outcome: 'taken_back' })
  })

  it('asks one question at a time', async () => {
    const { orders } = shop()
    const first = orders.ask('visitor')
    expect(await orders.ask('ai')).toEqual({ outcome: 'already_asking' })
    orders.answer(true)
    expect(await first).toMatchObject({ outcome: 'placed' })
  })

  it('has nothing to ask about an empty cart', async () => {
    expect(await createOrders(createCart()).ask('ai')).toEqual({ outcome: 'empty_cart' })
  })

  it('shows what would be placed, also when the cart changes meanwhile', async () => {
    const { cart, orders } = shop()
    const answer = orders.ask('ai')
    cart.add('fog', 1)
    expect(orders.question.get()?.cart.count).toBe(3)
    orders.answer(true)
    expect(await answer).toMatchObject({ outcome: 'placed', cart: { count: 3 } })
  })

  it('ignores an answer that nobody asked for', () => {
    const { cart, orders } = shop()
    orders.answer(true)
    expect(cart.get().count).toBe(2)
  })
})
