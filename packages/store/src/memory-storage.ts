/** Keeps vectors for this page's life: for tests, and where nothing may stay on the visitor's disk. */
import type { StoredVector, VectorSet, VectorStorage } from './storage.js'

export function memoryStorage(): VectorStorage {
  const sets = new Map<string, Map<string, StoredVector>>()
  const setOf = ({ index, model }: VectorSet): Map<string, StoredVector> => {
    const key = JSON.stringify([index, model])
    const found = sets.get(key) ?? new Map<string, StoredVector>()
    sets.set(key, found)
    return found
  }
  return {
    load: (set) => Promise.resolve([...setOf(set).values()]),
    put: (set, vectors) => {
      for (const each of vectors) setOf(set).set(each.id, each)
      return Promise.resolve()
    },
    remove: (set, ids) => {
      for (const id of ids) setOf(set).delete(id)
      return Promise.resolve()
    },
  }
}
