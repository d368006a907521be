/** One request as the page follows it: its events from the first one on, and what comes of it. */
import { callSafely, Listeners } from '../engine/callbacks.js'
import type { LeuriaError } from '../errors.js'
import type { Message } from '../message/message.js'
import type { ProviderInfo } from '../provider/provider.js'
import type { RunEvent } from './run-event.js'

/** `Output`: what the request's `schema` and `validate` make of the answer. */
export interface RunResult<Output = unknown> {
  readonly text: string
  /** With a `schema`: the answer, checked. */
  readonly object: Output
  /** What a tool ended the turn with (`endTurn`). */
  readonly outcome: unknown
  /** The answer as it stands in the conversation. */
  readonly message: Message
  readonly provider: ProviderInfo
}

/** Iterating gives every event from the first one on and ends after `finish` or `error`; it doesn't throw. */
export class ChatRun<Output = unknown> implements AsyncIterable<RunEvent> {
  readonly turnId: string
  readonly #abort: () => void
  readonly #events: RunEvent[] = []
  readonly #listeners = new Listeners<RunEvent>()
  readonly #result: Promise<RunResult<Output>>
  #settle!: { resolve(result: RunResult<Output>): void; reject(error: LeuriaError): void }

  /** @internal Made by `Conversation.send`. */
  constructor(turnId: string, abort: () => void) {
    this.turnId = turnId
    this.#abort = abort
    this.#result = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
    // A run that nobody reads raises no unhandled rejection.
    this.#result.catch(() => undefined)
  }

  /** The text of the answer. @throws LeuriaError what the run's `error` event says */
  async text(): Promise<string> {
    return (await this.#result).text
  }

  /** The answer of a request with a `schema`. @throws LeuriaError, StructuredOutputError */
  async object(): Promise<Output> {
    return (await this.#result).object
  }

  /** Everything that came of it. @throws LeuriaError */
  result(): Promise<RunResult<Output>> {
    return this.#result
  }

  /** Hears every event from the first one on, those of before at once. Returns its undo. */
  on(listener: (event: RunEvent) => void): () => void {
    for (const event of this.#events) callSafely(() => listener(event))
    return this.#listeners.add(listener)
  }

  /** Stops it, or takes it out of the queue; it ends with an AbortError. */
  abort(): void {
    this.#abort()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RunEvent, void> {
    for (let next = 0; ; next += 1) {
      const event = this.#events[next] ?? (await this.#arrival(next))
      yield event
      if (event.type === 'finish' || event.type === 'error') return
    }
  }

  /** @internal */
  push(event: RunEvent, result?: RunResult<Output>): void {
    this.#events.push(event)
    if (event.type === 'error') this.#settle.reject(event.error)
    else if (result) this.#settle.resolve(result)
    this.#listeners.emit(event)
  }

  #arrival(index: number): Promise<RunEvent> {
    return new Promise((resolve) => {
      const undo = this.#listeners.add(() => {
        undo()
        resolve(this.#events[index] as RunEvent)
      })
    })
  }
}
