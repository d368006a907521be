/**
 * How many calls an AI may make in one turn: the engine's own limit, and one that its adapter may set besides.
 * Counts every attempt, so that a loop of bad calls ends.
 */
import type { CallLimit } from '@leuria/agent'

export class TurnBudget {
  readonly #outsideTurns: number
  #limit: number
  #used = 0
  #adapters: { limit: CallLimit; used: number } | null = null

  /** @param outsideTurns the limit between turns, and of turns that are never announced; `Infinity`: none */
  constructor(outsideTurns: number) {
    this.#outsideTurns = outsideTurns
    this.#limit = outsideTurns
  }

  /** The smallest that counts right now. */
  get limit(): number {
    return Math.min(this.#limit, this.#adapters?.limit.maxCalls ?? Infinity)
  }

  begin(limit: number): void {
    this.#limit = limit
    this.#used = 0
    this.#adapters = null
  }

  end(): void {
    this.begin(this.#outsideTurns)
  }

  /** Counts from now on. */
  limitCalls(limit: CallLimit): void {
    this.#adapters = { limit, used: 0 }
  }

  /** Counts a call. False: the budget is used up. */
  take(): boolean {
    if (this.#used >= this.#limit) return false
    this.#used += 1
    return this.#adapters === null || this.#takeFrom(this.#adapters)
  }

  #takeFrom(adapters: { limit: CallLimit; used: number }): boolean {
    const { limit } = adapters
    adapters.used += 1
    if (adapters.used === limit.maxCalls + 1) limit.onOver()
    return adapters.used <= limit.maxCalls
  }
}
