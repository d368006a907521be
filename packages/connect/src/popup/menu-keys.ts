/** The keys of a menu (ARIA Authoring Practices, Menu Button): arrows, Home, End, Tab. Escape is the browser's. */
import type { Popup } from './popup.js'

const STEPS: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index, count) => (index + 1) % count,
  ArrowUp: (index, count) => (index <= 0 ? count : index) - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** Moves the focus; Tab closes the menu and goes on from its button. */
export function onMenuKey(event: KeyboardEvent, popup: Popup): void {
  const { items } = popup
  if (event.key === 'Tab') popup.close()
  const step = STEPS[event.key]
  if (step === undefined || items.length === 0) return
  event.preventDefault()
  const focused = items.findIndex((item) => item.matches(':focus'))
  items[step(focused, items.length)]?.focus()
}

/** On the closed menu's button: arrows open it at its first or last item. */
export function onMenuButtonKey(event: KeyboardEvent, popup: Popup): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.preventDefault()
  popup.open()
  popup.items.at(event.key === 'ArrowUp' ? -1 : 0)?.focus()
}
