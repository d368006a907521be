/** One turn while it lasts: what was asked, what has come so far, and the means to stop it. */
import type { Prompt } from '@leuria/agent'
import type { Clock } from '@leuria/clock'
import { TurnText } from './turn-text.js'

/** What a turn used, from the AI's own figures. */
export interface TurnUsage {
  inputTokens?: number
  outputTokens?: number
}

export class Turn {
  readonly text = new TurnText()
  usage: TurnUsage | null = null
  readonly #abort = new AbortController()
  #sentAtMs: number | null = null
  #over = false

  constructor(readonly prompt: Prompt) {}

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** True once the page has been told of its end: nothing the AI still says belongs to it. */
  get over(): boolean {
    return this.#over
  }

  /** True once the AI has got the prompt. */
  get sent(): boolean {
    return this.#sentAtMs !== null
  }

  markSent(clock: Clock): void {
    this.#sentAtMs = clock.now()
  }

  /** Since the AI got the prompt, in whole ms; 0 when it never did. */
  durationMs(clock: Clock): number {
    return this.#sentAtMs === null ? 0 : Math.round(clock.now() - this.#sentAtMs)
  }

  finish(): void {
    this.#over = true
  }

  /** Tells the AI to stop. */
  stop(): void {
    this.#abort.abort()
  }
}
