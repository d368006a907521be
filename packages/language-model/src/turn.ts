/** What belongs to one running turn: its events, its signal, and how far it has come. */
import type { Prompt, TurnEvent } from '@leuria/agent'
import type { ModelUsage } from './chat-model.js'
import { EventQueue } from './event-queue.js'

export class Turn {
  /** Text that was shown and is not in the history yet. */
  partial = ''
  #spoken = false
  readonly events: EventQueue<TurnEvent>
  #usage: ModelUsage = {}
  readonly #own = new AbortController()
  readonly #detach: (() => void)[] = []

  /** @param reasons any of them cancels the turn */
  constructor(
    readonly prompt: Prompt,
    reasons: readonly AbortSignal[],
  ) {
    const cancel = (): void => {
      this.cancel()
    }
    this.events = new EventQueue(cancel)
    for (const reason of reasons) {
      if (reason.aborted) cancel()
      reason.addEventListener('abort', cancel)
      this.#detach.push(() => {
        reason.removeEventListener('abort', cancel)
      })
    }
  }

  get signal(): AbortSignal {
    return this.#own.signal
  }

  isCancelled(): boolean {
    return this.#own.signal.aborted
  }

  /** Stops everything that runs for this turn. No text that still waits is shown. */
  cancel(): void {
    if (this.isCancelled()) return
    this.events.discard((event) => event.type === 'text' || event.type === 'thought')
    this.#own.abort()
  }

  /** A new answer is asked for. */
  listen(): void {
    this.#spoken = false
  }

  /** A piece of the current answer is shown. */
  speak(event: TurnEvent): void {
    this.#spoken = true
    this.events.push(event)
  }

  hasSpoken(): boolean {
    return this.#spoken
  }

  /** The turn's figures so far, this answer's added. */
  addUsage({ inputTokens, outputTokens }: ModelUsage): ModelUsage {
    const input = sum(this.#usage.inputTokens, inputTokens)
    const output = sum(this.#usage.outputTokens, outputTokens)
    this.#usage = {
      ...(input === undefined ? {} : { inputTokens: input }),
      ...(output === undefined ? {} : { outputTokens: output }),
    }
    return this.#usage
  }

  /** The turn is over: nobody's signal reaches it any more. */
  detach(): void {
    for (const detach of this.#detach.splice(0)) detach()
  }
}

const sum = (a?: number, b?: number): number | undefined =>
  a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0)
