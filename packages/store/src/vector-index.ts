/**
 * An index of documents by meaning. Follows the client: while nobody embeds it waits, a model that comes makes or finds its
 * set of vectors, and only what changed is embedded, batch after batch, each stored as it comes.
 */
import { byId, type IndexDocument, type SearchHit } from './document.js'
import type { EmbeddingClient } from './embedding-client.js'
import type { IndexState } from './index-state.js'
import { type HashedDocument, hashDocuments } from './loaded-set.js'
import { rank } from './rank.js'
import { SetKeeper } from './set-keeper.js'
import type { VectorStorage } from './storage.js'
import { StoreError } from './store-error.js'
import type { TabLocks } from './tab-lock.js'
import { unitVector } from './vector.js'

export interface IndexParts<Document extends IndexDocument> {
  readonly client: EmbeddingClient
  readonly name: string
  readonly documents: readonly Document[]
  readonly storage: VectorStorage
  readonly batchSize: number
  readonly locks: TabLocks | null
}

export interface SearchOptions<Document extends IndexDocument> {
  /** Most hits. @default 5 */
  k?: number
  /** Only these. */
  filter?: (document: Document) => boolean
  /** Searches what is indexed so far instead of waiting for the rest. @default false */
  partial?: boolean
  signal?: AbortSignal
}

/** So often a model may change while one pass goes on; then something is wrong with it. */
const MAX_MODEL_CHANGES = 8

export class VectorIndex<Document extends IndexDocument> {
  readonly #parts: IndexParts<Document>
  readonly #listeners = new Set<() => void>()
  readonly #unsubscribe: () => void
  readonly #keeper: SetKeeper<Document>
  #documents: ReadonlyMap<string, Document>
  #hashed: Map<string, HashedDocument<Document>>
  #state: IndexState = { status: 'waiting', model: null, done: 0, total: 0, error: null }
  #pass = new AbortController()
  /** Who embeds, as far as it was seen; undefined: nobody. */
  #embedder: string | undefined
  #isDestroyed = false

