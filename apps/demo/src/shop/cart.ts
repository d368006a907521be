/** The cart: how many of which mug, never more than there are, kept in the browser. */
import { findMug, type Mug } from './catalogue.js'
import { createStore, type Store } from '../store.js'

export interface CartLine {
  readonly mug: Mug
  readonly quantity: number
}

export interface CartState {
  readonly lines: readonly CartLine[]
  readonly count: number
  readonly totalCents: number
}

/** Where the cart is kept between visits. */
export interface CartStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

export type AddResult =
  | { ok: true; added: number; line: CartLine }
  | { ok: false; reason: 'unknown_mug' | 'sold_out' | 'not_enough' | 'bad_quantity'; left?: number }

export interface Cart extends Pick<Store<CartState>, 'get' | 'subscribe'> {
  add(id: string, quantity: number): AddResult
  /** Sets a line's quantity, cut to what there is; 0 takes it out. */
  setQuantity(id: string, quantity: number): void
  clear(): void
}

const STORAGE_KEY = 'small-kiln:cart'

export function createCart(storage?: CartStorage): Cart {
  const store = createStore(stateOf(readLines(storage)))
  store.subscribe(({ lines }) => {
    keep(storage, lines)
  })
  const put = (mug: Mug, quantity: number): void => {
    const lines = store.get().lines
    const known = lines.some((line) => line.mug === mug)
    const next = known
      ? lines.map((line) => (line.mug === mug ? { mug, quantity } : line))
      : [...lines, { mug, quantity }]
    store.set(stateOf(next.filter((line) => line.quantity > 0)))
  }
  const quantityOf = (mug: Mug): number => store.get().lines.find((line) => line.mug === mug)?.quantity ?? 0

  return {
    get: store.get,
    subscribe: store.subscribe,
    add(id, quantity) {
      const mug = findMug(id)
      if (mug === undefined) return { ok: false, reason: 'unknown_mug' }
      if (!Number.isInteger(quantity) || quantity < 1) return { ok: false, reason: 'bad_quantity' }
      if (mug.stock === 0) return { ok: false, reason: 'sold_out' }
      const left = mug.stock - quantityOf(mug)
      if (quantity > left) return { ok: false, reason: 'not_enough', left }
      put(mug, quantityOf(mug) + quantity)
      return { ok: true, added: quantity, line: { mug, quantity: quantityOf(mug) } }
    },
    setQuantity(id, quantity) {
      const mug = findMug(id)
      if (mug !== undefined) put(mug, Math.max(0, Math.min(mug.stock, Math.floor(quantity))))
    },
    clear() {
      store.set(stateOf([]))
    },
  }
}

function stateOf(lines: readonly CartLine[]): CartState {
  return {
    lines,
    count: lines.reduce((sum, line) => sum + line.quantity, 0),
    totalCents: lines.reduce((sum, line) => sum + line.quantity * line.mug.priceCents, 0),
  }
}

/** What is stored comes from outside: anything that isn't a known mug and a fitting number is dropped. */
function readLines(storage: CartStorage | undefined): CartLine[] {
  const stored = parse(read(storage))
  if (!Array.isArray(stored)) return []
  const quantities = new Map<Mug, number>()
  for (const entry of stored as readonly unknown[]) {
    if (!Array.isArray(entry)) continue
    const [id, quantity] = entry as readonly unknown[]
    const mug = typeof id === 'string' ? findMug(id) : undefined
    if (mug === undefined || typeof quantity !== 'number' || !Number.isInteger(quantity) || quantity < 1) continue
    quantities.set(mug, Math.min(quantity, mug.stock))
  }
  return [...quantities].filter(([, quantity]) => quantity > 0).map(([mug, quantity]) => ({ mug, quantity }))
}

function read(storage: CartStorage | undefined): string {
  try {
    return storage?.getItem(STORAGE_KEY) ?? ''
  } catch {
    return '' // Storage is blocked: the cart lives as long as the page.
  }
}

function keep(storage: CartStorage | undefined, lines: readonly CartLine[]): void {
  try {
    storage?.setItem(STORAGE_KEY, JSON.stringify(lines.map(({ mug, quantity }) => [mug.id, quantity])))
  } catch {
    // Blocked or full: nothing is lost that was there before.
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
