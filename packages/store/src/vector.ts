/** Vectors of length 1, so that the dot product of two is the cosine of their angle. */
import { StoreError } from './store-error.js'

/** @throws StoreError `bad_vectors` when there is none, or numbers are missing */
export function unitVector(numbers: readonly number[] | undefined): Float32Array {
  const vector = Float32Array.from(numbers ?? [])
  let squares = 0
  for (const each of vector) squares += each * each
  const length = Math.sqrt(squares)
  if (vector.length === 0 || !Number.isFinite(length)) {
    throw new StoreError('bad_vectors', 'The AI for searching gave something unreadable.')
  }
  // A vector of zeros is near to nothing.
  return length === 0 ? vector : vector.map((each) => each / length)
}

/** The cosine for vectors of length 1. Of different models, or different sizes: 0. */
export function similarity(one: Float32Array, other: Float32Array): number {
  if (one.length !== other.length) return 0
  let sum = 0
  // An index loop: this line runs millions of times in a search.
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0)
  return sum
}
