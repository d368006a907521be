/** A turn's events between the agent's messages and whoever reads them: in order, bounded by leaving the rest in the pipe. */
import type { TurnEvent } from '@leuria/agent'
import type { ReadGate } from './read-gate.js'

export interface TurnEventsOptions {
  gate: ReadGate
  /** So many wait before the rest is left in the pipe. */
  maxWaiting: number
  /** The reader has left before the end. */
  onLeave: () => void
}

type Ending = { kind: 'end' } | { kind: 'error'; error: Error }

/** For one reader. An event costs it one promise. */
export class TurnEvents implements AsyncIterableIterator<TurnEvent> {
  readonly #options: TurnEventsOptions
  #waiting: TurnEvent[] = []
  #at = 0
  #ending: Ending | null = null
  #wake: () => void = () => undefined
  #left = false

  constructor(options: TurnEventsOptions) {
    this.#options = options
  }

  /** Whoever asked reads no more. */
  get left(): boolean {
    return this.#left
  }

  push(event: TurnEvent): void {
    if (this.#ending !== null || this.#left) return
    this.#waiting.push(event)
    if (this.#count >= this.#options.maxWaiting) this.#options.gate.hold(this)
    this.#wake()
  }

  /** Takes back what was said and not read yet: a cancelled turn says nothing more. */
  dropSpeech(): void {
    this.#waiting = this.#waiting
      .slice(this.#at)
      .filter(({ type }) => type !== 'text' && type !== 'thought' && type !== 'status')
    this.#at = 0
    this.#options.gate.letGo(this)
  }

  /** No more events come; those that wait are read first. The first ending counts. */
  end(error?: Error): void {
    this.#ending ??= error === undefined ? { kind: 'end' } : { kind: 'error', error }
    this.#options.gate.letGo(this)
    this.#wake()
  }

  async next(): Promise<IteratorResult<TurnEvent>> {
    for (;;) {
      const event = this.#take()
      if (event !== undefined) return { done: false, value: event }
      if (this.#ending !== null) return this.#over(this.#ending)
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  /** The reader leaves. */
  async return(): Promise<IteratorResult<TurnEvent>> {
    this.#left = true
    this.#clear()
    this.#ending ??= { kind: 'end' }
    this.#options.onLeave()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #over(ending: Ending): IteratorResult<TurnEvent> {
    this.#ending = { kind: 'end' }
    if (ending.kind === 'error') throw ending.error
    return { done: true, value: undefined }
  }

  get #count(): number {
    return this.#waiting.length - this.#at
  }

  #take(): TurnEvent | undefined {
    const event = this.#waiting[this.#at]
    if (event === undefined) {
      if (this.#at > 0) this.#clear()
      return undefined
    }
    this.#at += 1
    // Where more comes all the time the list is never empty: what was read must not stay in it.
    if (this.#at === this.#options.maxWaiting) {
      this.#waiting = this.#waiting.slice(this.#at)
      this.#at = 0
    }
    if (this.#count < this.#options.maxWaiting / 2) this.#options.gate.letGo(this)
    return event
  }

  #clear(): void {
    this.#waiting = []
    this.#at = 0
    this.#options.gate.letGo(this)
  }
}
