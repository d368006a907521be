/** One WebSocket to the engine: opened within a limit, JSON in and out, closed exactly once. */
import type { Clock } from '@leuria/clock'
import { AbortError, LeuriaNotRunningError, TimeoutError, toLeuriaError } from '../errors.js'
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

export interface EngineSocket {
  /** False: it wasn't sent. */
  send(message: object): boolean
  close(): void
  /** Resolves when the socket is closed, by either side. */
  readonly closed: Promise<void>
}

/**
 * Resolves once the socket is open. Aborting `signal` closes it, then and later.
 * @throws LeuriaNotRunningError when it can't be opened (browsers don't say why), TimeoutError, AbortError
 */
export function openSocket({ url, WebSocket, clock, signal, onMessage }: SocketOptions): Promise<EngineSocket> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) throw new AbortError()
    const socket = create(WebSocket, url)
    // Once it is over nothing of this socket is heard, however late the browser tells it.
    let isOver = false
    let tellClosed: () => void
    const closed = new Promise<void>((done) => {
      tellClosed = done
    })
    const close = (error: Error = new LeuriaNotRunningError()): void => {
      if (isOver) return
      isOver = true
      cancelTimer()
      signal.removeEventListener('abort', onAbort)
      reject(error)
      socket.close()
      tellClosed()
    }
    const onAbort = (): void => {
      close(new AbortError())
    }
    const cancelTimer = clock.setTimer(SOCKET_LIMIT_MS, () => {
      close(new TimeoutError())
    })
    const send = (message: object): boolean => {
      if (isOver || socket.readyState !== OPEN) return false
      try {
        socket.send(JSON.stringify(message))
        return true
      } catch {
        return false
      }
    }
    signal.addEventListener('abort', onAbort)
    socket.addEventListener('open', () => {
      cancelTimer()
      resolve({ send, close, closed })
    })
    socket.addEventListener('message', ({ data }) => {
      const message = typeof data === 'string' ? parseJson(data) : undefined
      if (!isOver && isFields(message)) onMessage(message)
    })
    socket.addEventListener('close', () => {
      close()
    })
    // A close always follows; without a listener some implementations throw.
    socket.addEventListener('error', () => undefined)
  })
}

function create(WebSocket: SocketClass, url: string): SocketLike {
  try {
    return new WebSocket(url)
  } catch (error) {
    throw toLeuriaError(error) // A policy of the page forbids it.
  }
}
