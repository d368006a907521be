/** Limits and usage as files and bodies: both sides of every bound, and what other versions wrote. */
import { describe, expect, it } from 'vitest'
import {
  adminLimitsBody,
  LIMIT_NAMES,
  limitsFile,
  MAX_LIVE_SESSIONS,
  MAX_TOKENS_PER_DAY,
  MAX_TURNS_PER_HOUR,
  siteLimits,
  usageFile,
} from './index.js'

const MOST = { turnsPerHour: MAX_TURNS_PER_HOUR, tokensPerDay: MAX_TOKENS_PER_DAY, sessions: MAX_LIVE_SESSIONS }
const SHOP = 'https://shop.example'

describe.each(LIMIT_NAMES)('%s', (name) => {
  const fits = (value: unknown): boolean => siteLimits.safeParse({ [name]: value }).success

  it('is a whole number from 1 to its most', () => {
    expect([1, MOST[name]].map(fits)).toEqual([true, true])
    expect([0, -1, 1.5, MOST[name] + 1, Number.NaN, Infinity, '1', null].map(fits)).toEqual(Array(8).fill(false))
  })

  it('is taken away by null in a change, and stays when it is absent', () => {
    expect(adminLimitsBody.parse({ origin: SHOP, [name]: null })).toEqual({ origin: SHOP, [name]: null })
    expect(adminLimitsBody.parse({ origin: 'HTTPS://Shop.example/x' })).toEqual({ origin: SHOP })
  })
})

it('says in words which field is wrong', () => {
  const { error } = adminLimitsBody.safeParse({ origin: SHOP, sessions: 9 })
  expect(error?.issues[0]).toMatchObject({ path: ['sessions'], message: 'sessions may be at most 4' })
})

it('keeps what other versions wrote into the files, and takes files without a version', () => {
  const limits = { theme: 'dark', limits: [{ origin: SHOP, sessions: 1, perWeek: 3 }] }
  expect(limitsFile.parse(limits)).toEqual({ ...limits, version: 1 })
  const site = { origin: 'local', turns: 1, tokens: 2, estimatedTokens: 0, cost: 1 }
  const usage = { days: [{ day: '2026-11-30', sites: [site], mood: 'fine' }] }
  expect(usageFile.parse(usage)).toEqual({ ...usage, version: 1, recent: [] })
})

it.each([
  { day: '30.11.2026', sites: [] },
  { day: '2026-11-30', sites: [{ origin: SHOP, turns: -1, tokens: 0, estimatedTokens: 0 }] },
  { day: '2026-11-30', sites: [{ origin: 'file:///etc', turns: 0, tokens: 0, estimatedTokens: 0 }] },
])('refuses a day that is none: %j', (day) => {
  expect(usageFile.safeParse({ days: [day] }).success).toBe(false)
})
