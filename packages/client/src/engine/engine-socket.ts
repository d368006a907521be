/** One WebSocket to the engine: opened within a limit, JSON in and out, closed exactly once. */
import type { Clock } from '@leuria/clock'
import { AbortError, LeuriaNotRunningError, TimeoutError } from '../errors.js'
import { type Fields, isFields, parseJson } from './unknown-value.js'

/** The part of `WebSocket` that is used. */
export interface SocketLike {
  readonly readyState: number
  send(data: string): void
  close(code?: number): void
  addEventListener(type: 'open' | 'close' | 'error', listener: () => void): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
}

export type SocketClass = new (url: string) => SocketLike

/** How long a socket may take to open, and to register. */
export const SOCKET_LIMIT_MS = 10_000

const OPEN = 1

export interface SocketOptions {
  url: string
  WebSocket: SocketClass
  clock: Clock
  signal: AbortSignal
  /** Frames that aren't a JSON object are dropped. */
  onMessage: (message: Fields) => void
}

/** An open socket; made by `openSocket`. */
export class EngineSocket {
  /** Resolves when the socket is closed, by either side. */
  readonly closed: Promise<void>
  /** Resolves when it is open, rejects when it won't be. */
  readonly opened: Promise<EngineSocket>
  readonly #socket: SocketLike
  #over: (error: Error) => void = () => undefined
  #isOver = false

  constructor(options: SocketOptions) {
    const { url, WebSocket } = options
    const socket = new WebSocket(url)
    this.#socket = socket
    let onClosed: () => void = () => undefined
    this.closed = new Promise((resolve) => {
      onClosed = resolve
    })
    this.opened = new Promise((resolve, reject) => {
      const stopWaiting = this.#limit(options)
      socket.addEventListener('open', () => {
        stopWaiting.opened()
        resolve(this)
      })
      this.#over = (error) => {
        this.#isOver = true
        stopWaiting.over()
        reject(error)
        onClosed()
      }
    })
    this.#listen(options)
  }

  /** False: it wasn't sent. */
  send(message: object): boolean {
    return !this.#isOver && sendJson(this.#socket, message)
  }

  close(error: Error = new LeuriaNotRunningError()): void {
    // From here on nothing of this socket is heard, however late the browser tells it.
    this.#over(error)
    this.#socket.close()
  }

  #limit({ clock, signal }: SocketOptions): { opened: () => void; over: () => void } {
    const onAbort = (): void => {
      this.close(new AbortError())
    }
    const cancelTimer = clock.setTimer(SOCKET_LIMIT_MS, () => {
      this.close(new TimeoutError())
    })
    signal.addEventListener('abort', onAbort)
    return {
      opened: cancelTimer,
      over: () => {
        cancelTimer()
        signal.removeEventListener('abort', onAbort)
      },
    }
  }

  #listen({ onMessage }: SocketOptions): void {
    this.#socket.addEventListener('message', ({ data }) => {
      const message = typeof data === 'string' ? parseJson(data) : undefined
      if (!this.#isOver && isFields(message)) onMessage(message)
    })
    this.#socket.addEventListener('close', () => {
      this.#over(new LeuriaNotRunningError())
    })
    // A close always follows; without a listener some implementations throw.
    this.#socket.addEventListener('error', () => undefined)
  }
}

/**
 * Resolves once the socket is open. Aborting `signal` closes it, then and later.
 * @throws LeuriaNotRunningError when it can't be opened (browsers don't say why), TimeoutError, AbortError
 */
export async function openSocket(options: SocketOptions): Promise<EngineSocket> {
  if (options.signal.aborted) throw new AbortError()
  let socket: EngineSocket
  try {
    socket = new EngineSocket(options)
  } catch (error) {
    throw new LeuriaNotRunningError(undefined, { cause: error }) // A policy of the page forbids it.
  }
  return socket.opened
}

function sendJson(socket: SocketLike, message: object): boolean {
  if (socket.readyState !== OPEN) return false
  try {
    socket.send(JSON.stringify(message))
    return true
  } catch {
    return false
  }
}
