/** The vectors of one model in memory, and which documents still need one. Storing is the index's. */
import type { IndexDocument } from './document.js'
import type { Candidate } from './rank.js'
import type { StoredVector } from './storage.js'
import { textHash } from './text-hash.js'

export class LoadedSet<Document extends IndexDocument> {
  readonly #vectors = new Map<string, StoredVector>()

  constructor(
    readonly model: string,
    stored: readonly StoredVector[],
  ) {
    // What a storage gives back was on a disk: only whole vectors count.
    for (const each of stored) if (each.vector instanceof Float32Array && each.vector.length > 0) this.add(each)
  }

  add(stored: StoredVector): void {
    this.#vectors.set(stored.id, stored)
  }

  /** The vector of a document's present text. */
  vectorOf({ id, hash }: HashedDocument<Document>): Float32Array | undefined {
    const found = this.#vectors.get(id)
    return found?.hash === hash ? found.vector : undefined
  }

  missing(documents: readonly HashedDocument<Document>[]): HashedDocument<Document>[] {
    return documents.filter((document) => this.vectorOf(document) === undefined)
  }

  *candidates(
    documents: Iterable<HashedDocument<Document>>,
    filter: (document: Document) => boolean,
  ): Generator<Candidate<Document>> {
    for (const each of documents) {
      const vector = this.vectorOf(each)
      if (vector !== undefined && filter(each.document)) yield { document: each.document, vector }
    }
  }

  /** Drops what belongs to none of these, and says what that was. */
  prune(ids: ReadonlySet<string>): string[] {
    const gone = [...this.#vectors.keys()].filter((id) => !ids.has(id))
    for (const id of gone) this.#vectors.delete(id)
    return gone
  }
}

/** A document with the hash of its text. */
export interface HashedDocument<Document extends IndexDocument> {
  readonly id: string
  readonly hash: string
  readonly document: Document
}

/** Blank documents are left out: there is nothing to embed. */
export function hashDocuments<Document extends IndexDocument>(
  documents: ReadonlyMap<string, Document>,
): Map<string, HashedDocument<Document>> {
  const hashed = [...documents.values()]
    .filter(({ text }) => text.trim() !== '')
    .map((document) => ({ id: document.id, hash: textHash(document.text), document }))
  return new Map(hashed.map((each) => [each.id, each]))
}
