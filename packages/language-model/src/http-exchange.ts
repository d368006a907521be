/**
 * One HTTP request to a model service, over node:http. Not `fetch`: that gives up on a reply or a body after 300 s,
 * and a slow model on a small computer may take longer before its first token.
 * Redirects are not followed (a key must not travel), and faults are told apart by kind.
 */
import {
  Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
  type RequestOptions,
} from 'node:http'
import { Agent as TlsAgent, request as httpsRequest } from 'node:https'
import { urlToHttpOptions } from 'node:url'
import type { Clock } from '@leuria/clock'
import { ReplyBytes } from './reply-bytes.js'

/** How long a TCP (and TLS) connection may take. The reply itself has no limit here. */
export const CONNECT_LIMIT_MS = 10_000
/** How long the rest of a finished answer may take before its connection is given up. */
const DRAIN_LIMIT_MS = 1_000

export interface HttpRequest {
  method: 'GET' | 'POST'
  url: URL
  headers: Readonly<Record<string, string>>
  body?: string
  signal: AbortSignal
  clock: Clock
}

export interface HttpReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The body's length is told by its framing, so that a body cut short can be told from a complete one. */
  readonly framed: boolean
  /** The body. Read it once; ending early needs `stop` or `release`. */
  readonly bytes: AsyncIterator<Uint8Array>
  /** Closes the connection. Idempotent. */
  stop(): void
  /** The rest is of no interest: keeps the connection for the next request if it ends soon, closes it otherwise. */
  release(): void
}

export type FaultKind =
  'refused' | 'unknown_host' | 'unreachable' | 'no_connection' | 'tls' | 'not_http' | 'lost' | 'aborted'

/** A request that got no reply, or whose reply broke off. */
export class HttpFault extends Error {
  override readonly name = 'HttpFault'
  constructor(
    readonly kind: FaultKind,
    options: { cause?: unknown } = {},
  ) {
    super(kind, options)
  }
}

const FAULT_OF_CODE: Readonly<Record<string, FaultKind>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unknown_host',
  EAI_AGAIN: 'unknown_host',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ETIMEDOUT: 'no_connection',
  EPROTO: 'tls',
}

/** What a socket's or parser's error means. */
export function faultOf(error: unknown, signal: AbortSignal): HttpFault {
  if (error instanceof HttpFault) return error
  if (signal.aborted) return new HttpFault('aborted', { cause: error })
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = FAULT_OF_CODE[code]
  if (known !== undefined) return new HttpFault(known, { cause: error })
  if (/CERT|SSL|TLS|SELF_SIGNED/.test(code)) return new HttpFault('tls', { cause: error })
  return new HttpFault(code.startsWith('HPE_') ? 'not_http' : 'lost', { cause: error })
}

/** Connections are kept for the next request; unused ones don't keep the process alive. */
const agents = { plain: new Agent({ keepAlive: true }), tls: new TlsAgent({ keepAlive: true }) }

/**
 * Sends a request and resolves with the reply's head.
 * @throws HttpFault
 */
export async function exchange(request: HttpRequest): Promise<HttpReply> {
  try {
    return await attempt(request)
  } catch (error) {
    // A kept connection that the service closed in the same moment: the request was never seen, so it is sent again.
    if (error instanceof HttpFault && error.kind === 'lost' && error.cause === STALE) return attempt(request)
    throw error
  }
}

const STALE = new Error('A kept connection was closed before it was used again.')

type Address = Pick<RequestOptions, 'protocol' | 'hostname' | 'port' | 'path' | 'auth'>

const addresses = new WeakMap<URL, Address>()

/** In the form that requests are made from. A model's URL is asked for again with each answer. */
function addressOf(url: URL): Address {
  const known = addresses.get(url)
  if (known !== undefined) return known
  const { protocol, hostname, port, path, auth } = urlToHttpOptions(url)
  const address = { protocol, hostname, port, path, auth }
  addresses.set(url, address)
  return address
}

function attempt(request: HttpRequest): Promise<HttpReply> {
  const { url, method, headers, body, signal, clock } = request
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(new HttpFault('aborted'))
      return
    }
    const tls = url.protocol === 'https:'
    const options = {
      ...addressOf(url),
      method,
      headers: body === undefined ? headers : { ...headers, 'content-length': Buffer.byteLength(body) },
    }
    const outgoing = tls
      ? httpsRequest({ ...options, agent: agents.tls })
      : httpRequest({ ...options, agent: agents.plain })
    const abort = (): void => {
      outgoing.destroy()
    }
    const connected = limitConnecting(outgoing, tls, clock)
    signal.addEventListener('abort', abort)
    // After the answer the connection may serve another request: this signal has no say over it any more.
    const detach = (): void => {
      connected()
      signal.removeEventListener('abort', abort)
    }
    outgoing.once('close', detach)
    outgoing.once('response', (response) => {
      resolve(new Reply(response, { outgoing, clock, detach }))
    })
    outgoing.on('error', (error) => {
      const stale = outgoing.reusedSocket && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
      reject(stale ? new HttpFault('lost', { cause: STALE }) : faultOf(error, signal))
    })
    outgoing.end(body)
  })
}

/** Ends the request when no connection comes about in time. Returns what ends the watch. */
function limitConnecting(outgoing: ClientRequest, tls: boolean, clock: Clock): () => void {
  let cancel = (): void => undefined
  outgoing.once('socket', (socket) => {
    if (!socket.connecting) return
    cancel = clock.setTimer(CONNECT_LIMIT_MS, () => outgoing.destroy(new HttpFault('no_connection')))
    socket.once(tls ? 'secureConnect' : 'connect', () => {
      cancel()
    })
    // A service that vanishes with its machine sends no goodbye: the system finds out by itself.
    socket.setKeepAlive(true, 30_000)
  })
  return () => {
    cancel()
  }
}

class Reply implements HttpReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly framed: boolean
  readonly bytes: AsyncIterator<Uint8Array>

  constructor(
    response: IncomingMessage,
    private readonly request: { outgoing: ClientRequest; clock: Clock; detach: () => void },
  ) {
    this.status = response.statusCode ?? 0
    this.headers = response.headers
    this.framed = 'content-length' in this.headers || this.headers['transfer-encoding'] !== undefined
    this.bytes = new ReplyBytes(response)
  }

  stop(): void {
    this.request.outgoing.destroy()
  }

  release(): void {
    this.request.detach()
    const cancel = this.request.clock.setTimer(DRAIN_LIMIT_MS, () => {
      this.stop()
    })
    void this.#drain().finally(cancel)
  }

  async #drain(): Promise<void> {
    try {
      while ((await this.bytes.next()).done !== true);
    } catch {
      this.stop()
    }
  }
}
