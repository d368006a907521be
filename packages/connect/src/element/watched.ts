/** Redraws an element when what it shows changes, as long as it stands in a page. */
import type { ReactiveController, ReactiveControllerHost } from 'lit'

export interface Watchable {
  /** Returns its undo. */
  subscribe(listener: () => void): () => void
}

/** Follows whatever `source` gives at the time: a client that is put in later, or another one. */
export class Watched implements ReactiveController {
  readonly #host: ReactiveControllerHost
  readonly #source: () => Watchable | undefined
  readonly #onChange: () => void
  #watched: Watchable | undefined
  #undo: (() => void) | undefined
  #stands = false

  constructor(host: ReactiveControllerHost, source: () => Watchable | undefined, onChange?: () => void) {
    this.#host = host
    this.#source = source
    this.#onChange = onChange ?? (() => host.requestUpdate())
    host.addController(this)
  }

  hostConnected(): void {
    this.#stands = true
    this.#host.requestUpdate()
  }

  hostUpdate(): void {
    const source = this.#stands ? this.#source() : undefined
    if (source === this.#watched) return
    this.#undo?.()
    this.#watched = source
    this.#undo = source?.subscribe(this.#onChange)
  }

  hostDisconnected(): void {
    this.#stands = false
    this.#undo?.()
    this.#undo = this.#watched = undefined
  }
}
