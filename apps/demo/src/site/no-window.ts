/** Says where a site's settings are when the engine has no window that a link could open. */
import { createToasts, type Toasts } from '../view/toast-view.js'

let toasts: Toasts | null = null

/** @param link one that was kept in the page */
export function sayWithoutWindow(link: string): void {
  if (!link.startsWith('leuria://site')) return // Connecting says by itself where the question is.
  if (toasts === null) {
    toasts = createToasts()
    document.body.append(toasts.node)
  }
  toasts.show('This Leuria has no window. In a terminal, “leuria sites” shows what you allowed.')
}
