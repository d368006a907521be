/** The door to pairing: checks what comes in, asks, lets claims wait, takes the visitor's answer. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { EngineError, isNonce, parseOrigin } from '@leuria/protocol'
import { ask, type AskContext } from './ask.js'
import { hashNonce, type NonceHash } from './nonce-memory.js'
import type {
  ClaimOutcome,
  ClaimRequest,
  DecideOutcome,
  DecideRequest,
  LinkOutcome,
  LinkRequest,
  Pairing,
  PairingEvent,
  PairingOptions,
} from './pairing.js'
import { decisionOf, isUndecided, type Question, viewOf } from './question.js'
import { QuestionKeeper } from './question-keeper.js'
import { IS_NAMED } from './question-machine.js'
import {
  ANSWERED,
  BAD_NONCE,
  BAD_ORIGIN,
  coolingDown,
  EXPIRED,
  NOT_FOUND,
  TOO_MANY_CLAIMS,
  WRONG_KEY,
} from './refusals.js'
import { MAX_WAITING_CLAIMS } from './waiting-claims.js'

/** Compares in constant time, whatever the lengths. */
function isSameSecret(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(left), digest(right))
}

function fitsKey(question: Question, key: string): boolean {
  return question.key !== null && isSameSecret(question.key, key)
}

class PairingDesk implements Pairing {
  readonly #options: PairingOptions
  readonly #keeper: QuestionKeeper
  readonly #context: AskContext
  readonly #listeners = new Set<(event: PairingEvent) => void>()
  #closed = false

  constructor(options: PairingOptions) {
    this.#options = options
    this.#keeper = new QuestionKeeper({
      clock: options.clock,
      grants: options.grants,
      announce: (event) => {
        this.#announce(event)
      },
      onError: (error) => options.onError?.(error),
    })
    this.#context = { clock: options.clock, keeper: this.#keeper, withKey: options.approvals === 'page' }
  }

  link(request: LinkRequest): LinkOutcome {
    if (this.#closed) throw new EngineError('internal_error', 'The engine is stopping.')
    const origin = parseOrigin(request.origin)
    if (origin === null || this.#options.isReserved?.(origin) === true) return BAD_ORIGIN
    if (!isNonce(request.nonce)) return BAD_NONCE
    const asked = ask(this.#context, { ...request, origin, nonce: hashNonce(request.nonce) })
    return asked.kind === 'refused' ? asked : { kind: 'asked', requestId: asked.question.id }
  }

  async claim(request: ClaimRequest): Promise<ClaimOutcome> {
    if (this.#closed || request.signal?.aborted === true) return { kind: 'pending' }
    if (!isNonce(request.nonce)) return BAD_NONCE
    const found = this.#findClaimed(request, hashNonce(request.nonce))
    return 'kind' in found ? found : this.#collect(found, request.signal)
  }

  async decide(request: DecideRequest): Promise<DecideOutcome> {
    const question = this.#keeper.find(request.requestId)
    if (this.#closed || question?.state !== 'open') return ANSWERED
    if (request.admin !== true && !fitsKey(question, request.key)) return WRONG_KEY
    const { origin } = question
    if (!request.allow) {
      this.#keeper.apply(question, 'deny')
      return { kind: 'decided', decision: 'denied', origin }
    }
    const { agent, model } = request
    question.choice = { ...(agent === undefined ? {} : { agent }), ...(model === undefined ? {} : { model }) }
    this.#keeper.apply(question, 'allow')
    await question.issuing
    return { kind: 'decided', decision: 'allowed', origin }
  }

  decision(requestId: string) {
    const question = this.#keeper.find(requestId)
    return question === undefined ? null : decisionOf(question)
  }

  question(requestId: string) {
    const question = this.#keeper.find(requestId)
    return question !== undefined && isUndecided(question) ? viewOf(question) : null
  }

  isKey(requestId: string, key: string): boolean {
    const question = this.#keeper.find(requestId)
    return question?.state === 'open' && fitsKey(question, key)
  }

  pending() {
    return this.#keeper
      .all()
      .filter(({ state }) => state === 'open')
      .map(viewOf)
  }

  named(origin: ClaimRequest['origin']): boolean {
    return IS_NAMED[this.#keeper.latest(origin)?.state ?? 'none']
  }

  revoked(origin: ClaimRequest['origin']): void {
    const question = this.#keeper.latest(origin)
    if (question !== undefined) this.#keeper.apply(question, 'revoke')
  }

  subscribe(listener: (event: PairingEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#listeners.clear()
    await this.#keeper.close()
  }

  /** The question that a claim is about; where claims ask, it is made if need be. */
  #findClaimed(request: ClaimRequest, nonce: NonceHash): Question | Exclude<ClaimOutcome, { kind: 'allowed' }> {
    const { origin, app, needs } = request
    const question = this.#keeper.latest(origin)
    if (question?.state === 'cooling') return this.#coolingDown(question)
    const relation = question?.nonces.relation(nonce) ?? 'fresh'
    // Nothing is left of a question that ended with a No: the same page may ask again with the nonce it has.
    const asks = relation === 'fresh' || (relation === 'latest' && question?.state === 'closed')
    if (this.#options.approvals === 'page' && asks) {
      const asked = ask(this.#context, { origin, nonce, app, needs })
      return asked.kind === 'refused' ? asked : asked.question
    }
    return question !== undefined && relation === 'latest' ? question : NOT_FOUND
  }

  async #collect(question: Question, signal: AbortSignal | undefined): Promise<ClaimOutcome> {
    const canWait = question.waiting.size < MAX_WAITING_CLAIMS
    const reply = this.#keeper.apply(question, 'claim')
    switch (reply) {
      case 'token':
        return this.#keeper.handOver(question)
      case 'denied':
        return { kind: 'denied' }
      case 'wait':
        return canWait ? question.waiting.add(signal) : TOO_MANY_CLAIMS
      case 'expired':
        return EXPIRED
      case 'cooldown':
        return this.#coolingDown(question)
      case 'done':
      case 'ignored':
      case 'not_found':
        return NOT_FOUND
    }
  }

  #coolingDown(question: Question): Exclude<ClaimOutcome, { kind: 'allowed' }> {
    return coolingDown(question.coolAt - this.#options.clock.now())
  }

  #announce(event: PairingEvent): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event)
      } catch (error) {
        this.#options.onError?.(error)
      }
    }
  }
}

/** Starts with no questions: what was asked before a restart is forgotten, and so are its tokens. The caller closes it. */
export function createPairing(options: PairingOptions): Pairing {
  return new PairingDesk(options)
}
