/** A turn's events between the agent's messages and whoever reads them: in order, bounded by leaving the rest in the pipe. */
import type { TurnEvent } from '@leuria/agent'
import type { ReadGate } from './read-gate.js'

type Ending = { kind: 'end' } | { kind: 'error'; error: Error }

export class TurnEvents {
  readonly #gate: ReadGate
  readonly #maxWaiting: number
  #waiting: TurnEvent[] = []
  #ending: Ending | null = null
  #wake: () => void = () => undefined

  constructor(gate: ReadGate, maxWaiting: number) {
    this.#gate = gate
    this.#maxWaiting = maxWaiting
  }

  push(event: TurnEvent): void {
    if (this.#ending !== null) return
    this.#waiting.push(event)
    if (this.#waiting.length >= this.#maxWaiting) this.#gate.hold(this)
    this.#wake()
  }

  /** Takes back what was said and not read yet: a cancelled turn says nothing more. */
  dropSpeech(): void {
    this.#waiting = this.#waiting.filter(({ type }) => type !== 'text' && type !== 'thought' && type !== 'status')
    this.#gate.letGo(this)
  }

  /** No more events come; those that wait are read first. The first ending counts. */
  end(error?: Error): void {
    this.#ending ??= error === undefined ? { kind: 'end' } : { kind: 'error', error }
    this.#gate.letGo(this)
    this.#wake()
  }

  async *read(): AsyncGenerator<TurnEvent, void, undefined> {
    try {
      for (;;) {
        for (let event = this.#take(); event !== undefined; event = this.#take()) yield event
        if (this.#ending?.kind === 'error') throw this.#ending.error
        if (this.#ending !== null) return
        await new Promise<void>((resolve) => (this.#wake = resolve))
      }
    } finally {
      this.#waiting = []
      this.#gate.letGo(this)
    }
  }

  #take(): TurnEvent | undefined {
    const event = this.#waiting.shift()
    if (this.#waiting.length < this.#maxWaiting / 2) this.#gate.letGo(this)
    return event
  }
}
