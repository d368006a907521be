import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fitSize, MAX_SIDE } from './fit.js'

it.each([
  [
    { width: 640, height: 480 },
    { width: 640, height: 480 },
  ],
  [
    { width: 1_024, height: 1_024 },
    { width: 1_024, height: 1_024 },
  ],
  [
    { width: 1_025, height: 10 },
    { width: 1_024, height: 10 },
  ],
  [
    { width: 3_000, height: 4_000 },
    { width: 768, height: 1_024 },
  ],
  [
    { width: 100_000, height: 1 },
    { width: 1_024, height: 1 },
  ],
])('fits %j', (size, expected) => {
  expect(fitSize(size)).toEqual(expected)
})

it('always fits, and never grows', () => {
  const side = fc.integer({ min: 1, max: 50_000 })
  fc.assert(
    fc.property(side, side, (width, height) => {
      const fit = fitSize({ width, height })
      expect(Math.max(fit.width, fit.height)).toBeLessThanOrEqual(Math.min(MAX_SIDE, Math.max(width, height)))
      expect(Math.min(fit.width, fit.height)).toBeGreaterThanOrEqual(1)
    }),
  )
})
