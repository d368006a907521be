/** How many calls an AI may make in one turn. Counts every attempt, so that a loop of bad calls ends too. */

export class TurnBudget {
  readonly #outsideTurns: number
  #limit: number
  #used = 0

  /** @param outsideTurns the limit between turns, and of turns that are never announced; `Infinity`: none */
  constructor(outsideTurns: number) {
    this.#outsideTurns = outsideTurns
    this.#limit = outsideTurns
  }

  get limit(): number {
    return this.#limit
  }

  begin(limit: number): void {
    this.#limit = limit
    this.#used = 0
  }

  end(): void {
    this.begin(this.#outsideTurns)
  }

  /** Counts a call. False: the budget is used up. */
  take(): boolean {
    if (this.#used >= this.#limit) return false
    this.#used += 1
    return true
  }
}
