/**
 * The present set of vectors, in memory and in the storage: taken out when its model comes, added to batch by batch, rid of
 * what is gone. When to do what is the index's.
 */
import type { IndexDocument } from './document.js'
import { type HashedDocument, LoadedSet } from './loaded-set.js'
import type { VectorStorage } from './storage.js'
import { unitVector } from './vector.js'

export class SetKeeper<Document extends IndexDocument> {
  readonly #storage: VectorStorage
  readonly #index: string
  /** Ids that are stored and belong to no document. */
  #stale: string[] = []
  #hasWarned = false
  /** `null`: no model was seen yet. */
  current: LoadedSet<Document> | null = null

  /** @param index its name in the storage */
  constructor(storage: VectorStorage, index: string) {
    this.#storage = storage
    this.#index = index
  }

  /** Makes a model's set the present one, as far as it is stored; another tab may have stored more than this one has seen. */
  async use(model: string, documents: readonly HashedDocument<Document>[], signal: AbortSignal): Promise<void> {
    const stored = await this.#try(() => this.#storage.load({ index: this.#index, model }))
    signal.throwIfAborted()
    if (this.current?.model !== model) this.current = new LoadedSet(model, [])
    const fresh = new LoadedSet<Document>(model, stored ?? [])
    for (const each of this.current.missing(documents)) {
      const vector = fresh.vectorOf(each)
      if (vector !== undefined) this.current.add({ id: each.id, hash: each.hash, vector })
    }
    this.#stale = fresh.prune(new Set(documents.map(({ id }) => id)))
  }

  /** Adds a batch, and returns what stores it. @throws StoreError `bad_vectors` */
  keep(batch: readonly HashedDocument<Document>[], vectors: readonly (readonly number[])[]): () => Promise<unknown> {
    const stored = batch.map(({ id, hash }, at) => ({ id, hash, vector: unitVector(vectors[at]) }))
    const { current } = this
    if (current === null) return () => Promise.resolve()
    for (const each of stored) current.add(each)
    return () => this.#try(() => this.#storage.put({ index: this.#index, model: current.model }, stored))
  }

  /** Takes away what belongs to none of these documents. */
  async tidy(documents: readonly HashedDocument<Document>[]): Promise<void> {
    const { current } = this
    if (current === null) return
    const gone = new Set([...current.prune(new Set(documents.map(({ id }) => id))), ...this.#stale])
    this.#stale = []
    if (gone.size === 0) return
    await this.#try(() => this.#storage.remove({ index: this.#index, model: current.model }, [...gone]))
  }

  /** A storage that fails costs embedding again on the next visit, and nothing else. */
  async #try<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!this.#hasWarned) console.warn("Vectors can't be kept in this browser.", error)
      this.#hasWarned = true
      return undefined
    }
  }
}
