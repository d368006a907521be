/** Everything that reached the kit's engine, in order: what a client is judged by. */

export interface LoggedRequest {
  readonly kind: 'request'
  readonly at: number
  readonly origin: string | undefined
  readonly method: string
  readonly path: string
  /** Of `Authorization: Bearer`. */
  readonly token: string | undefined
  readonly body: unknown
}

export interface LoggedSocket {
  readonly kind: 'socket'
  readonly at: number
  readonly origin: string | undefined
  /** With its query. */
  readonly path: string
  readonly session: string | undefined
}

/** A message on a session's tool channel. */
export interface LoggedMessage {
  readonly kind: 'message'
  readonly at: number
  readonly from: 'page' | 'engine'
  readonly session: string
  readonly message: Readonly<Record<string, unknown>>
}

/** Something that the engine did to a session: an event of its stream. */
export interface LoggedEvent {
  readonly kind: 'event'
  readonly at: number
  readonly session: string
  readonly event: string
}

export type LogEntry = LoggedRequest | LoggedSocket | LoggedMessage | LoggedEvent

type Unstamped<Entry> = Entry extends LogEntry ? Omit<Entry, 'at'> : never

export class EngineLog {
  readonly entries: LogEntry[] = []
  readonly #waiting = new Set<() => void>()

  add(entry: Unstamped<LogEntry>): void {
    this.entries.push({ ...entry, at: performance.now() })
    for (const look of [...this.#waiting]) look()
  }

  /** Requests whose `METHOD path` fits. */
  requests(pattern = /(?:)/): LoggedRequest[] {
    return this.entries
      .filter((entry) => entry.kind === 'request')
      .filter(({ method, path }) => pattern.test(`${method} ${path}`))
  }

  sockets(pattern = /(?:)/): LoggedSocket[] {
    return this.entries.filter((entry) => entry.kind === 'socket').filter(({ path }) => pattern.test(path))
  }

  messages(type: string): LoggedMessage[] {
    return this.entries.filter((entry) => entry.kind === 'message').filter(({ message }) => message.type === type)
  }

  /** Resolves as soon as it holds after some entry; false once `limitMs` are over. */
  until(holds: () => boolean, limitMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (value: boolean): void => {
        clearTimeout(timer)
        this.#waiting.delete(look)
        resolve(value)
      }
      const look = (): void => {
        if (holds()) end(true)
      }
      const timer = setTimeout(() => {
        end(holds())
      }, limitMs)
      this.#waiting.add(look)
      look()
    })
  }
}
