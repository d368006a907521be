/** One pairing question: what is known about it, and when its next event is due. Owns no timer. */
import { randomBytes } from 'node:crypto'
import type { CancelTimer, Clock } from '@leuria/clock'
import { DENIAL_COOLDOWN_MS, type Needs, type Origin, PAIRING_TTL_MS, type PairingDecision } from '@leuria/protocol'
import type { NonceMemory } from './nonce-memory.js'
import type { QuestionView } from './pairing.js'
import type { QuestionEvent, QuestionState } from './question-machine.js'
import { WaitingClaims } from './waiting-claims.js'

/** How long the outcome of writing an answer may stay unknown: loopback takes milliseconds, a stuck client must not hold the token. */
export const DELIVERY_LIMIT_MS = 10_000
/** How long an ended question is remembered, so that its page, late answers and old nonces are told the right thing. */
export const RETENTION_MS = PAIRING_TTL_MS

/** 144 bits: not guessable, and short enough for an address. */
const ID_BYTES = 18
/** 256 bits, like a grant token: whoever has the key can say yes. */
const KEY_BYTES = 32

export interface Question {
  readonly id: string
  readonly origin: Origin
  /** `null` where the app asks. */
  readonly key: string | null
  /** Shared by all questions of the origin. */
  readonly nonces: NonceMemory
  readonly waiting: WaitingClaims
  state: QuestionState
  app: string | undefined
  needs: Needs | undefined
  /** The visitor's choice of AI that goes into the grant. */
  choice: { agent?: string | null; model?: string | null }
  answer: 'allowed' | 'denied' | null
  /** The grant's token, until it was delivered or discarded. Never written anywhere. */
  token: string | null
  /** The hand-over whose outcome isn't known yet. */
  delivery: object | null
  /** Settles once the grant is durable or has failed. */
  issuing: Promise<void> | null
  /** Nonces accepted so far. */
  nonceCount: number
  /** Monotonic times in milliseconds; meaningful in the states that look at them. */
  readonly expiresAt: number
  coolAt: number
  deliverBy: number
  forgetAt: number
  cancelTimer: CancelTimer
}

export interface NewQuestion {
  origin: Origin
  nonces: NonceMemory
  app: string | undefined
  needs: Needs | undefined
  withKey: boolean
}

export function createQuestion(clock: Clock, fields: NewQuestion): Question {
  const { withKey, ...known } = fields
  return {
    ...known,
    id: randomBytes(ID_BYTES).toString('base64url'),
    key: withKey ? randomBytes(KEY_BYTES).toString('base64url') : null,
    waiting: new WaitingClaims(clock),
    state: 'none',
    choice: {},
    answer: null,
    token: null,
    delivery: null,
    issuing: null,
    nonceCount: 1,
    expiresAt: clock.now() + PAIRING_TTL_MS,
    coolAt: 0,
    deliverBy: 0,
    forgetAt: 0,
    cancelTimer: () => undefined,
  }
}

/** Times that begin with a state. */
export function noteEntry(question: Question, nowMs: number): void {
  if (question.state === 'denied') question.coolAt = nowMs + DENIAL_COOLDOWN_MS
  if (question.state === 'delivering') question.deliverBy = nowMs + DELIVERY_LIMIT_MS
  if (question.state === 'expired' || question.state === 'closed') question.forgetAt = nowMs + RETENTION_MS
}

export interface Deadline {
  readonly at: number
  readonly event: QuestionEvent
}

const DEADLINES: Record<QuestionState, (question: Question) => Deadline | null> = {
  none: () => null,
  open: ({ expiresAt }) => ({ at: expiresAt, event: 'expire' }),
  granting: () => null,
  allowed: ({ expiresAt }) => ({ at: expiresAt, event: 'expire' }),
  delivering: ({ deliverBy }) => ({ at: deliverBy, event: 'lost' }),
  denied: ({ expiresAt, coolAt }) =>
    expiresAt < coolAt ? { at: expiresAt, event: 'expire' } : { at: coolAt, event: 'cool' },
  cooled: ({ expiresAt }) => ({ at: expiresAt, event: 'expire' }),
  cooling: ({ coolAt }) => ({ at: coolAt, event: 'cool' }),
  expired: ({ forgetAt }) => ({ at: forgetAt, event: 'forget' }),
  closed: ({ forgetAt }) => ({ at: forgetAt, event: 'forget' }),
}

/** The next event that time alone brings. */
export function nextDeadline(question: Question): Deadline | null {
  return DEADLINES[question.state](question)
}

export function isUndecided(question: Question): boolean {
  return question.state === 'open' || question.state === 'granting'
}

export function decisionOf(question: Question): PairingDecision {
  if (question.answer !== null) return question.answer
  return isUndecided(question) ? 'pending' : 'expired'
}

export function viewOf({ id, origin, app, needs }: Question): QuestionView {
  return {
    requestId: id,
    origin,
    ...(app === undefined ? {} : { app }),
    ...(needs === undefined ? {} : { needs }),
  }
}
