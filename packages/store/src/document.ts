/** What is searched: documents of the page, each with an id and the text that stands for it. */
import { StoreError } from './store-error.js'

export interface IndexDocument {
  /** Unique in the index, and the same on each visit. */
  readonly id: string
  /** What is compared with questions. Blank: the document is never found. */
  readonly text: string
}

export interface SearchHit<Document extends IndexDocument> {
  readonly id: string
  readonly document: Document
  /** Cosine of the angle between the vectors: -1 to 1, 1 for the same meaning. */
  readonly score: number
}

/** The documents by id, in their order. @throws StoreError `bad_documents` */
export function byId<Document extends IndexDocument>(documents: readonly Document[]): ReadonlyMap<string, Document> {
  const all = new Map(documents.map((document) => [document.id, document]))
  const isSound = documents.every(({ id, text }) => typeof id === 'string' && id !== '' && typeof text === 'string')
  if (isSound && all.size === documents.length) return all
  throw new StoreError('bad_documents', 'Each document needs a text, and an id of its own.')
}
