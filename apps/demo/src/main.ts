/** Builds the page: the shop, its tools, the connection to the visitor's AI, and the views of all of them. */
import './styles/page.css'
import { BridgeClient, DEFAULT_URL } from '@leuria/client'
import { ASSISTANT_PROMPT } from './assistant-prompt.js'
import { createConversation, type SessionEnd } from './chat/conversation.js'
import { createAiConnection, type AiConnection } from './connection/ai-connection.js'
import { SHOP_NAME } from './connection/connection-words.js'
import { endingWords } from './chat/ending-words.js'
import { engineAddress } from './engine-address.js'
import { createCart } from './shop/cart.js'
import { mugName } from './shop/catalogue.js'
import { createOrders } from './shop/order.js'
import { createShopTools } from './tools/shop-tools.js'
import { createCartView } from './view/cart-view.js'
import { createChatView } from './view/chat-view.js'
import { createConnectionView } from './view/connection-view.js'
import { createOrderView } from './view/order-view.js'
import { createShelf } from './view/shelf-view.js'
import { createToasts } from './view/toast-view.js'
import { pageLayout } from './view/page-layout.js'

const configured = fromServer('leuria-engine')
const address = engineAddress({ search: location.search, configured })
const client = createClient(address)
const cart = createCart(window.localStorage)
const orders = createOrders(cart)
const toasts = createToasts()

const shelf = createShelf((mug) => {
  const result = cart.add(mug.id, 1)
  toasts.show(result.ok ? `${mugName(mug)} is in your cart.` : `There are no more of ${mugName(mug)}.`)
})
const connection = createAiConnection({
  client,
  // An engine without an app asks by itself; a link would only make the browser ask what to do with it.
  opensLink: address !== configured || fromServer('leuria-approvals') !== 'page',
  watch: {
    isVisible: () => document.visibilityState === 'visible',
    onVisible: (listener) => {
      document.addEventListener('visibilitychange', listener)
      window.addEventListener('focus', listener)
    },
    every: (ms, run) => {
      setInterval(run, ms)
    },
  },
})
const conversation = createConversation({
  source: client,
  tools: createShopTools({
    cart,
    orders,
    onFound: (mugs) => {
      shelf.showFound(mugs)
    },
  }),
  systemPrompt: ASSISTANT_PROMPT,
  whyEnded: (how, error) => whyEnded(connection, how, error),
})
connection.onWithdrawn(() => {
  conversation.end('You disconnected this shop.')
})

const cartView = createCartView(cart, () => {
  void placeOwnOrder()
})
const layout = pageLayout()
const connectionView = createConnectionView(connection, {
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
  ...{ conversation, connection, connectionView },
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
  overlays: [cartView.drawer, createOrderView(orders), toasts.node],
})

/** What the server wrote into the page; empty where it wrote nothing. */
function fromServer(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''
}

/** An address that isn't allowed must not leave the visitor with a blank page. */
function createClient(url: string): BridgeClient {
  const options = { app: SHOP_NAME, needs: { tools: true, effort: 'light' } } as const
  try {
    return new BridgeClient({ ...options, url })
  } catch {
    console.warn(`The engine address ${url} is not allowed; using ${DEFAULT_URL}.`)
    return new BridgeClient(options)
  }
}

async function placeOwnOrder(): Promise<void> {
  const answer = await orders.ask('visitor')
  if (answer.outcome === 'placed') toasts.show(`Order ${answer.number} is placed. Thank you!`)
}

async function whyEnded(of: AiConnection, how: SessionEnd, error: unknown): Promise<string> {
  return endingWords({ how, error, facts: await of.check() })
}
