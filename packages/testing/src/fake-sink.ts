/** The reader's end of an event stream for tests: keeps what was written, and can stop reading. */
import { type SseEvent, SseReader } from './sse-reader.js'

export class FakeSink {
  readonly reader = new SseReader()
  /** Every write, as it was made. */
  readonly writes: string[] = []
  state: 'new' | 'open' | 'ended' | 'cut' = 'new'
  #stalled = false
  #drain: () => void = () => undefined

  get events(): readonly SseEvent[] {
    return this.reader.events
  }

  get names(): readonly string[] {
    return this.events.map(({ event }) => event)
  }

  /** The texts of the `chunk` events, joined. */
  get text(): string {
    return this.events
      .filter(({ event }) => event === 'chunk')
      .map(({ data }) => String(data))
      .join('')
  }

  /** The newest `id:`. */
  get lastId(): string | undefined {
    return this.events.findLast(({ id }) => id !== undefined)?.id
  }

  /** The reader stops reading: the next write fills its buffer. */
  stall(): void {
    this.#stalled = true
  }

  /** The reader reads again. */
  resume(): void {
    this.#stalled = false
    this.#drain()
  }

  open(): void {
    this.state = 'open'
  }

  write(text: string): boolean {
    this.writes.push(text)
    this.reader.push(text)
    return !this.#stalled
  }

  end(): void {
    this.state = 'ended'
  }

  destroy(): void {
    this.state = 'cut'
  }

  onDrain(listener: () => void): void {
    this.#drain = listener
  }
}
