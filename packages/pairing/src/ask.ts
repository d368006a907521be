/** Who may ask, and what asking does: the same for a link and for a claim where claims ask. */
import type { Clock } from '@leuria/clock'
import { MAX_PENDING_PAIRINGS, type Needs, type Origin } from '@leuria/protocol'
import { cleanAppName } from './app-name.js'
import { MAX_NONCES, type NonceHash, NonceMemory } from './nonce-memory.js'
import type { Refused } from './pairing.js'
import { createQuestion, isUndecided, type Question } from './question.js'
import type { QuestionKeeper } from './question-keeper.js'
import { type QuestionEvent, type Transition, TRANSITIONS } from './question-machine.js'
import { coolingDown, NOT_FOUND, TOO_MANY_NONCES, TOO_MANY_PENDING } from './refusals.js'

export interface Asking {
  origin: Origin
  nonce: NonceHash
  app?: string | undefined
  needs?: Needs | undefined
}

export interface AskContext {
  clock: Clock
  keeper: QuestionKeeper
  /** Each question gets a one-time key for the approval page. */
  withKey: boolean
}

type Asked = { readonly kind: 'asked'; readonly question: Question } | Refused

/** A new question, unless too many wait for the visitor already. The origin's old nonces stay remembered. */
function begin(context: AskContext, asking: Asking, previous: Question | undefined): Asked {
  const { clock, keeper, withKey } = context
  if (keeper.all().filter(isUndecided).length >= MAX_PENDING_PAIRINGS) return TOO_MANY_PENDING
  const nonces = previous?.nonces ?? new NonceMemory()
  nonces.adopt(asking.nonce)
  const { origin, needs } = asking
  const question = createQuestion(clock, { origin, nonces, app: cleanAppName(asking.app), needs, withKey })
  keeper.begin(question)
  return { kind: 'asked', question }
}

/** The question there is takes the nonce. */
function renew(question: Question, nonce: NonceHash): Refused | null {
  if (question.nonceCount >= MAX_NONCES) return TOO_MANY_NONCES
  question.nonceCount += 1
  question.nonces.adopt(nonce)
  return null
}

/** What a site says of itself replaces what it said before only when given. */
function describe(question: Question, { app, needs }: Asking): void {
  question.app = cleanAppName(app) ?? question.app
  question.needs = needs ?? question.needs
}

/** Asks the visitor, or refreshes the question they have been asked. */
export function ask(context: AskContext, asking: Asking): Asked {
  const { clock, keeper } = context
  const question = keeper.latest(asking.origin)
  const relation = question?.nonces.relation(asking.nonce) ?? 'fresh'
  const event: QuestionEvent = relation === 'latest' ? 'repeat' : 'ask'
  const transition: Transition = TRANSITIONS[question?.state ?? 'none'][event]
  if (question !== undefined && transition.reply === 'cooldown') return coolingDown(question.coolAt - clock.now())
  if (relation === 'older') return NOT_FOUND
  if (question === undefined || transition.effects.includes('begin')) return begin(context, asking, question)
  const refused = transition.effects.includes('renew') ? renew(question, asking.nonce) : null
  if (refused !== null) return refused
  describe(question, asking)
  keeper.apply(question, event)
  return { kind: 'asked', question }
}
