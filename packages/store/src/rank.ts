/** The best few of many, best first. Compares everything: for ten thousand documents that takes milliseconds. */
import type { IndexDocument, SearchHit } from './document.js'
import { similarity } from './vector.js'

export interface Candidate<Document extends IndexDocument> {
  readonly document: Document
  readonly vector: Float32Array
}

/** @param k how many at most. Of equals the earlier document comes first. */
export function rank<Document extends IndexDocument>(
  candidates: Iterable<Candidate<Document>>,
  vector: Float32Array,
  k: number,
): SearchHit<Document>[] {
  const best: SearchHit<Document>[] = []
  for (const { document, vector: own } of candidates) {
    const score = similarity(vector, own)
    const worst = best.at(-1)
    if (best.length >= k && (worst === undefined || score <= worst.score)) continue
    const at = best.findIndex((hit) => hit.score < score)
    best.splice(at < 0 ? best.length : at, 0, { id: document.id, document, score })
    if (best.length > k) best.pop()
  }
  return best
}
