/** What a client did to a fake engine, in order: every request, every socket, every message. */

export interface LoggedRequest {
  kind: 'request'
  /** The engine's clock when it came in. */
  at: number
  method: string
  path: string
  query: string
  origin: string | undefined
  /** The bearer token, when one came along. */
  token: string | undefined
  body: unknown
}

export interface LoggedSocket {
  kind: 'socket'
  at: number
  path: string
  origin: string | undefined
}

export interface LoggedMessage {
  kind: 'message'
  at: number
  /** `register`, or the session whose channel it came on. */
  socket: string
  message: Record<string, unknown>
}

export type LogEntry = LoggedRequest | LoggedSocket | LoggedMessage

export class EngineLog {
  readonly entries: LogEntry[] = []

  add(entry: LogEntry): void {
    this.entries.push(entry)
  }

  /** Requests whose `METHOD /path` fits; preflights are left out unless asked for. */
  requests(pattern: string | RegExp = /^(?!OPTIONS)/): LoggedRequest[] {
    return this.entries
      .filter((entry) => entry.kind === 'request')
      .filter(({ method, path }) =>
        typeof pattern === 'string' ? `${method} ${path}` === pattern : pattern.test(`${method} ${path}`),
      )
  }

  sockets(pattern = /./): LoggedSocket[] {
    return this.entries.filter((entry) => entry.kind === 'socket').filter(({ path }) => pattern.test(path))
  }

  /** Messages of one type, from all sockets. */
  messages(type?: string): LoggedMessage[] {
    return this.entries
      .filter((entry) => entry.kind === 'message')
      .filter(({ message }) => type === undefined || message.type === type)
  }
}