  /** Use `createIndex`. @throws StoreError `bad_documents` */
  constructor(parts: IndexParts<Document>) {
    this.#parts = parts
    this.#keeper = new SetKeeper(parts.storage, parts.name)
    this.#documents = byId(parts.documents)
    this.#hashed = hashDocuments(this.#documents)
    this.#unsubscribe = parts.client.subscribe(() => {
      if (this.#seenEmbedder() !== this.#embedder) this.#restart()
    })
    this.#restart()
  }

  /** The same object until something changed. */
  getState(): IndexState {
    return this.#state
  }

  /** Returns its undo. */
  subscribe(listener: () => void): () => void {
    const own = (): void => {
      listener()
    }
    this.#listeners.add(own)
    return () => {
      this.#listeners.delete(own)
    }
  }

  /** Puts these in place of the documents so far. Only new and changed ones are embedded. @throws StoreError `bad_documents` */
  setDocuments(documents: readonly Document[]): void {
    this.#documents = byId(documents)
    this.#hashed = hashDocuments(this.#documents)
    this.#restart()
  }

  /** After `error`: goes on where it stopped. */
  retry(): void {
    if (this.#state.status === 'error') this.#restart()
  }

  /**
   * Resolves once every document is indexed; waits for somebody who embeds, too.
   * @throws what stopped indexing; StoreError `destroyed`; the signal's reason
   */
  ready({ signal }: { signal?: AbortSignal } = {}): Promise<void> {
    return this.#until((status) => status === 'ready', signal)
  }

  /**
   * The documents nearest to a question, best first.
   * @throws what the client's `embed` throws (nobody embeds, aborted); what stopped indexing; StoreError `destroyed`
   */
  async search(query: string, options: SearchOptions<Document> = {}): Promise<SearchHit<Document>[]> {
    for (let change = 0; ; change += 1) {
      await this.#indexed(options)
      const { signal } = options
      const { vectors, model } = await this.#parts.client.embed([query], { kind: 'query', signal })
      const vector = unitVector(vectors[0])
      if (this.#keeper.current?.model === model || options.partial === true) {
        return this.#keeper.current?.model === model ? this.#rank(vector, options) : []
      }
      // The model changed: its own vectors come first.
      if (change >= MAX_MODEL_CHANGES) throw unsteady()
      this.#restart(model)
    }
  }

  /** The documents nearest to one of them, best first, without itself. @throws StoreError `unknown_document`, `destroyed`; what stopped indexing */
  async similar(id: string, options: SearchOptions<Document> = {}): Promise<SearchHit<Document>[]> {
    if (!this.#documents.has(id)) throw new StoreError('unknown_document', 'There is no such document.')
    await this.#indexed(options)
    const own = this.#hashed.get(id)
    const vector = own && this.#keeper.current?.vectorOf(own)
    if (vector === undefined) return []
    const { filter = () => true } = options
    return this.#rank(vector, { ...options, filter: (document) => document.id !== id && filter(document) })
  }

  /** Stops, and frees the memory; what is stored stays. */
  destroy(): void {
    this.#isDestroyed = true
    this.#pass.abort()
    this.#unsubscribe()
    this.#keeper.current = null
    this.#tell()
    this.#listeners.clear()
  }

  #rank(vector: Float32Array, { k = 5, filter = () => true }: SearchOptions<Document>): SearchHit<Document>[] {
    return this.#keeper.current === null
      ? []
      : rank(this.#keeper.current.candidates(this.#hashed.values(), filter), vector, k)
  }

  /** Nothing is being indexed. Without anybody who embeds, that is so too: `embed` says why. */
  async #indexed({ partial = false, signal }: SearchOptions<Document>): Promise<void> {
    if (!partial) await this.#until((status) => status !== 'indexing', signal)
    if (this.#isDestroyed) throw destroyed()
  }

  #until(fits: (status: IndexState['status']) => boolean, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const { status, error } = this.#state
        if (this.#isDestroyed) end(destroyed())
        else if (signal?.aborted) end(signal.reason)
        else if (status === 'error') end(error)
        else if (fits(status)) end(null)
      }
      const end = (failure: unknown): void => {
        undo()
        signal?.removeEventListener('abort', look)
        if (failure === null) resolve()
        else reject(asError(failure))
      }
      const undo = this.subscribe(look)
      signal?.addEventListener('abort', look)
      look()
    })
  }

  #seenEmbedder(): string | undefined {
    const { embedder } = this.#parts.client.getState()
    return embedder ? (embedder.embedModel ?? '') : undefined
  }

  /** Begins a new pass in place of the one that goes on. */
  #restart(model?: string): void {
    if (this.#isDestroyed) return
    this.#pass.abort()
    this.#pass = new AbortController()
    this.#embedder = this.#seenEmbedder()
    if (this.#embedder === undefined && model === undefined) {
      this.#setState({ status: 'waiting', error: null })
      return
    }
    this.#setState({ status: 'indexing', error: null })
    void this.#run(model ?? this.#embedder ?? '', this.#pass.signal)
  }

  async #run(model: string, signal: AbortSignal): Promise<void> {
    const work = (): Promise<void> => this.#index(model, signal)
    const { locks, name } = this.#parts
    try {
      await (locks === null ? work() : locks.request(`leuria-store:${name}`, { signal }, work))
      if (!signal.aborted) this.#setState({ status: 'ready' })
    } catch (cause) {
      if (signal.aborted) return
      // Whoever embedded is gone: that is no error, the index waits for the next one.
      if (this.#seenEmbedder() === undefined) this.#restart()
      else this.#setState({ status: 'error', error: asError(cause) })
    }
  }

  /** One pass: everything that has no vector yet. `model` may be unknown (''). */
  async #index(model: string, signal: AbortSignal): Promise<void> {
    const { client, batchSize } = this.#parts
    const keeper = this.#keeper
    const known = model || keeper.current?.model
    if (known) await this.#use(known, signal)
    let changes = 0
    for (let todo = this.#missing(); todo.length > 0; todo = this.#missing()) {
      const batch = todo.slice(0, batchSize)
      const texts = batch.map(({ document }) => document.text)
      const reply = await client.embed(texts, { kind: 'document', signal })
      signal.throwIfAborted()
      if (reply.vectors.length !== batch.length) {
        throw new StoreError('bad_vectors', 'The AI for searching left texts out.')
      }
      if (reply.model !== keeper.current?.model) {
        if ((changes += 1) > MAX_MODEL_CHANGES) throw unsteady()
        await this.#use(reply.model, signal)
      }
      const store = keeper.keep(batch, reply.vectors)
      this.#setState({})
      await store()
      signal.throwIfAborted()
    }
    // With no documents nothing is taken away: a page may begin without, and give them later.
    if (this.#documents.size > 0) await keeper.tidy(this.#all())
  }

  async #use(model: string, signal: AbortSignal): Promise<void> {
    await this.#keeper.use(model, this.#all(), signal)
    this.#setState({ model })
  }

  #all(): HashedDocument<Document>[] {
    return [...this.#hashed.values()]
  }

  #missing(): HashedDocument<Document>[] {
    return this.#keeper.current?.missing(this.#all()) ?? this.#all()
  }

  #setState(change: Partial<IndexState>): void {
    if (this.#isDestroyed) return
    const total = this.#hashed.size
    const done = total - this.#missing().length
    const next = { ...this.#state, ...change, done, total }
    const isSame = (Object.keys(next) as (keyof IndexState)[]).every((key) => next[key] === this.#state[key])
    if (isSame) return
    this.#state = next
    this.#tell()
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener()
  }
}

function unsteady(): StoreError {
  return new StoreError('bad_vectors', 'The AI for searching changes all the time.')
}

function asError(failure: unknown): Error {
  return failure instanceof Error ? failure : new Error('Stopped.', { cause: failure })
}

function destroyed(): StoreError {
  return new StoreError('destroyed', 'This index was closed.')
}
