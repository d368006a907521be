/** Redraws an element when what it shows changes, as long as it stands in a page. */
import type { BaseElement, ElementPart } from './base-element.js'

export interface Watchable {
  /** Returns its undo. */
  subscribe(listener: () => void): () => void
}

/** Follows whatever `source` gives at the time: a client that is put in later, or another one. */
export class Watched implements ElementPart {
  readonly #host: BaseElement
  readonly #source: () => Watchable | undefined
  #watched: Watchable | undefined
  #undo: (() => void) | undefined
  #stands = false

  constructor(host: BaseElement, source: () => Watchable | undefined) {
    this.#host = host
    this.#source = source
    host.addPart(this)
  }

  onConnected(): void {
    this.#stands = true
  }

  onDraw(): void {
    const source = this.#stands ? this.#source() : undefined
    if (source === this.#watched) return
    this.#undo?.()
    this.#watched = source
    this.#undo = source?.subscribe(() => this.#host.redraw())
  }

  onDisconnected(): void {
    this.#stands = false
    this.#undo?.()
    this.#undo = this.#watched = undefined
  }
}
