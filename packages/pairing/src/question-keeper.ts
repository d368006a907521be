/**
 * Keeps the questions of all origins: moves them through the table, does what the table says, and lets time act on them
 * both by timer and whenever one is looked at. Who may ask what is decided in `create-pairing.ts`.
 */
import type { Clock } from '@leuria/clock'
import type { Origin } from '@leuria/protocol'
import type { Allowed, ClaimOutcome, PairingEvent, PairingGrants } from './pairing.js'
import { type Deadline, nextDeadline, noteEntry, type Question, viewOf } from './question.js'
import { type Effect, type QuestionEvent, type Reply, TRANSITIONS } from './question-machine.js'
import { EXPIRED, NOT_FOUND } from './refusals.js'

type Pending = Extract<ClaimOutcome, { kind: 'pending' }>

export interface KeeperOptions {
  clock: Clock
  grants: PairingGrants
  /** Must not throw. */
  announce(event: PairingEvent): void
  /** Must not throw. */
  onError(error: unknown): void
}

export class QuestionKeeper {
  readonly #options: KeeperOptions
  readonly #byId = new Map<string, Question>()
  /** Each origin's latest question. */
  readonly #byOrigin = new Map<Origin, Question>()
  #closed = false

  constructor(options: KeeperOptions) {
    this.#options = options
  }

  /** A question by its id, with everything applied that is due. */
  find(id: string): Question | undefined {
    return this.#current(this.#byId.get(id))
  }

  /** The origin's latest question, with everything applied that is due. */
  latest(origin: Origin): Question | undefined {
    return this.#current(this.#byOrigin.get(origin))
  }

