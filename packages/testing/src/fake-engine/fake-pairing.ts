/** The pairing of a fake engine: questions, answers, grants. Tests play the visitor. */
import { type Clock, pause } from '@leuria/clock'
import { DENIAL_COOLDOWN_MS, isNonce, parseLink } from '@leuria/protocol'
import { randomBytes } from 'node:crypto'
import type { FakeEngineSwitches } from './switches.js'

interface Question {
  nonce: string
  older: Set<string>
  decision: 'pending' | 'allowed' | 'denied'
  decided: AbortController
}

export interface Reply {
  status: number
  body?: unknown
}

export class FakePairing {
  readonly grants = new Map<string, string>()
  private readonly questions = new Map<string, Question>()
  private readonly refusedAt = new Map<string, number>()
  private readonly watchers = new Set<() => void>()

  constructor(
    private readonly clock: Clock,
    private readonly switches: FakeEngineSwitches,
  ) {}

  /** Whether a silent engine answers this origin. */
  knows(origin: string): boolean {
    return this.grants.has(origin) || this.questions.has(origin)
  }

  /** What the system does with a link that a page opens. False: not a connect link, or refused. */
  open(link: string): boolean {
    const parsed = parseLink(link)
    if (parsed?.kind !== 'connect' || this.coolsDown(parsed.origin)) return false
    this.ask(parsed.origin, parsed.nonce)
    return true
  }

  async claim(origin: string | undefined, body: Record<string, unknown>): Promise<Reply> {
    const { nonce } = body
    if (origin === undefined || !isNonce(nonce)) return { status: 400, body: { error: 'nonce or origin missing' } }
    if (this.coolsDown(origin)) return { status: 429, body: { error: 'The visitor said no', retryAfterS: 30 } }
    const known = this.questions.get(origin)
    if (known?.nonce !== nonce) {
      if (known?.older.has(nonce) === true || this.switches.silent) return { status: 404, body: { error: 'Not found' } }
      this.ask(origin, nonce)
    }
    const question = this.questions.get(origin)
    if (question === undefined) return { status: 404, body: { error: 'Not found' } }
    if (question.decision === 'pending') {
      await pause(this.clock, this.switches.claimWaitMs, question.decided.signal)
    }
    if (question.nonce !== nonce) return { status: 404, body: { error: 'Not found' } }
    return { status: 200, body: this.collect(origin, question) }
  }

  /** Waits for a question, then answers it as the visitor would. */
  async answer(allow: boolean): Promise<void> {
    for (;;) {
      const open = [...this.questions.values()].find(({ decision }) => decision === 'pending')
      if (open !== undefined) {
        open.decision = allow ? 'allowed' : 'denied'
        open.decided.abort()
        return
      }
      await new Promise<void>((resolve) => this.watchers.add(resolve))
    }
  }

  /** Gives a grant without asking. */
  grant(origin: string): string {
    const token = randomBytes(32).toString('base64url')
    this.grants.set(origin, token)
    return token
  }

  private collect(origin: string, question: Question): Record<string, unknown> {
    if (question.decision === 'pending' || this.questions.get(origin) !== question) return { status: 'pending' }
    this.questions.delete(origin)
    if (question.decision === 'allowed') return { status: 'allowed', token: this.grant(origin) }
    this.refusedAt.set(origin, this.clock.now())
    return { status: 'denied' }
  }

  private ask(origin: string, nonce: string): void {
    const known = this.questions.get(origin)
    if (known?.decision === 'pending') {
      known.older.add(known.nonce)
      known.nonce = nonce
    } else {
      this.questions.set(origin, { nonce, older: new Set(), decision: 'pending', decided: new AbortController() })
    }
    for (const seen of this.watchers) seen()
    this.watchers.clear()
  }

  private coolsDown(origin: string): boolean {
    const at = this.refusedAt.get(origin)
    return at !== undefined && this.clock.now() - at < DENIAL_COOLDOWN_MS
  }
}
