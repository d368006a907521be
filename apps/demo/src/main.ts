/** Builds the shop's page: the shop, its tools, the connection to the visitor's AI, and the views of all of them. */
import './styles/page.css'
import { connection } from '@leuria/client'
import { createConversation } from './chat/conversation.js'
import { endingWords } from './chat/ending-words.js'
import { createAiConnection } from './connection/ai-connection.js'
import { createCart } from './shop/cart.js'
import { mugName } from './shop/catalogue.js'
import { createOrders } from './shop/order.js'
import orderDeskSource from './shop/order-desk.ts?raw'
import { shopTalk } from './shop/shop-talk.js'
import shopTalkSource from './shop/shop-talk.ts?raw'
import { pageClient } from './site/page-client.js'
import pageClientSource from './site/page-client.ts?raw'
import { sourcePanel } from './site/source-panel.js'
import shopToolsSource from './tools/shop-tools.ts?raw'
import { createCartView } from './view/cart-view.js'
import { createChatView } from './view/chat-view.js'
import { createConnectionView } from './view/connection-view.js'
import { createOrderView } from './view/order-view.js'
import { createShelf } from './view/shelf-view.js'
import { createToasts } from './view/toast-view.js'
import { pageLayout } from './view/page-layout.js'

const client = pageClient({ tools: true, effort: 'light' })
const cart = createCart(window.localStorage)
const orders = createOrders(cart)
const toasts = createToasts()

const shelf = createShelf((mug) => {
  const result = cart.add(mug.id, 1)
  toasts.show(result.ok ? `${mugName(mug)} is in your cart.` : `There are no more of ${mugName(mug)}.`)
})
const ai = createAiConnection({ client, link: connection(client) })
const conversation = createConversation({
  talk: shopTalk(client, {
    cart,
    orders,
    onFound: (mugs) => {
      shelf.showFound(mugs)
    },
  }),
  whyFailed: async (error) => endingWords({ error, facts: await ai.check() }),
})
ai.onWithdrawn(() => {
  conversation.end('You disconnected this shop.')
})

const cartView = createCartView(cart, () => {
  void placeOwnOrder()
})
const layout = pageLayout()
const connectionView = createConnectionView(ai, {
  onPill: () => {
    layout.openChat()
    chatView.focus()
  },
  onFocusFree: () => {
    // The chat may not have drawn itself for the new state yet.
    queueMicrotask(chatView.focus)
  },
})
const chatView = createChatView({
  ...{ conversation, connection: ai, connectionView },
  onClose: () => {
    layout.closeChat()
  },
})
layout.build({
  pill: connectionView.pill,
  cartButton: cartView.button,
  shelf: shelf.node,
  chat: chatView.panel,
  focusChat: chatView.focus,
  source: sourcePanel({
    intro:
      'The shop gives the AI four tools. Three run in this page; the fourth, ordering, has nothing to run: it waits for your click.',
    files: [
      { path: 'shop/shop-talk.ts', about: 'the conversation', text: shopTalkSource },
      { path: 'tools/shop-tools.ts', about: 'what the AI may do here', text: shopToolsSource },
      { path: 'shop/order-desk.ts', about: 'the order, which waits for you', text: orderDeskSource },
      { path: 'site/page-client.ts', about: 'who may answer', text: pageClientSource },
    ],
  }),
  overlays: [cartView.drawer, createOrderView(orders), toasts.node],
})

async function placeOwnOrder(): Promise<void> {
  const answer = await orders.ask('visitor')
  if (answer.outcome === 'placed') toasts.show(`Order ${answer.number} is placed. Thank you!`)
}