  /** All that are remembered, oldest first. */
  all(): Question[] {
    return [...this.#byId.keys()].flatMap((id) => this.find(id) ?? [])
  }

  /** Takes a new question in, as its origin's latest, and asks the visitor. */
  begin(question: Question): void {
    this.#byId.set(question.id, question)
    this.#byOrigin.set(question.origin, question)
    this.apply(question, 'ask')
    this.#announceQuestion(question, 'asked')
  }

  /** Moves the question through the table and does what that calls for. */
  apply(question: Question, event: QuestionEvent): Reply {
    const { to, reply, effects } = TRANSITIONS[question.state][event]
    const changed = question.state !== to
    question.state = to
    if (changed) noteEntry(question, this.#options.clock.now())
    if (to !== 'delivering') question.delivery = null
    for (const effect of effects) this.#effects[effect](question)
    if (question.state === 'none') this.#remove(question)
    this.#arm(question)
    return reply
  }

  /**
   * Hands the token over; the question must have just become `delivering`. It is on disk before that the page may have
   * it: a crash right after the answer must not take the grant back. Rejects as `grants.collected` does.
   */
  async handOver(question: Question): Promise<Allowed | Pending> {
    const { token } = question
    if (token === null) throw new Error('An allowed question has no token')
    const delivery = {}
    question.delivery = delivery
    const settle = (event: 'delivered' | 'lost') => () => {
      if (question.delivery === delivery) this.apply(question, event)
    }
    try {
      await this.#options.grants.collected(question.origin)
    } catch (error) {
      settle('lost')()
      throw error
    }
    // Writing took longer than an answer may: the token is another claim's by then.
    if (question.delivery !== delivery) return { kind: 'pending' }
    return { kind: 'allowed', token, delivered: settle('delivered'), lost: settle('lost') }
  }

  /** Ends every wait and every timer; grants that nobody collected are removed. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    const discarded: Promise<void>[] = []
    for (const question of this.#byId.values()) {
      question.cancelTimer()
      question.waiting.settleAll({ kind: 'pending' })
      if (question.state === 'allowed') {
        question.token = null
        discarded.push(this.#options.grants.discardUncollected(question.origin))
      }
    }
    for (const result of await Promise.allSettled(discarded)) {
      if (result.status === 'rejected') this.#options.onError(result.reason)
    }
  }

  readonly #effects: Record<Effect, (question: Question) => void> = {
    // Both need the request that asked: `create-pairing.ts` has done its part when it gets here.
    begin: () => undefined,
    renew: (question) => {
      question.waiting.settleAll(NOT_FOUND)
    },
    remind: (question) => {
      this.#announceQuestion(question, 'asked_again')
    },
    issue: (question) => {
      question.issuing = this.#issue(question)
    },
    serve_next: (question) => {
      this.#serveNext(question)
    },
    answer_denied: (question) => {
      if (question.waiting.size === 0) return
      this.apply(question, 'claim')
      question.waiting.settleAll({ kind: 'denied' })
    },
    answer_expired: (question) => {
      question.waiting.settleAll(EXPIRED)
    },
    answer_gone: (question) => {
      question.waiting.settleAll(NOT_FOUND)
    },
    take_back: (question) => {
      this.#watch(this.#options.grants.uncollected(question.origin))
    },
    keep_grant: (question) => {
      this.#endToken(question)
    },
    discard_grant: (question) => {
      question.token = null
      this.#watch(this.#options.grants.discardUncollected(question.origin))
    },
    drop_token: (question) => {
      this.#endToken(question)
    },
    announce_allowed: (question) => {
      this.#announceAnswer(question, 'allowed')
    },
    announce_denied: (question) => {
      this.#announceAnswer(question, 'denied')
    },
    announce_expired: ({ id, origin }) => {
      this.#options.announce({ kind: 'expired', requestId: id, origin })
    },
  }

  async #issue(question: Question): Promise<void> {
    const { origin, app, needs, choice } = question
    try {
      const { token } = await this.#options.grants.issue({
        origin,
        ...(app === undefined ? {} : { app }),
        ...(needs === undefined ? {} : { needs }),
        ...choice,
        uncollected: true,
      })
      question.token = token
    } catch (error) {
      this.apply(question, 'issue_failed')
      throw error
    }
    this.apply(question, 'issued')
  }

  /** After `close` nobody can collect the token any more. */
  #serveNext(question: Question): void {
    if (this.#closed) {
      this.apply(question, 'expire')
      return
    }
    const settle = question.waiting.takeFirst()
    if (settle === undefined) return
    this.apply(question, 'claim')
    this.handOver(question).then(settle, (error: unknown) => {
      this.#options.onError(error)
      settle({ kind: 'pending' })
    })
  }

  #endToken(question: Question): void {
    question.token = null
    question.nonces.spend()
  }

  #announceQuestion(question: Question, kind: 'asked' | 'asked_again'): void {
    this.#options.announce({ kind, ...viewOf(question), key: question.key })
  }

  #announceAnswer(question: Question, answer: 'allowed' | 'denied'): void {
    question.answer = answer
    const { id, origin } = question
    this.#options.announce({ kind: 'decided', requestId: id, origin, allowed: answer === 'allowed' })
  }

  #watch(work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.#options.onError(error)
    })
  }

  #current(question: Question | undefined): Question | undefined {
    if (question === undefined) return undefined
    this.#catchUp(question)
    return question.state === 'none' ? undefined : question
  }

  #due(question: Question): Deadline | null {
    const deadline = nextDeadline(question)
    return deadline !== null && deadline.at <= this.#options.clock.now() ? deadline : null
  }

  #catchUp(question: Question): void {
    for (let due = this.#due(question); due !== null; due = this.#due(question)) this.apply(question, due.event)
  }

  #arm(question: Question): void {
    question.cancelTimer()
    const deadline = this.#closed ? null : nextDeadline(question)
    if (deadline === null) return
    const delayMs = Math.max(0, deadline.at - this.#options.clock.now())
    question.cancelTimer = this.#options.clock.setTimer(delayMs, () => {
      this.#catchUp(question)
      this.#arm(question)
    })
  }

  #remove(question: Question): void {
    this.#byId.delete(question.id)
    if (this.#byOrigin.get(question.origin) === question) this.#byOrigin.delete(question.origin)
  }
}
