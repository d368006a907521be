/**
 * What a list comes to, where the list mostly grows at its end: only what is new is looked at, however long it is.
 * Whatever else happens to the list is noticed, and everything is looked at again.
 */
export class Growing<Item, Value> {
  #seen: Item[] = []
  #value: Value

  /** @param add what the list comes to with one more item */
  constructor(
    private readonly empty: Value,
    private readonly add: (value: Value, item: Item) => Value,
  ) {
    this.#value = empty
  }

  of(items: readonly Item[]): Value {
    if (!this.#seen.every((item, at) => items[at] === item)) this.forget()
    for (const item of items.slice(this.#seen.length)) {
      this.#value = this.add(this.#value, item)
      this.#seen.push(item)
    }
    return this.#value
  }

  /** Everything is looked at again. */
  forget(): void {
    this.#seen = []
    this.#value = this.empty
  }
}
