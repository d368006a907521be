import { expect, it } from 'vitest'
import * as entry from './index.js'

it('exports exactly these values', () => {
  expect(Object.keys(entry).sort()).toEqual([
    'createEmbeddings',
    'findEmbeddingModel',
    'parseEmbeddingChoice',
    'taskPrefix',
  ])
})
