/**
 * One HTTP request with exactly the headers that a clause is about (Origin, Host, Authorization), over `node:http`.
 * `fetch` would add some and forbid others. Every request has a deadline.
 */
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { ClauseBroken, quote } from './report/observe.js'

/** How long an answer may take where nothing is waited for. */
export const ANSWER_LIMIT_MS = 15_000

export interface Call {
  /** @default POST with a body, else GET */
  method?: string
  /** A web page of this origin. Absent: a local program. */
  origin?: string
  token?: string
  body?: unknown
  /** Sent as it is, instead of `body`. */
  raw?: string
  headers?: Readonly<Record<string, string>>
  /** @default ANSWER_LIMIT_MS */
  limitMs?: number
  signal?: AbortSignal
}

export interface Answer {
  /** The request, for people: `POST /embed`. */
  readonly request: string
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** `undefined`: the body isn't JSON. */
  readonly json: unknown
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function payload({ raw, body }: Call): string | undefined {
  return raw ?? (body === undefined ? undefined : JSON.stringify(body))
}

function headersOf(url: URL, call: Call, text: string | undefined): Record<string, string | number> {
  return {
    Host: url.host,
    ...(call.origin === undefined ? {} : { Origin: call.origin }),
    ...(call.token === undefined ? {} : { Authorization: `Bearer ${call.token}` }),
    ...(text === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
    ...call.headers,
  }
}

/** Sends the request; the answer's head comes to `onAnswer`. Rejects for a connection without an answer, and late ones. */
export function openRequest(url: URL, call: Call): Promise<{ incoming: IncomingMessage; outgoing: ClientRequest }> {
  const text = payload(call)
  const method = call.method ?? (text === undefined ? 'GET' : 'POST')
  const what = `${method} ${url.pathname}`
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method,
      headers: headersOf(url, call, text),
      setHost: false,
      agent: false,
      ...(call.signal === undefined ? {} : { signal: call.signal }),
    })
    const limitMs = call.limitMs ?? ANSWER_LIMIT_MS
    const timer = setTimeout(() => {
      outgoing.destroy(new ClauseBroken(`${what} had no answer within ${limitMs / 1_000} s`))
    }, limitMs)
    outgoing.on('response', (incoming) => {
      clearTimeout(timer)
      resolve({ incoming, outgoing })
    })
    outgoing.on('error', (cause) => {
      clearTimeout(timer)
      reject(
        cause instanceof ClauseBroken ? cause : new ClauseBroken(`${what} got no answer: ${cause.message}`, { cause }),
      )
    })
    outgoing.end(text)
  })
}

/** Sends it and reads the whole answer. */
export async function send(url: URL, call: Call = {}): Promise<Answer> {
  const { incoming, outgoing } = await openRequest(url, call)
  const what = `${outgoing.method} ${url.pathname}`
  const chunks: Buffer[] = []
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      outgoing.destroy()
      reject(new ClauseBroken(`${what}: the answer did not end`))
    }, call.limitMs ?? ANSWER_LIMIT_MS)
    const end = (error?: Error): void => {
      clearTimeout(timer)
      if (error === undefined) resolve()
      else reject(new ClauseBroken(`${what}: the answer broke off`, { cause: error }))
    }
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      end()
    })
    incoming.on('error', end)
  })
  const text = Buffer.concat(chunks).toString()
  return { request: what, status: incoming.statusCode ?? 0, headers: incoming.headers, text, json: parse(text) }
}

/** An answer as what was seen: "POST /embed answered 200 {…}". */
export function seen({ request: what, status, text }: Answer): string {
  return `${what} answered ${status} ${text === '' ? '(empty)' : quote(text)}`
}
