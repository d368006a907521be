/** Claims that wait for a question's answer: each has a deadline and an end when its client vanishes. */
import type { Clock } from '@leuria/clock'
import { CLAIM_WAIT_MS } from '@leuria/protocol'
import type { ClaimOutcome } from './pairing.js'

/** Claims that may wait for one question. A browser opens at most 6 connections to a host; a second browser is possible. */
export const MAX_WAITING_CLAIMS = 16

/** Ends one wait; only the first call counts. */
type Settle = (outcome: ClaimOutcome) => void

const PENDING: ClaimOutcome = { kind: 'pending' }

export class WaitingClaims {
  /** In order of arrival. */
  readonly #waiting = new Set<Settle>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get size(): number {
    return this.#waiting.size
  }

  /** Resolves with what the wait was settled with, or `pending` after 25 s or once the client is gone. */
  add(signal: AbortSignal | undefined): Promise<ClaimOutcome> {
    return new Promise((resolve) => {
      const leave = (): void => {
        settle(PENDING)
      }
      const settle: Settle = (outcome) => {
        cancelTimer()
        signal?.removeEventListener('abort', leave)
        this.#waiting.delete(settle)
        resolve(outcome)
      }
      const cancelTimer = this.#clock.setTimer(CLAIM_WAIT_MS, leave)
      signal?.addEventListener('abort', leave)
      this.#waiting.add(settle)
    })
  }

  /** Takes the longest waiting one out; the caller settles it. */
  takeFirst(): Settle | undefined {
    for (const settle of this.#waiting) {
      this.#waiting.delete(settle)
      return settle
    }
    return undefined
  }

  settleAll(outcome: ClaimOutcome): void {
    for (const settle of [...this.#waiting]) settle(outcome)
  }
}
