/** The HTTP server itself: bound to loopback only, with limits on slow clients and an end that really ends. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Clock } from '@leuria/clock'
import { LOOPBACK } from '../address.js'
import { answerWithoutUpgrade, wantsWebSocket } from './other-upgrade.js'
import { rawAnswer } from './raw-answer.js'

/** Longest time for a request's head and body: 16 MB over loopback take far less; event streams aren't requests any more. */
const REQUEST_LIMIT_MS = 60_000
/** Longer than browsers keep an idle connection, so that none is closed just as it is used again. */
const KEEP_ALIVE_MS = 65_000
/** How long open answers may take to finish when the engine stops. */
const STOP_GRACE_MS = 2_000
/** How often connections that have become idle are closed meanwhile. */
const SWEEP_MS = 50

/** Thrown when the engine can't listen; `code` is the system's (`EADDRINUSE`, `EACCES`). */
export class ListenError extends Error {
  override readonly name = 'ListenError'
  constructor(
    readonly code: string,
    readonly port: number,
    options: { cause: unknown },
  ) {
    super(
      code === 'EADDRINUSE' ? `Port ${port} is in use by another program.` : `Port ${port} can't be used (${code}).`,
      options,
    )
  }
}

export interface Listener {
  readonly port: number
  /** Stops accepting, lets open answers finish for a moment, then cuts what is left. Idempotent. */
  close(): Promise<void>
}

export interface ListenOptions {
  port: number
  clock: Clock
  /** Close connections that carry no HTTP without a word: any page can send a head that is too long, and an answer tells it that something listens. */
  silent: boolean
  onRequest: (request: IncomingMessage, response: ServerResponse) => void
  onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
}

function bind(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(new ListenError(cause.code ?? 'UNKNOWN', port, { cause }))
    })
    server.listen({ host: LOOPBACK, port }, resolve)
  })
}

function stop(server: Server, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    let cancelSweep = (): void => undefined
    const sweep = (): void => {
      server.closeIdleConnections()
      cancelSweep = clock.setTimer(SWEEP_MS, sweep)
    }
    const cancelKill = clock.setTimer(STOP_GRACE_MS, () => {
      server.closeAllConnections()
    })
    server.close(() => {
      cancelSweep()
      cancelKill()
      resolve()
    })
    sweep()
  })
}

/** A request that isn't HTTP gets a plain 400 and its connection closed; it never reaches the gate. */
function answerGarbage(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  socket.end(rawAnswer(400, 'This is not a request that can be read.'))
}

/** Binds to 127.0.0.1. Port 0 takes a free one. @throws ListenError */
export async function listen(options: ListenOptions): Promise<Listener> {
  // A missing Host is the gate's to refuse, like every other wrong one.
  const limits = { requestTimeout: REQUEST_LIMIT_MS, keepAliveTimeout: KEEP_ALIVE_MS, requireHostHeader: false }
  const server = createServer(limits, options.onRequest)
  server.on('upgrade', (request, socket, head) => {
    if (wantsWebSocket(request)) options.onUpgrade(request, socket, head)
    else answerWithoutUpgrade(server, request, { socket, head })
  })
  // Node would answer an unknown Expect by itself, whatever the Host. It may be ignored (RFC 9110 §10.1.1).
  server.on('checkExpectation', options.onRequest)
  server.on('clientError', options.silent ? (_error, socket) => socket.destroy() : answerGarbage)
  await bind(server, options.port)
  const { port } = server.address() as AddressInfo
  let closed: Promise<void> | undefined
  return {
    port,
    close() {
      closed ??= stop(server, options.clock)
      return closed
    },
  }
}
