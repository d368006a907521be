/**
 * The claim: asks the engine for this site's grant until the visitor has answered or the time is over.
 * Pure but for the requests and the clock; the link, the token and the page's state are the connector's.
 */
import { type Clock, pause } from '@leuria/clock'
import { CLAIM_WAIT_MS, type Needs } from '@leuria/protocol/browser'
import { AbortError, LeuriaError, LeuriaNotConnectedError, LeuriaNotRunningError } from '../errors.js'
import { type EngineHttp, type EngineReply, errorOf } from './engine-http.js'
import { readClaim } from './read-reply.js'
import { asText, isFields } from './unknown-value.js'

/** Between claims that weren't answered: often enough for an app that is starting. */
export const CLAIM_RETRY_MS = 750
/** "no readable answer for about 10 s" (Conformance). */
export const REACH_LIMIT_MS = 10_000
/** A claim is held for 25 s; a connection that is silent for longer is dead. */
const CLAIM_LIMIT_MS = CLAIM_WAIT_MS + 10_000
/** Answers `pending` that come without a wait; after so many in a row claims are spaced, or an odd engine would be flooded. */
const MAX_HASTY_ANSWERS = 5
/** Faster than any visitor. */
const HASTY_MS = 100

/** What one answer means for the loop. */
export type ClaimStep =
  | { kind: 'allowed'; token: string }
  | { kind: 'again' }
  /** Nothing yet. `reached`: but it was Leuria that said so. */
  | { kind: 'retry'; reached: boolean }
  | { kind: 'failed'; error: LeuriaError }

function declined(words: string, code: string, reply?: EngineReply): ClaimStep {
  const fields = isFields(reply?.body) ? reply.body : {}
  const retryAfterS = typeof fields.retryAfterS === 'number' ? fields.retryAfterS : undefined
  const options = { status: reply?.status, code, detail: asText(fields.error), retryAfterS }
  return { kind: 'failed', error: new LeuriaNotConnectedError(words, options) }
}

function readAnswer(reply: EngineReply): ClaimStep {
  const answer = readClaim(reply.body)
  switch (answer?.status) {
    case 'allowed':
      return { kind: 'allowed', token: answer.token }
    case 'denied':
      return declined('You said no to this site in Leuria.', 'declined')
    case 'pending':
      return { kind: 'again' }
    default:
      return { kind: 'retry', reached: false } // Something else listens on this port.
  }
}

/** An answer → what to do. `null`: there was none that could be read. */
export function claimStep(reply: EngineReply | null): ClaimStep {
  if (reply === null) return { kind: 'retry', reached: false }
  const hasWords = isFields(reply.body) && typeof reply.body.error === 'string'
  switch (reply.status) {
    case 200:
      return readAnswer(reply)
    case 403:
      return { kind: 'retry', reached: false }
    case 404:
      // With words: the engine is there, but the link isn't (yet), or a newer one replaced it.
      return { kind: 'retry', reached: hasWords }
    case 410:
      return declined('The question to you has expired.', 'expired', reply)
    case 429:
      return declined('You said no to this site a moment ago. Please wait a little.', 'declined_recently', reply)
    default:
      return hasWords ? { kind: 'failed', error: errorOf(reply) } : { kind: 'retry', reached: false }
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
  const { clock, signal, timeoutMs } = options
  const endsAt = clock.now() + timeoutMs
  const reach = createReach(options)
  let hasty = 0
  for (;;) {
    const askedAt = clock.now()
    const step = claimStep(await claimOnce(options, endsAt - askedAt))
    if (signal.aborted) throw new AbortError(undefined, { cause: signal.reason })
    if (step.kind === 'allowed') return step.token
    if (step.kind === 'failed') throw step.error
    reach.note(step.kind === 'again' || step.reached)
    hasty = step.kind === 'again' && clock.now() - askedAt < HASTY_MS ? hasty + 1 : 0
    if (step.kind === 'retry' || hasty > MAX_HASTY_ANSWERS) {
      await pause(clock, Math.min(CLAIM_RETRY_MS, Math.max(0, endsAt - clock.now())), signal)
    }
    if (clock.now() >= endsAt) throw reach.timeIsOver()
  }
}

async function claimOnce({ http, body, signal }: ClaimOptions, leftMs: number): Promise<EngineReply | null> {
  const timeoutMs = Math.max(0, Math.min(CLAIM_LIMIT_MS, leftMs))
  try {
    return await http.exchange('/connect/claim', { body, signal, timeoutMs, anonymous: true })
  } catch (error) {
    if (error instanceof LeuriaError) return null // Aborts are seen by the loop, the rest is silence.
    throw error
  }
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
      return everReached
        ? new LeuriaNotConnectedError('The question in Leuria was not answered in time.', { code: 'expired' })
        : new LeuriaNotRunningError()
    },
  }
}
