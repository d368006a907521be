import { describe, expect, it } from 'vitest'
import { decideRetry, MAX_RETRY_AFTER_MS, retryAfterMs } from './retry-policy.js'

const NOW = Date.parse('2026-01-01T00:00:00Z')
const decide = (outcome: number | 'refused', tries = 1, more: { retryAfter?: string; words?: string } = {}) =>
  decideRetry({ outcome, ...more }, tries, NOW)

describe('trying again', () => {
  it.each([429, 500, 502, 503, 504, 529, 408])('waits and tries twice more after %d', (status) => {
    expect(decide(status, 1)).toEqual({ retry: true, delayMs: 500, why: 'busy' })
    expect(decide(status, 2)).toEqual({ retry: true, delayMs: 1_500, why: 'busy' })
    expect(decide(status, 3)).toEqual({ retry: false })
  })

  it.each([0, 301, 400, 401, 402, 403, 404, 413, 422, 501])('never after %d', (status) => {
    expect(decide(status)).toEqual({ retry: false })
  })

  it('tries a refused connection once more, soon', () => {
    expect(decide('refused', 1)).toEqual({ retry: true, delayMs: 250, why: 'busy' })
    expect(decide('refused', 2)).toEqual({ retry: false })
  })

  it('honours Retry-After up to its bound, and gives up at once beyond it', () => {
    expect(decide(429, 1, { retryAfter: '1' })).toMatchObject({ delayMs: 1_000 })
    expect(decide(503, 1, { retryAfter: 'Thu, 01 Jan 2026 00:00:07 GMT' })).toMatchObject({ delayMs: 7_000 })
    expect(decide(429, 1, { retryAfter: String(MAX_RETRY_AFTER_MS / 1_000) })).toMatchObject({
      delayMs: MAX_RETRY_AFTER_MS,
    })
    expect(decide(429, 1, { retryAfter: String(MAX_RETRY_AFTER_MS / 1_000 + 1) })).toEqual({ retry: false })
    expect(decide(429, 1, { retryAfter: 'soon' })).toMatchObject({ delayMs: 500 })
    expect(decide(429, 3, { retryAfter: '1' })).toEqual({ retry: false })
  })

  it('does not wait for money', () => {
    expect(decide(429, 1, { words: 'insufficient_quota You exceeded your quota' })).toEqual({ retry: false })
  })

  it('asks again for five minutes while a model is read from disk', () => {
    const words = 'unavailable_error Loading model'
    expect(decide(503, 300, { words })).toEqual({ retry: true, delayMs: 1_000, why: 'loading' })
    expect(decide(503, 301, { words })).toEqual({ retry: false })
  })

  it('reads both forms of Retry-After', () => {
    expect(retryAfterMs('2', NOW)).toBe(2_000)
    expect(retryAfterMs('Wed, 31 Dec 2025 23:59:00 GMT', NOW)).toBe(0)
    expect(retryAfterMs('', NOW)).toBeNull()
  })
})
