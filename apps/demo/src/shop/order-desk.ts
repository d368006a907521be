/**
 * The tool that the visitor answers. `confirm_order` has no `execute`, so the SDK keeps the AI's call among
 * `pendingInputs` until the page hands in what the visitor clicked.
 */
import { defineTool, type Conversation } from '@leuria/client'
import { formatCents } from './money.js'
import type { OrderAnswer, Orders } from './order.js'

export const confirmOrder = defineTool({
  name: 'confirm_order',
  description:
    'Order what is in the cart (buy, pay, check out, checkout): the page asks the visitor and waits for their own click. They may decline.',
  inputSchema: { type: 'object', properties: {} },
  annotations: { title: 'Place the order', destructiveHint: true },
})

export type OrderTalk = Pick<Conversation, 'getState' | 'subscribe' | 'submitToolResult' | 'rejectToolCall'>

/** Shows each call to the visitor, and takes the question back when the AI doesn't wait any more. Returns its undo. */
export function answerOrders(talk: OrderTalk, orders: Orders): () => void {
  const asked = new Map<string, AbortController>()
  return talk.subscribe(() => {
    const waiting = talk.getState().pendingInputs.filter(({ name }) => name === confirmOrder.name)
    for (const [callId, question] of asked) {
      if (waiting.some((call) => call.callId === callId)) continue
      asked.delete(callId)
      question.abort()
    }
    for (const { callId } of waiting) {
      if (asked.has(callId)) continue
      const question = new AbortController()
      asked.set(callId, question)
      void orders.ask('ai', question.signal).then((answer) => {
        tell(talk, callId, answer)
      })
    }
  })
}

function tell(talk: OrderTalk, callId: string, answer: OrderAnswer): void {
  switch (answer.outcome) {
    case 'placed': {
      const total = formatCents(answer.cart.totalCents)
      const message = `The visitor confirmed. Order ${answer.number} over ${total} is placed.`
      talk.submitToolResult(callId, { status: 'placed', orderNumber: answer.number, message })
      break
    }
    case 'declined': {
      const message = 'The visitor declined. Nothing was ordered; the cart is unchanged.'
      talk.submitToolResult(callId, { status: 'declined', message })
      break
    }
    case 'taken_back':
      talk.rejectToolCall(callId, 'The question was taken back before the visitor answered.')
      break
    case 'empty_cart':
      talk.rejectToolCall(callId, 'The cart is empty, so there is nothing to order.')
      break
    case 'already_asking':
      talk.rejectToolCall(callId, 'The visitor is being asked already.')
      break
  }
}
