import { settle } from '@leuria/testing'
import { expect, it } from 'vitest'
import { SharedWork } from './index.js'

/** Work that a test ends by hand. */
function byHand() {
  const starts: { resolve: (value: string) => void; reject: (error: Error) => void; signal: AbortSignal }[] = []
  const work = new SharedWork<string>()
  const join = (signal = new AbortController().signal, key = 'k') =>
    work.join(key, signal, (own) => new Promise((resolve, reject) => starts.push({ resolve, reject, signal: own })))
  return { work, starts, join }
}

it('is done once for all who wait, and anew for who comes later', async () => {
  const { starts, join, work } = byHand()
  const both = Promise.all([join(), join()])
  expect(work.isRunning('k')).toBe(true)
  starts[0]?.resolve('done')
  expect(await both).toEqual(['done', 'done'])
  expect(work.isRunning('k')).toBe(false)
  const later = join()
  starts[1]?.resolve('again')
  expect(await later).toBe('again')
})

it('keeps different work apart', async () => {
  const { starts, join } = byHand()
  const both = Promise.all([join(undefined, 'a'), join(undefined, 'b')])
  starts[1]?.resolve('b')
  starts[0]?.resolve('a')
  expect(await both).toEqual(['a', 'b'])
})

it('goes on while anybody waits, and is stopped when the last one leaves', async () => {
  const { starts, join, work } = byHand()
  const [first, second] = [new AbortController(), new AbortController()]
  const waits = [join(first.signal), join(second.signal)].map((wait) => wait.catch(() => 'left'))
  first.abort()
  expect(await waits[0]).toBe('left')
  expect(starts[0]?.signal.aborted).toBe(false)
  second.abort()
  expect(await waits[1]).toBe('left')
  expect(starts[0]?.signal.aborted).toBe(true)
  expect(work.isRunning('k')).toBe(false)
})

it('fails for all who wait, and is tried anew by the next', async () => {
  const { starts, join } = byHand()
  const both = Promise.allSettled([join(), join()])
  starts[0]?.reject(new Error('no'))
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const next = join()
  starts[1]?.resolve('yes')
  expect(await next).toBe('yes')
})

it('is not begun for someone who already left, and a late failure harms nobody', async () => {
  const { starts, join } = byHand()
  await expect(join(AbortSignal.abort())).rejects.toThrow()
  expect(starts).toHaveLength(0)
  const own = new AbortController()
  const wait = join(own.signal).catch(() => 'left')
  own.abort()
  await wait
  starts[0]?.reject(new Error('too late'))
  await settle()
})
