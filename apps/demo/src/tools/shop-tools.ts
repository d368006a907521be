/** What the shop offers to the visitor's AI. Each tool does what the visitor could do by hand, and nothing more. */
import { defineTool, type Tool } from '@leuria/client'
import { COLOURS, mugName, type Mug } from '../shop/catalogue.js'
import type { AddResult, Cart, CartState } from '../shop/cart.js'
import { formatCents } from '../shop/money.js'
import { confirmOrder } from '../shop/order-desk.js'
import { searchMugs } from '../shop/search-mugs.js'
import { readChoice, readFields, readNumber, readText } from './read-arguments.js'

export interface Shop {
  readonly cart: Cart
  /** Shows the visitor what the AI found. */
  readonly onFound?: (mugs: readonly Mug[]) => void
}

/** Most results that an AI gets: more would only cost it attention. */
const MAX_RESULTS = 8

export function createShopTools(shop: Shop): Tool[] {
  return [searchProducts(shop), addToCart(shop), getCart(shop), confirmOrder]
}

function searchProducts({ onFound }: Shop): Tool {
  return defineTool({
    name: 'search_products',
    description:
      'Search the shop’s mugs by words: name, glaze, pattern, size or what they are good for. Returns id, name, colour, price and how many are in stock.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'Words to search for; empty for every mug' },
        colour: { enum: COLOURS, description: 'Only mugs of this colour' },
        maxPrice: { type: 'number', minimum: 0, description: 'Highest price in euros' },
      },
      required: ['query'],
    },
    annotations: { title: 'Search mugs', readOnlyHint: true },
    execute(args) {
      const fields = readFields(args)
      const { mugs, isExact } = searchMugs({
        query: readText(fields, 'query'),
        colour: readChoice(fields, 'colour', COLOURS),
        maxPrice: readNumber(fields, 'maxPrice'),
      })
      onFound?.(mugs)
      return {
        ...(isExact ? {} : { note: 'No mug fits all of these words. These come closest.' }),
        products: mugs.slice(0, MAX_RESULTS).map(describeMug),
      }
    },
  })
}

function describeMug(mug: Mug): object {
  return {
    id: mug.id,
    name: mugName(mug),
    colour: mug.colour,
    price: formatCents(mug.priceCents),
    inStock: mug.stock,
    volume: `${mug.volumeMl} ml`,
    about: mug.about,
  }
}

function addToCart({ cart }: Shop): Tool {
  return defineTool({
    name: 'add_to_cart',
    description: 'Put a mug into the visitor’s cart.',
    inputSchema: {
      type: 'object',
      properties: {
        productId: { type: 'string', description: 'The id from search_products' },
        quantity: { type: 'integer', minimum: 1, maximum: 20, default: 1 },
      },
      required: ['productId'],
    },
    annotations: { title: 'Add to cart', destructiveHint: false },
    execute(args) {
      const fields = readFields(args)
      const id = readText(fields, 'productId')
      if (id === undefined) throw new Error('"productId" is missing. Use search_products to find it.')
      const result = cart.add(id, readNumber(fields, 'quantity') ?? 1)
      if (!result.ok) throw new Error(sayRefusal(result))
      const { mug } = result.line
      return { message: `Added ${result.added} × ${mugName(mug)}.`, cart: describeTotal(cart.get()) }
    },
  })
}

function sayRefusal({ reason, left }: Extract<AddResult, { ok: false }>): string {
  switch (reason) {
    case 'unknown_mug':
      return 'There is no mug with that id. Use search_products to find it.'
    case 'sold_out':
      return 'This mug is sold out.'
    case 'bad_quantity':
      return 'The quantity must be a whole number from 1.'
    case 'not_enough':
      return left === 0
        ? 'All there are of this mug are in the cart already.'
        : `Only ${left} more of this mug can be added.`
  }
}

function getCart({ cart }: Shop): Tool {
  return defineTool({
    name: 'get_cart',
    description: 'Show what is in the visitor’s cart: the mugs, how many of each, and the total.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { title: 'Look into the cart', readOnlyHint: true },
    execute() {
      const state = cart.get()
      if (state.count === 0) return { message: 'The cart is empty.', items: [] }
      return {
        items: state.lines.map(({ mug, quantity }) => ({
          productId: mug.id,
          name: mugName(mug),
          quantity,
          price: formatCents(mug.priceCents * quantity),
        })),
        total: formatCents(state.totalCents),
      }
    },
  })
}

function describeTotal({ count, totalCents }: CartState): object {
  return { mugs: count, total: formatCents(totalCents) }
}
