/** Readers of one session on a bad network: one that resumes where it was, one that forgets everything, as a reload does. */
import { FINAL_EVENTS, type TurnCompletedData } from '@leuria/protocol'
import { between, type Random, type SseEvent } from '@leuria/testing'
import { openStream, type StreamTarget, type TestStream } from '../stream.fixture.js'

const finals: ReadonlySet<string> = new Set(FINAL_EVENTS)

export interface ReaderOptions {
  target: StreamTarget
  random: Random
}

/** Opens a stream again and again until the session has ended for it. */
abstract class StubbornReader {
  /** Resolves when the reader knows that the session has ended, or was told to leave. */
  readonly done: Promise<void>
  /** What must not happen, in words. */
  readonly faults: string[] = []
  connections = 0
  protected over = false
  #stream: TestStream | null = null

  constructor(protected readonly options: ReaderOptions) {
    // Not before the rest of it is made.
    this.done = Promise.resolve().then(() => this.#read())
  }

  protected abstract lastId(): string | undefined
  protected abstract begin(): void
  protected abstract take(event: SseEvent): void

  leave(): void {
    this.over = true
    this.#stream?.cut()
  }

  async #read(): Promise<void> {
    const { target, random } = this.options
    while (!this.over) {
      const lastEventId = this.lastId()
      await this.#once({ ...target, ...(lastEventId === undefined ? {} : { lastEventId }) }).catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, between(random, 1, 20)))
    }
  }

  async #once(target: StreamTarget): Promise<void> {
    const stream = await openStream(target)
    this.#stream = stream
    this.connections += 1
    // It was told to leave while it was connecting.
    if (this.over) stream.cut()
    if (stream.status !== 200) {
      // The session was forgotten before this reader heard of its end.
      if (stream.status === 404) this.over = true
      stream.cut()
      return
    }
    this.begin()
    let seen = 0
    await new Promise<void>((resolve) => {
      stream.onChange(() => {
        for (; seen < stream.events.length; seen += 1) this.#note(stream.events[seen])
        if (stream.state !== 'open') resolve()
      })
    })
  }

  #note(event: SseEvent | undefined): void {
    if (event === undefined) return
    this.take(event)
    if (finals.has(event.event)) this.over = true
  }
}

/** Has every event of the session, once and in order. */
export class ResumingReader extends StubbornReader {
  readonly events: SseEvent[] = []

  protected lastId(): string {
    return String(this.events.length)
  }

  protected begin(): void {
    // What it has stays.
  }

  protected take(event: SseEvent): void {
    if (event.id === undefined) return
    this.events.push(event)
    if (event.id !== String(this.events.length)) this.faults.push(`id ${event.id} as event ${this.events.length}`)
  }
}

/** Knows nothing of what came before this connection. */
export class ForgetfulReader extends StubbornReader {
  readonly byId = new Map<string, SseEvent>()
  #text = ''

  protected lastId(): undefined {
    return undefined
  }

  protected begin(): void {
    this.#text = ''
  }

  protected take(event: SseEvent): void {
    if (event.id !== undefined) this.byId.set(event.id, event)
    if (event.event === 'turn_start') this.#text = ''
    else if (event.event === 'chunk') this.#text += String(event.data)
    else if (event.event === 'turn_completed') {
      const { text } = event.data as TurnCompletedData
      // On an idle session the last turn's end comes without its chunks.
      if (this.#text !== '' && this.#text !== text) this.faults.push(`chunks "${this.#text}" of turn "${text}"`)
      this.#text = ''
    }
  }
}
