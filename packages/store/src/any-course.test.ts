import { settle } from '@leuria/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FakeEmbedder, wordVector } from './fake-embedder.fixture.js'
import { createIndex, type IndexDocument, memoryStorage, type VectorIndex } from './index.js'
import { textHash } from './text-hash.js'
import { similarity, unitVector } from './vector.js'

/** What may happen to an index, in any order. */
type Event =
  | { type: 'documents'; documents: IndexDocument[] }
  | { type: 'model'; model: string | null }
  | { type: 'failure' }
  | { type: 'retry' }
  | { type: 'reload' }
  | { type: 'wait' }

const text = fc.constantFrom('red mug', 'blue mug', 'deep bowl', 'a plate', ' ')
const documents = fc
  .uniqueArray(fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e'), text }), { selector: ({ id }) => id })
  .map((all) => ({ type: 'documents' as const, documents: all }))
const event: fc.Arbitrary<Event> = fc.oneof(
  documents,
  fc.constantFrom('model-a', 'model-b', null).map((model) => ({ type: 'model' as const, model })),
  fc.constantFrom('failure' as const, 'retry' as const, 'reload' as const, 'wait' as const).map((type) => ({ type })),
)

describe('an index, whatever happened to it', () => {
  it('comes to hold exactly the present documents, by the present model', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 15 }), documents, async (events, last) => {
        const embedder = new FakeEmbedder()
        const storage = memoryStorage()
        let present: IndexDocument[] = []
        const open = (): VectorIndex<IndexDocument> =>
          createIndex(embedder, { name: 'any', documents: present, storage, batchSize: 2, locks: null })
        let index = open()
        const happen: { [Type in Event['type']]: (event: Extract<Event, { type: Type }>) => unknown } = {
          documents: (given) => {
            present = given.documents
            index.setDocuments(present)
          },
          model: ({ model }) => {
            embedder.become(model)
          },
          failure: () => embedder.failures.push(new Error('Out of memory.')),
          retry: () => {
            index.retry()
          },
          reload: () => {
            index.destroy()
            index = open()
          },
          wait: () => settle(),
        }
        for (const each of [...events, last]) await happen[each.type](each as never)
        embedder.failures = []
        embedder.become('model-a')
        index.retry()
        await index.ready()

        const whole = present.filter(({ text }) => text.trim() !== '')
        expect(index.getState()).toMatchObject({
          status: 'ready',
          model: whole.length > 0 ? 'model-a' : index.getState().model,
        })
        expect(index.getState()).toMatchObject({ done: whole.length, total: whole.length, error: null })
        const hits = await index.search('red bowl', { k: 99 })
        const question = unitVector(wordVector('red bowl'))
        const expected = whole.map(({ id, text }) => [id, similarity(question, unitVector(wordVector(text)))])
        expect(new Map(hits.map(({ id, score }) => [id, score]))).toEqual(new Map(expected as [string, number][]))
        expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => b - a))

        const stored = await storage.load({ index: 'any', model: 'model-a' })
        const kept = new Map(stored.map(({ id, hash }) => [id, hash]))
        for (const { id, text } of whole) expect(kept.get(id)).toBe(textHash(text))
        if (present.length > 0) expect(kept.size).toBe(whole.length)
        const before = embedder.embedded.length
        index.destroy()
        index = open()
        await index.ready()
        expect(embedder.embedded.length).toBe(before)
        index.destroy()
      }),
      { numRuns: 150 },
    )
  })
})
