/**
 * The claim: asks the engine for this site's grant until the visitor has answered or the time is over.
 * Pure but for the requests and the clock; the link, the token and the page's state are the connector's.
 */
import { type Clock, pause } from '@leuria/clock'
import { CLAIM_WAIT_MS, type Needs } from '@leuria/protocol/browser'
import {
  type LeuriaError,
  type LeuriaErrorOptions,
  LeuriaNotConnectedError,
  LeuriaNotRunningError,
  stopped,
} from '../errors.js'
import { type EngineHttp, type EngineReply, errorOf } from './engine-http.js'
import { readClaim } from './read-reply.js'
import { fieldsOf } from './unknown-value.js'

/** Between claims that weren't answered: often enough for an app that is starting. */
export const CLAIM_RETRY_MS = 750
/** "no readable answer for about 10 s" (Conformance). */
const REACH_LIMIT_MS = 10_000
/** Silence that long after a recent no says enough: the app was there a moment ago. */
const COOL_REACH_MS = 3_000
/** A claim is held for 25 s; a connection that is silent for longer is dead. */
const CLAIM_LIMIT_MS = CLAIM_WAIT_MS + 10_000
/** Least time between claims, even after `pending`, which an engine answers only after a wait: an odd one isn't flooded. */
const MIN_SPACING_MS = 100

/** What one answer means for the loop; without token and error it goes on. */
export interface ClaimStep {
  token?: string
  error?: LeuriaError
  /** It was Leuria that answered. */
  reached?: boolean
  /** The visitor is being asked. */
  pending?: boolean
}

const REFUSALS = {
  declined: 'You said no to this site in Leuria.',
  declined_recently: 'You said no to this site a moment ago. Please wait.',
  expired: "The question wasn't answered in time.",
} as const

function refused(code: keyof typeof REFUSALS, facts?: LeuriaErrorOptions): LeuriaError {
  return new LeuriaNotConnectedError(REFUSALS[code], { ...facts, code })
}

/** An answer → what to do. `null`: there was none that could be read. */
export function claimStep(reply: EngineReply | null): ClaimStep {
  if (reply === null) return {}
  const { status, body } = reply
  if (status === 200) {
    const answer = readClaim(body)
    // Neither: something else listens on this port.
    if (answer?.status === 'denied') return { error: refused('declined') }
    return answer?.status === 'pending' ? { reached: true, pending: true } : (answer ?? {})
  }
  if (status === 410) return { error: refused('expired', errorOf(reply)) }
  if (status === 429) return { error: refused('declined_recently', errorOf(reply)) }
  const reached = status !== 403 && typeof fieldsOf(body).error === 'string'
  // 404 with words: the engine is there, but the link isn't (yet), or a newer one replaced it.
  return status === 404 || !reached ? { reached } : { error: errorOf(reply) }
}

export interface ClaimParts {
  http: EngineHttp
  clock: Clock
}

export interface ClaimOptions extends ClaimParts {
  body: { nonce: string; app?: string; needs?: Needs }
  signal: AbortSignal
  /** For the whole attempt. */
  timeoutMs: number
  /** How long without a readable answer before `onUnreached`. @default 10_000 */
  reachMs?: number
  /** The visitor said no a moment ago: the desktop app refuses the link for a while, and is silent. It isn't gone. */
  isCool: boolean
  /** Told once each time nothing readable has come for a while; the loop goes on. */
  onUnreached: () => void
  /** A readable answer after `onUnreached`. */
  onReached: () => void
}

/**
 * Claims until there is a token.
 * @throws LeuriaNotConnectedError `declined`, `declined_recently`, `expired` (the visitor's time is over);
 *   LeuriaNotRunningError when nothing readable ever came; AbortError
 */
export async function claimGrant(options: ClaimOptions): Promise<string> {
  const { http, clock, body, signal, timeoutMs, isCool } = options
  const reachMs = isCool ? COOL_REACH_MS : (options.reachMs ?? REACH_LIMIT_MS)
  const endsAt = clock.now() + timeoutMs
  let lastAnswerAt = clock.now()
  let everReached = false
  let reported = false
  for (;;) {
    const askedAt = clock.now()
    const limitMs = Math.min(CLAIM_LIMIT_MS, endsAt - askedAt)
    const asked = http.exchange('/connect/claim', { body, signal, timeoutMs: limitMs, anonymous: true })
    // Aborts are seen below, the rest is silence.
    const { token, error, reached, pending } = claimStep(await asked.catch(() => null))
    if (signal.aborted) throw stopped(signal)
    if (token) return token
    if (error) throw error
    if (reached) {
      lastAnswerAt = clock.now()
      everReached = true
      if (reported) options.onReached()
      reported = false
    } else if (!reported && clock.now() - lastAnswerAt >= reachMs) {
      if (isCool) throw refused('declined_recently')
      reported = true
      options.onUnreached()
    }
    const dueAt = pending ? askedAt + MIN_SPACING_MS : clock.now() + CLAIM_RETRY_MS
    const waitMs = Math.min(dueAt, endsAt) - clock.now()
    if (waitMs > 0) await pause(clock, waitMs, signal)
    if (clock.now() >= endsAt) throw everReached ? refused('expired') : new LeuriaNotRunningError()
  }
}
