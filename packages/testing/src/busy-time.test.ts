import { expect, it } from 'vitest'
import { computedMs, livedTime } from './busy-time.js'

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** As a process that isn't let run for a while. */
function stall(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

it('lives through what it waits for, and not through what keeps it from running', async () => {
  using time = livedTime()
  stall(400)
  await wait(0)
  expect(time.ms).toBeLessThan(100)
  await expect.poll(() => time.ms).toBeGreaterThan(100)
})

it('stands still once it is disposed of', async () => {
  const time = livedTime()
  await expect.poll(() => time.ms).toBeGreaterThan(0)
  time[Symbol.dispose]()
  const { ms } = time
  await wait(30)
  expect(time.ms).toBe(ms)
})

it('computes while it computes, and not while it waits', async () => {
  const before = computedMs()
  stall(200)
  const after = computedMs()
  expect(after - before).toBeGreaterThan(5)
  await wait(300)
  expect(computedMs() - after).toBeLessThan(250)
})
