/** The language that an element stands in, and when the page changes it. */
import { ChangeFeed } from './change-feed.js'

const changed = new ChangeFeed()
let observer: MutationObserver | undefined

/** The `lang` of the nearest element that has one, through shadow roots; empty where nobody says. */
export function languageOf(element: Element): string {
  for (let node: Element | null = element; node !== null; node = parentOf(node)) {
    const language = node.getAttribute('lang')
    if (language !== null && language !== '') return language
  }
  return ''
}

function parentOf(element: Element): Element | null {
  if (element.assignedSlot !== null) return element.assignedSlot
  if (element.parentElement !== null) return element.parentElement
  const root = element.getRootNode()
  return root instanceof ShadowRoot ? root.host : null
}

/** One observer for all elements: `lang` anywhere in the document. Returns its undo. */
export function onLanguageChanged(listener: () => void): () => void {
  const undo = changed.add(listener)
  if (observer === undefined) {
    observer = new MutationObserver(changed.tell)
    observer.observe(document, { subtree: true, attributes: true, attributeFilter: ['lang'] })
  }
  return () => {
    undo()
    if (changed.isHeard) return
    observer?.disconnect()
    observer = undefined
  }
}
