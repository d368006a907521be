/** A session's event stream over a connection of its own that a test can look at and cut. */
import { type ClientRequest, type IncomingHttpHeaders, request } from 'node:http'
import { type SseEvent, SseReader } from '@leuria/testing'

export interface StreamTarget {
  /** Where to connect to: the engine, or something in between. */
  port: number
  /** Sent as `Host`. @default the port's own */
  host?: string
  sessionId: string
  origin?: string
  token?: string
  /** As `?lastEventId=`. */
  lastEventId?: string
  headers?: readonly (readonly [string, string])[]
}

/** How long a test waits for what must come, in ms: generous, because a test machine is busy. */
const PATIENCE_MS = 20_000

export class TestStream {
  readonly #reader = new SseReader()
  readonly #watching = new Set<() => void>()
  /** Everything as it came. */
  text = ''
  #state: 'open' | 'ended' | 'cut' = 'open'

  constructor(
    readonly status: number,
    readonly headers: IncomingHttpHeaders,
    private readonly outgoing: ClientRequest,
  ) {}

  get events(): readonly SseEvent[] {
    return this.#reader.events
  }

  /** Names of all events, in order. */
  get names(): string[] {
    return this.events.map(({ event }) => event)
  }

  /** How many comments came: heartbeats. */
  get comments(): number {
    return this.#reader.comments
  }

  /** `ended`: by the engine, in order. `cut`: in any other way. */
  get state(): 'open' | 'ended' | 'cut' {
    return this.#state
  }

  /** Data of all events of a name, in order. */
  dataOf(event: string): unknown[] {
    return this.events.filter((one) => one.event === event).map(({ data }) => data)
  }

  /** Resolves once this holds. @throws when it takes too long */
  until(holds: (stream: this) => boolean): Promise<this> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        if (!holds(this)) return
        stop()
        resolve(this)
      }
      const stop = (): void => {
        clearTimeout(timer)
        this.#watching.delete(check)
      }
      const timer = setTimeout(() => {
        stop()
        reject(new Error(`The stream waited in vain; it has ${this.names.join(', ')} (${this.#state}).`))
      }, PATIENCE_MS)
      this.#watching.add(check)
      check()
    })
  }

  /** The event of this name, the `count`th one; waits for it. */
  async next(event: string, count = 1): Promise<SseEvent> {
    const found = (): SseEvent | undefined => this.events.filter((one) => one.event === event)[count - 1]
    await this.until(() => found() !== undefined)
    return found() ?? { event, data: undefined }
  }

  /** Waits for the engine's end of the stream. */
  async ended(): Promise<this> {
    return this.until(({ state }) => state !== 'open')
  }

  /** Calls at each piece that comes, and at the end. */
  onChange(listener: () => void): void {
    this.#watching.add(listener)
    listener()
  }

  /** Cuts the connection, as a tab that goes away does. */
  cut(): void {
    this.outgoing.destroy()
  }

  /** Takes what came. For the connection only. */
  take(text: string): void {
    this.text += text
    this.#reader.push(text)
    for (const check of [...this.#watching]) check()
  }

  /** For the connection only. */
  finish(state: 'ended' | 'cut'): void {
    if (this.#state === 'open') this.#state = state
    for (const check of [...this.#watching]) check()
  }
}

/** Resolves when the headers are there. Rejects when the connection fails before. */
export function openStream(target: StreamTarget): Promise<TestStream> {
  const { port, host = `127.0.0.1:${port}`, sessionId, origin, token, lastEventId, headers = [] } = target
  const query = lastEventId === undefined ? '' : `?lastEventId=${lastEventId}`
  const all = [
    ['Host', host] as const,
    ...(origin === undefined ? [] : [['Origin', origin] as const]),
    ...(token === undefined ? [] : [['Authorization', `Bearer ${token}`] as const]),
    ...headers,
  ]
  const path = `/session/${sessionId}/stream${query}`
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: '127.0.0.1', port, path, setHost: false, headers: all.flat(), agent: false },
      (answer) => {
        const stream = new TestStream(answer.statusCode ?? 0, answer.headers, outgoing)
        const decoder = new TextDecoder()
        answer.on('data', (chunk: Buffer) => {
          stream.take(decoder.decode(chunk, { stream: true }))
        })
        answer.on('end', () => {
          stream.finish('ended')
        })
        answer.on('error', () => undefined)
        answer.on('close', () => {
          stream.finish('cut')
        })
        resolve(stream)
      },
    )
    outgoing.on('error', reject)
    outgoing.end()
  })
}
