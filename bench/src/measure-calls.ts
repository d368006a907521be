/** Sends the same work again and again and says what each took, and what it cost the process under measurement. */
import type { Figures } from './rounds.js'
import { median } from './statistics.js'
import type { Variant } from './stage.js'

export interface CallsToMeasure {
  count: number
  /** How many are under way at once. @default 1 */
  inFlight?: number
  call: () => Promise<unknown>
}

/** `p50` and `cpu` in µs a call, `rate` in calls a second. A tenth of the calls goes before, unmeasured. */
export async function measureCalls(
  { process }: Pick<Variant, 'process'>,
  { count, inFlight = 1, call }: CallsToMeasure,
): Promise<Figures> {
  await callMany(Math.ceil(count / 10), inFlight, call)
  const cpuBefore = process.cpuUs()
  const before = performance.now()
  const tookUs = await callMany(count, inFlight, call)
  const tookS = (performance.now() - before) / 1_000
  return { p50: median(tookUs), cpu: (process.cpuUs() - cpuBefore) / count, rate: count / tookS }
}

async function callMany(count: number, inFlight: number, call: () => Promise<unknown>): Promise<number[]> {
  const tookUs: number[] = []
  let started = 0
  const worker = async (): Promise<void> => {
    while (started < count) {
      started += 1
      const before = performance.now()
      await call()
      tookUs.push((performance.now() - before) * 1_000)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, worker))
  return tookUs
}
