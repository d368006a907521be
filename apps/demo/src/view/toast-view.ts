/** Short news that goes away by itself: what was put into the cart, an order that was placed. */
import { element } from './element.js'

export interface Toasts {
  readonly node: HTMLElement
  show(text: string): void
}

/** Long enough to read a dozen words twice. */
const SHOWN_MS = 5_000

export function createToasts(): Toasts {
  const node = element('div', { class: 'toasts', testId: 'toasts', attributes: { role: 'status' } })
  return {
    node,
    show(text) {
      const toast = element('p', { class: 'toast', text, testId: 'toast' })
      node.replaceChildren(toast)
      setTimeout(() => {
        toast.remove()
      }, SHOWN_MS)
    },
  }
}
