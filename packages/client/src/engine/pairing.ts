/**
 * The claim: asks the engine for this site's grant until the visitor has answered or the time is over.
 * Pure but for the requests and the clock; the link, the token and the page's state are the connector's.
 */
import { type Clock, pause } from '@leuria/clock'
import { CLAIM_WAIT_MS, type Needs } from '@leuria/protocol/browser'
import {
  AbortError,
  type LeuriaError,
  type LeuriaErrorOptions,
  LeuriaNotConnectedError,
  LeuriaNotRunningError,
} from '../errors.js'
import { type EngineHttp, type EngineReply, errorOf } from './engine-http.js'
import { readClaim } from './read-reply.js'
import { isFields } from './unknown-value.js'

/** Between claims that weren't answered: often enough for an app that is starting. */
export const CLAIM_RETRY_MS = 750
/** "no readable answer for about 10 s" (Conformance). */
export const REACH_LIMIT_MS = 10_000
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

/** The visitor's no is so fresh that they aren't asked again. */
export function declinedRecently(facts?: LeuriaErrorOptions): LeuriaError {
  const words = 'You said no to this site a moment ago. Please wait.'
  return new LeuriaNotConnectedError(words, { ...facts, code: 'declined_recently' })
}

function expired(facts?: LeuriaErrorOptions): LeuriaError {
  return new LeuriaNotConnectedError("The question wasn't answered in time.", { ...facts, code: 'expired' })
}

function readAnswer(reply: EngineReply): ClaimStep {
  const answer = readClaim(reply.body)
  switch (answer?.status) {
    case 'allowed':
      return answer
    case 'denied':
      return { error: new LeuriaNotConnectedError('You said no to this site in Leuria.', { code: 'declined' }) }
    case 'pending':
      return { reached: true, pending: true }
    default:
      return {} // Something else listens on this port.
  }
}

/** An answer → what to do. `null`: there was none that could be read. */
export function claimStep(reply: EngineReply | null): ClaimStep {
  if (reply === null) return {}
  const reached = isFields(reply.body) && typeof reply.body.error === 'string'
  switch (reply.status) {
    case 200:
      return readAnswer(reply)
    case 403:
      return {}
    case 404:
      // With words: the engine is there, but the link isn't (yet), or a newer one replaced it.
      return { reached }
    case 410:
      return { error: expired(errorOf(reply)) }
    case 429:
      return { error: declinedRecently(errorOf(reply)) }
    default:
      return reached ? { error: errorOf(reply) } : {}
  }
}

export interface ClaimOptions {
  http: EngineHttp
  clock: Clock
  body: { nonce: string; app?: string; needs?: Needs }
  signal: AbortSignal
  /** For the whole attempt. */
  timeoutMs: number
  /** How long without a readable answer before `onUnreached`. */
  reachMs: number
  /** Told once each time nothing readable has come for a while; the loop goes on, unless this throws. */
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
  const { clock, signal, timeoutMs } = options
  const endsAt = clock.now() + timeoutMs
  const reach = createReach(options)
  for (;;) {
    const askedAt = clock.now()
    const step = claimStep(await claimOnce(options, endsAt - askedAt))
    if (signal.aborted) throw new AbortError(undefined, { cause: signal.reason })
    if (step.token !== undefined) return step.token
    if (step.error !== undefined) throw step.error
    reach.note(step.reached === true)
    const dueAt = step.pending === true ? askedAt + MIN_SPACING_MS : clock.now() + CLAIM_RETRY_MS
    const waitMs = Math.min(dueAt, endsAt) - clock.now()
    if (waitMs > 0) await pause(clock, waitMs, signal)
    if (clock.now() >= endsAt) throw reach.timeIsOver()
  }
}

async function claimOnce({ http, body, signal }: ClaimOptions, leftMs: number): Promise<EngineReply | null> {
  const timeoutMs = Math.min(CLAIM_LIMIT_MS, leftMs)
  // Aborts are seen by the loop, the rest is silence.
  return http.exchange('/connect/claim', { body, signal, timeoutMs, anonymous: true }).catch(() => null)
}

/** Keeps track of whether anybody answers. */
function createReach({ clock, reachMs, onUnreached, onReached }: ClaimOptions) {
  let lastAnswerAt = clock.now()
  let everReached = false
  let reported = false
  return {
    note(reached: boolean): void {
      if (reached) {
        lastAnswerAt = clock.now()
        everReached = true
        if (reported) onReached()
        reported = false
      } else if (!reported && clock.now() - lastAnswerAt >= reachMs) {
        reported = true
        onUnreached()
      }
    },
    timeIsOver(): LeuriaError {
      return everReached ? expired() : new LeuriaNotRunningError()
    },
  }
}
