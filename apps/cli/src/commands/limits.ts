/** `leuria limits`: what the visitor allows each site to use, beside what it has used. A running engine sees a change at once. */
import { LIMIT_NAMES, MAX_LIVE_SESSIONS, MAX_TOKENS_PER_DAY, MAX_TURNS_PER_HOUR, type SiteLimits } from '@leuria/protocol' // prettier-ignore
import type { LimitChange, LimitEntry, Usage } from '@leuria/usage'
import { UserError } from '../fail.js'
import { withGrants, withUsage } from '../home.js'
import { readOrigin } from '../read-origin.js'
import { formatTable } from '../table.js'
import { showCount, showNumber, showUse } from '../usage-words.js'
import { printJson } from '../print-json.js'

/** The flags of `limits set` as typed; `none` takes a limit away. */
export interface LimitFlags {
  turnsPerHour?: string
  tokensPerDay?: string
  sessions?: string
  json?: boolean
}

const MOST: Readonly<Record<(typeof LIMIT_NAMES)[number], { flag: string; most: number }>> = {
  turnsPerHour: { flag: '--turns-per-hour', most: MAX_TURNS_PER_HOUR },
  tokensPerDay: { flag: '--tokens-per-day', most: MAX_TOKENS_PER_DAY },
  sessions: { flag: '--sessions', most: MAX_LIVE_SESSIONS },
}

/** @throws UserError for what is no limit */
function readLimit(text: string, { flag, most }: { flag: string; most: number }): number | null {
  if (text === 'none') return null
  const limit = Number(text)
  if (!/^\d{1,10}$/.test(text) || limit < 1 || limit > most)
    throw new UserError(`${flag} is "${text}". Give a whole number from 1 to ${most}, or none.`)
  return limit
}

function readChange(flags: LimitFlags): LimitChange {
  const change: LimitChange = {}
  for (const name of LIMIT_NAMES) {
    const text = flags[name]
    if (text !== undefined) change[name] = readLimit(text, MOST[name])
  }
  if (Object.keys(change).length === 0)
    throw new UserError('Name at least one limit: --turns-per-hour, --tokens-per-day or --sessions.')
  return change
}

function describe({ turnsPerHour, tokensPerDay, sessions }: SiteLimits): string {
  const parts = [
    turnsPerHour === undefined ? [] : [`${showCount(turnsPerHour, 'turn')} an hour`],
    tokensPerDay === undefined ? [] : [`${showCount(tokensPerDay, 'token')} a day`],
    sessions === undefined ? [] : [`${showCount(sessions, 'session')} at once`],
  ].flat()
  return parts.length === 0 ? 'no limits' : parts.join(', ')
}

function row({ origin, ...limits }: LimitEntry, usage: Usage): string[] {
  return [
    origin,
    String(limits.turnsPerHour ?? '-'),
    limits.tokensPerDay === undefined ? '-' : showNumber(limits.tokensPerDay),
    String(limits.sessions ?? '-'),
    showUse(usage.today(origin)),
  ]
}

/** Lists the sites that have limits. */
export async function listLimits(flags: { json?: boolean }): Promise<void> {
  await withUsage((usage) => {
    const limits = usage.limits()
    if (flags.json === true) printJson({ limits })
    else if (limits.length === 0)
      console.log('No site has limits. Set some: leuria limits set <origin> --turns-per-hour 20')
    else {
      const head = ['SITE', 'TURNS/HOUR', 'TOKENS/DAY', 'SESSIONS', 'USED TODAY']
      console.log(formatTable([head, ...limits.map((entry) => row(entry, usage))]))
    }
  })
}

/** Sets the named limits of a connected site and leaves its others. @throws UserError */
export async function setLimits(text: string, flags: LimitFlags): Promise<void> {
  const [origin, change] = [readOrigin(text), readChange(flags)]
  // A limit for a site that isn't there would be a typing mistake that looks like safety.
  if (!(await withGrants((grants) => grants.has(origin))))
    throw new UserError(`${origin} is not connected. leuria sites lists the connected sites.`)
  const limits = await withUsage((usage) => usage.changeLimits(origin, change))
  if (flags.json === true) printJson({ origin, ...limits })
  else console.log(`${origin}: ${describe(limits)}.`)
}

/** Takes all limits of a site away, connected or not. @throws UserError when it has none */
export async function clearLimits(text: string, flags: { json?: boolean }): Promise<void> {
  const origin = readOrigin(text)
  const removed = await withUsage((usage) => usage.clearLimits(origin))
  if (!removed) throw new UserError(`${origin} has no limits. leuria limits lists the sites that have some.`)
  if (flags.json === true) printJson({ origin, removed })
  else console.log(`${origin}: no limits.`)
}
