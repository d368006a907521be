/** One turn of a scripted AI, driven by the test's hand: what it was asked, and everything it can do with it. */
import type { Prompt, TurnEvent } from '@leuria/agent'
import type { StopReason } from '@leuria/protocol'
import { EventQueue } from './event-queue.js'

export class ScriptedTurn {
  readonly #queue = new EventQueue<TurnEvent>()
  #ended = false

  constructor(
    readonly prompt: Prompt,
    /** The caller's: aborted when the turn is cancelled. */
    readonly signal: AbortSignal,
  ) {}

  /** True once the caller has cancelled the turn. */
  get cancelled(): boolean {
    return this.signal.aborted
  }

  /** True once the turn has ended, by whatever way. */
  get ended(): boolean {
    return this.#ended
  }

  emit(...events: readonly TurnEvent[]): this {
    for (const event of events) this.#queue.push(event)
    return this
  }

  /** Emits pieces of the answer. */
  text(...pieces: readonly string[]): this {
    return this.emit(...pieces.map((text) => ({ type: 'text', text }) as const))
  }

  /** Ends the turn in order. */
  end(stopReason: StopReason = 'end_turn'): void {
    this.emit({ type: 'turn_end', stopReason })
    this.finish()
  }

  /** Ends the turn by throwing. */
  fail(error: Error): void {
    this.#ended = true
    this.#queue.close(error)
  }

  /** Ends the iterator without a `turn_end`, as no honest adapter does. */
  finish(): void {
    this.#ended = true
    this.#queue.close()
  }

  events(): AsyncIterable<TurnEvent> {
    return this.#queue.items()
  }
}
