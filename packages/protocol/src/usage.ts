/**
 * What the visitor allows a site to use, and what it has used: the files `limits.json` and `usage.json` in the home, and
 * the admin API's bodies for both. Loose objects in files: fields that this version doesn't know are kept.
 */
import * as z from 'zod/mini'
import { originField } from './home-files.js'
import { MAX_LIVE_SESSIONS } from './limits.js'

/** More turns than this in an hour are no limit that anybody means. */
export const MAX_TURNS_PER_HOUR = 10_000
/** The same for tokens in a day: about what the fastest services give in a day. */
export const MAX_TOKENS_PER_DAY = 1_000_000_000

const wholeUpTo = (most: number, what: string) =>
  z.int(`${what} must be a whole number`).check(z.gte(1, `${what} must be at least 1`), z.lte(most, `${what} may be at most ${most}`)) // prettier-ignore

const turnsPerHour = wholeUpTo(MAX_TURNS_PER_HOUR, 'turnsPerHour')
const tokensPerDay = wholeUpTo(MAX_TOKENS_PER_DAY, 'tokensPerDay')
/** Concurrent ones; every site may hold 4 at most anyway (Sessions, Rules). */
const sessions = wholeUpTo(MAX_LIVE_SESSIONS, 'sessions')

/** A site's limits; an absent one doesn't limit. */
export const siteLimits = z.looseObject({
  turnsPerHour: z.optional(turnsPerHour),
  tokensPerDay: z.optional(tokensPerDay),
  sessions: z.optional(sessions),
})

/** The names of all limits. */
export const LIMIT_NAMES = ['turnsPerHour', 'tokensPerDay', 'sessions'] as const
export type LimitName = (typeof LIMIT_NAMES)[number]
export type SiteLimits = { [Name in LimitName]?: number }

const versionField = z._default(z.number(), 1)
/** A site, or `local`: programs on this computer. */
const ownerField = z.union([z.literal('local'), originField])
const count = z.int().check(z.gte(0))

/** `limits.json`. */
export const limitsFile = z.looseObject({
  version: versionField,
  limits: z.array(z.extend(siteLimits, { origin: originField })),
})
export type LimitsFile = z.infer<typeof limitsFile>

/** What one site used on one day. */
export const siteUsage = z.looseObject({
  origin: ownerField,
  /** Turns that began. */
  turns: count,
  /** Tokens in and out, estimated ones included. */
  tokens: count,
  /** How many of `tokens` are estimated from the texts' length, because the AI gave no figures. */
  estimatedTokens: count,
})
export type SiteUsage = z.infer<typeof siteUsage>

/** `2026-11-30`, the visitor's own calendar. */
const dayField = z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/))

/** All that was used on one day. */
export const usageDay = z.looseObject({ day: dayField, sites: z.array(siteUsage) })
export type UsageDay = z.infer<typeof usageDay>

/** `usage.json`: days, oldest first; and the last hour's turns, so that a restart doesn't forget them. */
export const usageFile = z.looseObject({
  version: versionField,
  days: z.array(usageDay),
  recent: z._default(
    z.array(z.looseObject({ origin: ownerField, /** Whole minutes since 1970. */ minute: z.int(), turns: count })),
    [],
  ),
})
export type UsageFile = z.infer<typeof usageFile>

/** `POST /admin/limits`: an absent limit stays as it is, `null` takes it away. */
export const adminLimitsBody = z.object({
  origin: originField,
  turnsPerHour: z.optional(z.nullable(turnsPerHour)),
  tokensPerDay: z.optional(z.nullable(tokensPerDay)),
  sessions: z.optional(z.nullable(sessions)),
})

/** Its answer: what holds for the site now. */
export const adminLimits = z.extend(siteLimits, { origin: z.string() })

/** `GET /admin/limits`. */
export const adminLimitList = z.looseObject({ limits: z.array(adminLimits) })

/** `GET /admin/usage`: days, newest first. */
export const adminUsage = z.looseObject({ days: z.array(usageDay) })
