/** A tool call in words for the visitor: what the AI did in this page, and what came of it. */

import { findMug, mugName } from '../shop/catalogue.js'

export interface CallWords {
  /** "Searching mugs: blue, up to €30". */
  readonly doing: string
  /** The same when it is over. */
  readonly done: string
}

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

function searchWords(args: Fields): string {
  const price = text(args.maxPrice) === '' ? '' : `up to €${text(args.maxPrice)}`
  const parts = new Set([text(args.query), text(args.colour), price].filter((part) => part !== ''))
  return parts.size === 0 ? '' : `: ${[...parts].join(', ')}`
}

function addWords(args: Fields): string {
  const quantity = args.quantity === undefined || args.quantity === 1 ? '' : `${text(args.quantity)} × `
  const id = text(args.productId)
  const mug = findMug(id)
  return id === '' ? '' : `: ${quantity}${mug === undefined ? id : mugName(mug)}`
}

const WORDS: Readonly<Record<string, (args: Fields) => CallWords>> = {
  search_products: (args) => ({
    doing: `Searching mugs${searchWords(args)}`,
    done: `Searched mugs${searchWords(args)}`,
  }),
  add_to_cart: (args) => ({
    doing: `Putting into your cart${addWords(args)}`,
    done: `Put into your cart${addWords(args)}`,
  }),
  get_cart: () => ({ doing: 'Looking into your cart', done: 'Looked into your cart' }),
  confirm_order: () => ({ doing: 'Asking you to confirm the order', done: 'Asked you to confirm the order' }),
}

/** @param tool the tool's name; one that isn't the shop's own is named as it is */
export function callWords(tool: string, args: unknown): CallWords {
  const words = Object.hasOwn(WORDS, tool) ? WORDS[tool] : undefined
  return words?.(fieldsOf(args)) ?? { doing: `Calling ${tool}`, done: `Called ${tool}` }
}

/** "3 mugs found", or an empty text when there is nothing to add. */
export function resultWords(tool: string, result: unknown): string {
  const fields = fieldsOf(result)
  if (tool === 'search_products' && Array.isArray(fields.products)) {
    const { length } = fields.products
    return length === 0 ? 'nothing found' : length === 1 ? '1 mug found' : `${length} mugs found`
  }
  if (tool === 'confirm_order') return fields.status === 'placed' ? 'you placed it' : 'you declined'
  return ''
}
