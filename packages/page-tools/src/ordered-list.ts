/** Declarations in the order a page made them: replacing keeps the place, and readers get snapshots. */

export class OrderedList<Item> {
  readonly #items = new Map<string, Item>()
  #snapshot: readonly Item[] | null = null

  get size(): number {
    return this.#items.size
  }

  get(key: string): Item | undefined {
    return this.#items.get(key)
  }

  /** Adds at the end, or replaces in place. */
  set(key: string, item: Item): void {
    this.#items.set(key, item)
    this.#snapshot = null
  }

  delete(key: string): boolean {
    const existed = this.#items.delete(key)
    if (existed) this.#snapshot = null
    return existed
  }

  clear(): void {
    this.#items.clear()
    this.#snapshot = null
  }

  /** The same array until something changes. */
  list(): readonly Item[] {
    return (this.#snapshot ??= [...this.#items.values()])
  }
}
