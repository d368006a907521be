/** Where vectors are kept between visits. Shapes only; a page may bring a storage of its own. */

/** One index, embedded by one model. */
export interface VectorSet {
  readonly index: string
  readonly model: string
}

export interface StoredVector {
  readonly id: string
  /** Of the text that was embedded. */
  readonly hash: string
  /** Of length 1. */
  readonly vector: Float32Array
}

/**
 * Every method may reject: the index then goes on without, and embeds again on the next visit. Sets are apart from each
 * other; one that no model uses any more stays, for a visitor who goes back to it.
 */
export interface VectorStorage {
  load(set: VectorSet): Promise<StoredVector[]>
  /** Adds these, in place of what has the same ids; all or none. */
  put(set: VectorSet, vectors: readonly StoredVector[]): Promise<void>
  /** Ids that aren't there are fine. */
  remove(set: VectorSet, ids: readonly string[]): Promise<void>
}
