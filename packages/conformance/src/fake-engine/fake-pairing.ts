/** The pairing of the kit's engine: questions by origin, claims that wait, grants. Simple, and right but for its defects. */
import { randomUUID } from 'node:crypto'
import { MAX_PENDING_PAIRINGS } from '@leuria/protocol'
import type { PageTimes } from '../page-times.js'
import type { EngineDefect } from './defects.js'

export interface Outcome {
  status: number
  body: Readonly<Record<string, unknown>>
}

interface Asked {
  readonly id: string
  readonly origin: string
  readonly key: string
  nonce: string
  readonly earlier: Set<string>
  decision: 'pending' | 'allowed' | 'denied'
  readonly waiting: Set<(outcome: Outcome | null) => void>
  readonly timer: NodeJS.Timeout
}

const refuse = (status: number, error: string): Outcome => ({ status, body: { error } })

export class FakePairing {
  /** Valid tokens by origin. */
  readonly grants = new Map<string, Set<string>>()
  /** Hears of each question when it is put. */
  onQuestion: (question: { origin: string; id: string; key: string }) => void = () => undefined
  readonly #asked = new Map<string, Asked>()
  readonly #coolUntil = new Map<string, number>()
  /** Nonces whose question is over, and what a claim with them gets. */
  readonly #spent = new Map<string, Outcome>()

  constructor(
    private readonly mode: 'page' | 'app',
    private readonly times: PageTimes,
    private readonly has: (defect: EngineDefect) => boolean,
  ) {}

  named(origin: string): boolean {
    return this.#asked.has(origin)
  }

  isValid(origin: string, token: string | undefined): boolean {
    if (token === undefined) return false
    if (this.has('token_for_everyone')) return [...this.grants.values()].some((tokens) => tokens.has(token))
    return this.grants.get(origin)?.has(token) === true
  }

  grant(origin: string): string {
    const token = randomUUID()
    const before = this.has('old_token_stays') ? (this.grants.get(origin) ?? []) : []
    this.grants.set(origin, new Set([...before, token]))
    return token
  }

  byId(id: string): Asked | undefined {
    return [...this.#asked.values()].find((asked) => asked.id === id)
  }

  /** App mode: a link arrived. */
  link(origin: string, nonce: string): boolean {
    return this.#ask(origin, nonce) === null
  }

  /** Holds until there is an answer, or for the claim's time. */
  async claim(origin: string, nonce: string): Promise<Outcome> {
    const spent = this.#spent.get(`${origin} ${nonce}`)
    if (spent !== undefined) return spent
    const thief = this.has('claim_for_everyone')
      ? [...this.#asked.values()].find((asked) => asked.nonce === nonce && asked.origin !== origin)
      : undefined
    if (this.mode === 'page' && thief === undefined) {
      const refused = this.#ask(origin, nonce)
      if (refused !== null) return refused
    }
    const asked = thief ?? this.#asked.get(origin)
    if (asked === undefined || (asked.nonce !== nonce && !this.has('nonce_unchecked')))
      return refuse(404, 'No such question.')
    return (await this.#wait(asked)) ?? this.#collect(asked, { keep: thief !== undefined })
  }

  decide(asked: Asked, allow: boolean): void {
    asked.decision = allow ? 'allowed' : 'denied'
    for (const wake of [...asked.waiting]) wake(null)
  }

  answer(origin: string, allow: boolean): void {
    const asked = this.#asked.get(origin)
    if (asked !== undefined) this.decide(asked, allow)
  }

  close(): void {
    for (const asked of this.#asked.values()) {
      clearTimeout(asked.timer)
      for (const wake of asked.waiting) wake(refuse(410, 'The engine stops.'))
    }
  }

  /** Puts the question, or gives a question that is pending its new nonce. Null: it is pending. */
  #ask(origin: string, nonce: string): Outcome | null {
    const asked = this.#asked.get(origin)
    if (asked !== undefined) return this.#renew(asked, nonce)
    const isCool = (this.#coolUntil.get(origin) ?? 0) > performance.now()
    if (isCool && !this.has('no_cooldown')) return refuse(429, 'The visitor said no a moment ago.')
    if (this.#asked.size >= MAX_PENDING_PAIRINGS) return refuse(429, 'Too many questions.')
    const timer = setTimeout(() => {
      this.#expire(origin)
    }, this.times.pairingMs)
    const question: Asked = {
      id: randomUUID(),
      origin,
      key: randomUUID(),
      nonce,
      earlier: new Set(),
      decision: 'pending',
      waiting: new Set(),
      timer,
    }
    this.#asked.set(origin, question)
    this.onQuestion(question)
    return null
  }

  #renew(asked: Asked, nonce: string): Outcome | null {
    if (asked.nonce === nonce) return null
    if (this.has('nonce_unchecked')) return null
    if (asked.earlier.has(nonce)) return refuse(404, 'A newer attempt took over.')
    asked.earlier.add(asked.nonce)
    asked.nonce = nonce
    for (const wake of [...asked.waiting]) wake(refuse(404, 'A newer attempt took over.'))
    return null
  }

  #expire(origin: string): void {
    const asked = this.#asked.get(origin)
    if (asked === undefined) return
    const gone = refuse(410, 'The question expired.')
    this.#end(asked, gone)
    for (const wake of [...asked.waiting]) wake(gone)
  }

  #end(asked: Asked, later: Outcome): void {
    clearTimeout(asked.timer)
    this.#asked.delete(asked.origin)
    this.#spent.set(`${asked.origin} ${asked.nonce}`, later)
  }

  /** Null: decided. Else what this claim gets. */
  #wait(asked: Asked): Promise<Outcome | null> {
    if (asked.decision !== 'pending') return Promise.resolve(null)
    return new Promise((resolve) => {
      const end = (outcome: Outcome | null): void => {
        clearTimeout(timer)
        asked.waiting.delete(end)
        resolve(outcome)
      }
      const timer = setTimeout(() => {
        end({ status: 200, body: { status: 'pending' } })
      }, this.times.claimWaitMs)
      asked.waiting.add(end)
    })
  }

  #collect(asked: Asked, { keep }: { keep: boolean }): Outcome {
    if (keep) return { status: 200, body: { status: 'allowed', token: randomUUID() } }
    if (this.#asked.get(asked.origin) !== asked) return refuse(404, 'The answer was collected.')
    if (asked.decision === 'denied') {
      this.#coolUntil.set(asked.origin, performance.now() + this.times.cooldownMs)
      this.#end(asked, refuse(429, 'The visitor said no a moment ago.'))
      return { status: 200, body: { status: 'denied' } }
    }
    const allowed: Outcome = { status: 200, body: { status: 'allowed', token: this.grant(asked.origin) } }
    this.#end(asked, this.has('token_twice') ? allowed : refuse(404, 'The answer was collected.'))
    return allowed
  }
}
