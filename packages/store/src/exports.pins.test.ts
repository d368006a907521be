import { describe, expect, it } from 'vitest'
import * as store from './index.js'

describe('the public names', () => {
  it('are these: a red pin asks whether the change is deliberate', () => {
    expect(Object.keys(store).sort()).toEqual([
      'StoreError',
      'VectorIndex',
      'chunkMarkdown',
      'createIndex',
      'indexedDbStorage',
      'memoryStorage',
    ])
    expect(Object.getOwnPropertyNames(store.VectorIndex.prototype).sort()).toEqual([
      'constructor',
      'destroy',
      'getState',
      'ready',
      'retry',
      'search',
      'setDocuments',
      'similar',
      'subscribe',
    ])
  })
})
