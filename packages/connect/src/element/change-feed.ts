/** Who wants to know that something shared by all elements has changed. */
export class ChangeFeed {
  readonly #listeners = new Set<() => void>()

  readonly tell = (): void => {
    for (const listener of this.#listeners) listener()
  }

  get isHeard(): boolean {
    return this.#listeners.size > 0
  }

  /** Returns its undo. */
  add(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
