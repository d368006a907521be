/** Whether a site may go on, as a pure rule: its limits and what it has used in, a verdict with words out. */
import { type LimitName, MAX_LIVE_SESSIONS, type SiteLimits } from '@leuria/protocol'
import { untilMinuteMs, minuteOf, untilTomorrowMs } from './calendar.js'

/** What the site wants: one more session, or one more turn. */
export type Check = 'session' | 'turn'

/** Why it may not, now. */
export interface OverLimit {
  limit: LimitName
  /** Whole seconds, at least 1, until it is worth trying again. */
  retryAfterS: number
  /** For the page's developer, in plain words. */
  message: string
}

/** Nobody knows when one of the site's sessions ends, so this is only a pause between two tries. */
export const SESSION_WAIT_S = 10
/**
 * A turn counts for the rest of its minute and the 60 after it: whole minutes are cheap to keep and to sum, and err on
 * the visitor's side by less than one.
 */
export const WINDOW_MINUTES = 60

/** What a site has used. */
export interface Used {
  now: Date
  sessions: number
  tokensToday: number
  /** Turns by minute since 1970, in any order. */
  minutes: readonly (readonly [minute: number, turns: number])[]
}

/** The first limit that stands in the way; `null`: none. */
export function findOverLimit(limits: SiteLimits, used: Used, check: Check): OverLimit | null {
  return (
    (check === 'session' ? overSessions(limits, used) : null) ?? overTurns(limits, used) ?? overTokens(limits, used)
  )
}

function overSessions({ sessions = MAX_LIVE_SESSIONS }: SiteLimits, used: Used): OverLimit | null {
  // The page's own limit is everybody's; its words and its status are the session manager's.
  if (sessions >= MAX_LIVE_SESSIONS || used.sessions < sessions) return null
  const many = sessions === 1 ? '1 session' : `${sessions} sessions`
  const message = `The visitor lets this site have ${many} at once. Close one first.`
  return { limit: 'sessions', retryAfterS: SESSION_WAIT_S, message }
}

function overTurns({ turnsPerHour }: SiteLimits, { now, minutes }: Used): OverLimit | null {
  if (turnsPerHour === undefined) return null
  const thisMinute = minuteOf(now)
  // Minutes to come are left from before the computer's date was set back; they would count for too long.
  const counted = minutes.filter(([minute]) => minute >= thisMinute - WINDOW_MINUTES && minute <= thisMinute)
  let left = counted.reduce((sum, [, turns]) => sum + turns, 0)
  if (left < turnsPerHour) return null
  let freeMinute = thisMinute
  for (const [minute, turns] of [...counted].sort(([a], [b]) => a - b)) {
    left -= turns
    freeMinute = minute + WINDOW_MINUTES + 1
    if (left < turnsPerHour) break
  }
  return over('turnsPerHour', untilMinuteMs(now, freeMinute), `start ${amount(turnsPerHour, 'turn')} an hour`)
}

function overTokens({ tokensPerDay }: SiteLimits, { now, tokensToday }: Used): OverLimit | null {
  if (tokensPerDay === undefined || tokensToday < tokensPerDay) return null
  return over('tokensPerDay', untilTomorrowMs(now), `use ${amount(tokensPerDay, 'token')} a day`)
}

function over(limit: LimitName, waitMs: number, what: string): OverLimit {
  const retryAfterS = Math.max(1, Math.ceil(waitMs / 1_000))
  return { limit, retryAfterS, message: `The visitor lets this site ${what}. Try again in ${inWords(retryAfterS)}.` }
}

function amount(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

/** Rounded up, in one unit: nobody needs more. */
function inWords(seconds: number): string {
  if (seconds <= 90) return amount(seconds, 'second')
  const minutes = Math.ceil(seconds / 60)
  return minutes <= 90 ? amount(minutes, 'minute') : amount(Math.ceil(minutes / 60), 'hour')
}
