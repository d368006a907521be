/**
 * Placing an order: somebody asks, the visitor answers with a click of their own, or the question is taken back.
 * One question at a time. Nothing is sold: this is a demo.
 */
import type { Cart, CartState } from './cart.js'
import { createStore, type Store } from '../store.js'

export type OrderAnswer =
  | { outcome: 'placed'; number: string; cart: CartState }
  | { outcome: 'declined' | 'taken_back' | 'empty_cart' | 'already_asking' }

/** What the visitor is being asked. */
export interface OrderQuestion {
  readonly cart: CartState
  /** Who wants the order: the visitor's AI, or the visitor through the cart. */
  readonly askedBy: 'ai' | 'visitor'
}

export interface Orders {
  /** The open question, or `null`. */
  readonly question: Pick<Store<OrderQuestion | null>, 'get' | 'subscribe'>
  /** Asks the visitor. Resolves with their answer; aborting takes the question back. */
  ask(askedBy: OrderQuestion['askedBy'], signal?: AbortSignal): Promise<OrderAnswer>
  /** The visitor's click. */
  answer(place: boolean): void
}

/** Numbers look like a small shop's. */
const FIRST_ORDER_NUMBER = 1042

export function createOrders(cart: Cart): Orders {
  const question = createStore<OrderQuestion | null>(null)
  let settle: ((answer: OrderAnswer) => void) | null = null
  let nextNumber = FIRST_ORDER_NUMBER

  const finish = (answer: OrderAnswer): void => {
    const waiting = settle
    settle = null
    question.set(null)
    waiting?.(answer)
  }
  return {
    question,
    async ask(askedBy, signal) {
      if (cart.get().count === 0) return { outcome: 'empty_cart' }
      if (settle !== null) return { outcome: 'already_asking' }
      if (signal?.aborted === true) return { outcome: 'taken_back' }
      const answered = new Promise<OrderAnswer>((resolve) => {
        settle = resolve
      })
      const takeBack = (): void => {
        finish({ outcome: 'taken_back' })
      }
      signal?.addEventListener('abort', takeBack)
      // What is shown is always what would be placed.
      const show = (): void => {
        if (settle !== null) question.set({ cart: cart.get(), askedBy })
      }
      show()
      const stopShowing = cart.subscribe(show)
      const answer = await answered.finally(stopShowing)
      signal?.removeEventListener('abort', takeBack)
      return answer
    },
    answer(place) {
      if (settle === null) return
      if (!place) {
        finish({ outcome: 'declined' })
        return
      }
      const placed = cart.get()
      nextNumber += 1
      finish({ outcome: 'placed', number: `SK-${nextNumber - 1}`, cart: placed })
      cart.clear()
    },
  }
}
