/** The door: an index with this package's defaults. */
import type { IndexDocument } from './document.js'
import type { EmbeddingClient } from './embedding-client.js'
import { indexedDbStorage } from './indexed-db-storage.js'
import type { VectorStorage } from './storage.js'
import { browserLocks, type TabLocks } from './tab-lock.js'
import { VectorIndex } from './vector-index.js'

export interface CreateIndexOptions<Document extends IndexDocument> {
  /** Of the index: what is stored is found again by it. */
  name: string
  /** @default none yet: `setDocuments` */
  documents?: readonly Document[]
  /** @default indexedDbStorage() */
  storage?: VectorStorage
  /** Texts embedded at once. @default 32 */
  batchSize?: number
  /** What keeps tabs from doing the same work. @default the browser's Web Locks */
  locks?: TabLocks | null
}

/** Begins to index at once, or as soon as the client has somebody who embeds. @throws StoreError `bad_documents` */
export function createIndex<Document extends IndexDocument>(
  client: EmbeddingClient,
  options: CreateIndexOptions<Document>,
): VectorIndex<Document> {
  const { name, documents = [], storage = indexedDbStorage(), batchSize = 32, locks = browserLocks() } = options
  return new VectorIndex({ client, name, documents, storage, batchSize: Math.max(1, Math.floor(batchSize)), locks })
}
