import { expect, it } from 'vitest'
import { DEATH_WINDOW_MS, MAX_DEATHS, restartDelayMs } from './restart-policy.js'

it('waits longer each time, and gives up after five in a minute', () => {
  const deaths = Array.from({ length: MAX_DEATHS + 1 }, (_, at) => at * 1_000)
  expect(deaths.map((_, at) => restartDelayMs(deaths.slice(0, at + 1)))).toEqual([200, 400, 800, 1_600, 3_200, null])
})

it('forgets deaths that are a minute old, and not a moment sooner', () => {
  const early = [0, 1, 2, 3, 4]
  expect(restartDelayMs([...early, DEATH_WINDOW_MS - 1])).toBeNull()
  expect(restartDelayMs([...early, DEATH_WINDOW_MS])).toBe(3_200)
  expect(restartDelayMs([...early, DEATH_WINDOW_MS * 2])).toBe(200)
})
