/** What every storage of vectors must do. Each implementation runs it. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { StoredVector, VectorStorage } from './storage.js'

const SET = { index: 'shop', model: 'model-a' }

const row = (id: string, ...numbers: number[]): StoredVector => {
  return { id, hash: `hash-${id}`, vector: Float32Array.from(numbers) }
}
const sorted = (rows: readonly StoredVector[]) => [...rows].sort((a, b) => (a.id < b.id ? -1 : 1))

/** @param setup gives an empty storage; `reopen` gives what a later visit would have */
export function storageContract(
  name: string,
  setup: () => Promise<{ storage: VectorStorage; reopen: () => Promise<VectorStorage> }>,
): void {
  describe(`storage contract: ${name}`, () => {
    let storage: VectorStorage
    let reopen: () => Promise<VectorStorage>
    beforeEach(async () => {
      ;({ storage, reopen } = await setup())
    })

    it('is empty at first', async () => {
      expect(await storage.load(SET)).toEqual([])
      await storage.remove(SET, ['nothing'])
      await storage.put(SET, [])
    })

    it('gives back what was put, number for number, to a later visit too', async () => {
      await storage.put(SET, [row('b', 0.25, -0.5), row('a', 1 / 3, 1e-9)])
      const expected = [row('a', 1 / 3, 1e-9), row('b', 0.25, -0.5)]
      expect(sorted(await storage.load(SET))).toEqual(expected)
      expect(sorted(await (await reopen()).load(SET))).toEqual(expected)
    })

    it('puts in place of what has the same id', async () => {
      await storage.put(SET, [row('a', 1), row('b', 2)])
      await storage.put(SET, [{ ...row('a', 3), hash: 'new' }])
      expect(sorted(await storage.load(SET))).toEqual([{ ...row('a', 3), hash: 'new' }, row('b', 2)])
    })

    it('removes by id', async () => {
      await storage.put(SET, [row('a', 1), row('b', 2), row('c', 3)])
      await storage.remove(SET, ['a', 'c', 'unknown'])
      expect(await storage.load(SET)).toEqual([row('b', 2)])
    })

    it('keeps sets apart, whatever their names', async () => {
      const sets = [
        SET,
        { index: 'shop', model: 'model-b' },
        { index: 'shop2', model: 'model-a' },
        { index: 'shop', model: 'model-a2' },
        { index: 'shop"', model: '","model-a' },
        { index: '', model: '' },
      ]
      for (const [at, set] of sets.entries()) await storage.put(set, [row('a', at), row(`only-${at}`, at)])
      for (const [at, set] of sets.entries())
        expect(sorted(await storage.load(set))).toEqual([row('a', at), row(`only-${at}`, at)])
      await storage.remove(SET, ['a'])
      expect(await storage.load({ index: 'shop', model: 'model-b' })).toHaveLength(2)
    })

    it('takes any text as an id', async () => {
      const ids = ['', ' ', 'ä/ö?#', '\u{1f30d}', '\uffff', 'a'.repeat(2_000)]
      await storage.put(
        SET,
        ids.map((id, at) => row(id, at)),
      )
      expect((await storage.load(SET)).map(({ id }) => id).sort()).toEqual([...ids].sort())
    })

    it('does several things at once', async () => {
      await Promise.all(Array.from({ length: 20 }, (_, at) => storage.put(SET, [row(`id-${at}`, at)])))
      expect(await storage.load(SET)).toHaveLength(20)
    })
  })
}
