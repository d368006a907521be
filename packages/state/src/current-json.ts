/** What a JSON file says as far as this process knows, and who wants to hear of changes. Touches no disk. */
import type { Loaded } from './json-content.js'
import { missingContent } from './json-content.js'

export type ValueListener<T> = (value: T, previous: T) => void

export class CurrentJson<T> {
  #value: T
  #known: Loaded<T> = missingContent()
  #generation = 0
  readonly #listeners = new Set<ValueListener<T>>()

  constructor(
    private readonly empty: () => T,
    private readonly log: (line: string) => void,
  ) {
    this.#value = empty()
  }

  get value(): T {
    return this.#value
  }

  /** What was last read or written, with what tells it from anything newer. */
  get known(): Loaded<T> {
    return this.#known
  }

  /** Counts the values: a look at the disk that was overtaken by a change must not bring the older one back. */
  get generation(): number {
    return this.#generation
  }

  /** Takes what the disk says. Anything but a whole file says what an empty one does: nobody is allowed by a damaged file. */
  adopt(loaded: Loaded<T>): void {
    const isSame = this.#known.digest === loaded.digest
    this.#known = loaded
    if (isSame) return
    this.#generation += 1
    const previous = this.#value
    this.#value = loaded.content.kind === 'whole' ? loaded.content.value : this.empty()
    for (const listener of this.#listeners) this.#tell(listener, previous)
  }

  subscribe(listener: ValueListener<T>): () => void {
    // A wrapper, so that a function subscribed twice has two undos.
    const entry: ValueListener<T> = (value, previous) => {
      listener(value, previous)
    }
    this.#listeners.add(entry)
    return () => this.#listeners.delete(entry)
  }

  silence(): void {
    this.#listeners.clear()
  }

  #tell(listener: ValueListener<T>, previous: T): void {
    try {
      listener(this.#value, previous)
    } catch (error) {
      this.log(`A listener for changes failed: ${error instanceof Error ? error.message : 'unknown error'}`)
    }
  }
}
