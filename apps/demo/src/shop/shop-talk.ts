/** The shop's conversation with the visitor's AI: what it is told, what it may call, and what waits for the visitor. */
import type { Conversation, Leuria } from '@leuria/client'
import { ASSISTANT_PROMPT } from '../assistant-prompt.js'
import { createShopTools, type Shop } from '../tools/shop-tools.js'
import type { Orders } from './order.js'
import { answerOrders } from './order-desk.js'

export function shopTalk(leuria: Leuria, { orders, ...shop }: Shop & { orders: Orders }): Conversation {
  const talk = leuria.conversation({ system: ASSISTANT_PROMPT, tools: createShopTools(shop) })
  answerOrders(talk, orders)
  return talk
}
