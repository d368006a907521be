import { expect, it, vi } from 'vitest'
import type { Conversation, ToolOutcome } from '@leuria/client'
import { settle } from '@leuria/testing'
import { playedTalk, type PlayedTurn } from '../chat/run.fixture.js'
import { createCart, type Cart } from './cart.js'
import { createOrders, type Orders } from './order.js'
import { answerOrders, confirmOrder } from './order-desk.js'

interface Scene {
  cart: Cart
  orders: Orders
  talk: Conversation
  turn: PlayedTurn
  /** The AI asks for the order. */
  call: () => Promise<ToolOutcome>
}

async function scene(mugs = 1): Promise<Scene> {
  const cart = createCart()
  if (mugs > 0) cart.add('oat', mugs)
  const orders = createOrders(cart)
  const { ai, talk } = playedTalk({ tools: [confirmOrder] })
  answerOrders(talk, orders)
  talk.send('Order, please')
  await settle()
  const [turn] = ai.turns
  if (turn === undefined) throw new Error('no turn')
  const call = (): Promise<ToolOutcome> => turn.context.runTool({ name: 'confirm_order', args: {} })
  return { cart, orders, talk, turn, call }
}

/** What runs tools is loaded when the first one is called. */
const asked = (orders: Orders): Promise<void> =>
  vi.waitFor(
    () => {
      expect(orders.question.get()).not.toBeNull()
    },
    { timeout: 20_000 },
  )

it('waits for the visitor’s own click', async () => {
  const { cart, orders, call } = await scene()
  const answer = call()
  await asked(orders)
  expect(orders.question.get()).toMatchObject({ askedBy: 'ai', cart: { count: 1 } })
  orders.answer(true)
  expect(await answer).toMatchObject({ ok: true, result: { status: 'placed', orderNumber: 'SK-1042' } })
  expect(cart.get().count).toBe(0)
})

it('tells the AI of a no, and leaves the cart alone', async () => {
  const { cart, orders, call } = await scene()
  const answer = call()
  await asked(orders)
  orders.answer(false)
  expect(await answer).toMatchObject({ ok: true, result: { status: 'declined' } })
  expect(cart.get().count).toBe(1)
})

it('asks nobody about an empty cart', async () => {
  const { orders, call } = await scene(0)
  expect(await call()).toMatchObject({ ok: false, error: expect.stringContaining('empty') as string })
  expect(orders.question.get()).toBeNull()
})

it('asks one thing at a time', async () => {
  const { orders, call } = await scene()
  const [first, second] = [call(), call()]
  expect(await second).toMatchObject({ ok: false, error: expect.stringContaining('already') as string })
  await asked(orders)
  orders.answer(true)
  expect(await first).toMatchObject({ ok: true })
})

it('takes the question back when the answer is stopped', async () => {
  const { orders, talk, call } = await scene()
  const answer = call()
  await asked(orders)
  talk.stop()
  await settle()
  expect(orders.question.get()).toBeNull()
  expect(await answer).toMatchObject({ ok: false })
})
