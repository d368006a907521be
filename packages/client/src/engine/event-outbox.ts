/** A session's events on their way to the page: kept until the first listener is there, so that none is missed. */
import { Listeners } from './callbacks.js'

/** More than this isn't kept for a page that never listens; its text is in the session's `text` anyway. */
const MAX_KEPT = 1_000

export class EventOutbox<T> {
  readonly #listeners = new Listeners<T>()
  #kept: T[] | null = []

  emit(event: T): void {
    if (this.#kept === null) this.#listeners.emit(event)
    else if (this.#kept.push(event) > MAX_KEPT) this.#kept.shift()
  }

  /** The first listener gets at once what happened before. Returns its undo. */
  add(listener: (event: T) => unknown): () => void {
    const undo = this.#listeners.add(listener)
    const kept = this.#kept
    this.#kept = null
    for (const event of kept ?? []) this.#listeners.emit(event)
    return undo
  }
}
