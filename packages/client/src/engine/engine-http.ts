/**
 * Requests to the engine: the token, a deadline on everything, and foreign failures told as this package's errors.
 * Which path means what is others' business.
 */
import { type Clock, DeadlineError, withDeadline } from '@leuria/clock'
import { LeuriaError, LeuriaNotRunningError, notConnected, stopped, TimeoutError, toLeuriaError } from '../errors.js'
import { orAbort } from './or-abort.js'
import { asText, fieldsOf, parseJson } from './unknown-value.js'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** How long an ordinary request may take: the engine answers those at once, a busy computer not always. */
export const REQUEST_LIMIT_MS = 15_000

export interface RequestOptions {
  /** With a body it is a POST. */
  body?: object
  signal?: AbortSignal
  /** @default 15_000 */
  timeoutMs?: number
  /** The request outlives the page. */
  keepalive?: boolean
  /** Sent without the token: only the claim, which is how a page gets one. */
  anonymous?: boolean
}

/** An answer, read. `body` is `undefined` when it isn't JSON. */
export interface EngineReply {
  status: number
  body: unknown
}

export interface EngineHttpOptions {
  url: string
  fetch: Fetch
  clock: Clock
  token: () => string | null
  /** The engine refused this token for good. */
  onRefused: (token: string) => void
}

/** By code or status. */
const PLAIN_WORDS: Readonly<Record<string, string>> = {
  over_budget: 'The limit that you set for this site is used up for now.',
  404: 'Leuria no longer knows this conversation.',
  413: 'This is more than Leuria takes at once.',
  429: 'Leuria asks to wait a moment.',
  503: 'There is no local model for searching by meaning.',
}

/** The error that an answer outside 2xx stands for. */
export function errorOf({ status, body }: EngineReply): LeuriaError {
  const fields = fieldsOf(body)
  const detail = asText(fields.error)
  // An empty 403 is the silence towards sites the engine doesn't know; a browser wouldn't even show it.
  if (status === 403 && detail === undefined) return new LeuriaNotRunningError()
  const code = asText(fields.code)
  const retryAfterS = typeof fields.retryAfterS === 'number' ? fields.retryAfterS : undefined
  // Consoles print causes: developers see the engine's words, visitors the plain ones.
  const options = { status, code, detail, retryAfterS, cause: detail && new Error(`${status}: ${detail}`) }
  if (status === 401) return notConnected({ ...options, code: code ?? 'not_paired' })
  const words = status < 500 ? 'Leuria refused this request.' : 'Something went wrong inside Leuria.'
  return new LeuriaError(PLAIN_WORDS[code ?? ''] ?? PLAIN_WORDS[status] ?? words, options)
}

export interface EngineHttp {
  /**
   * Sends a request and reads its whole answer, whatever its status.
   * The request leaves before this returns, so that it may be made while the page is being left.
   * @throws AbortError, TimeoutError, LeuriaNotRunningError (nothing readable came), LeuriaNotConnectedError (no token)
   */
  exchange(path: string, options?: RequestOptions): Promise<EngineReply>
  /**
   * The body of a successful answer.
   * @throws what `exchange` does, and LeuriaError with `status` and `code` for every other answer
   */
  request(path: string, options?: RequestOptions): Promise<unknown>
  /** The body of a successful answer as it comes; cancel it to end it. The deadline is for its headers. @throws as `request` */
  stream(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>
}

export function createHttp({ url, fetch, clock, token, onRefused }: EngineHttpOptions): EngineHttp {
  /** Sends, and reads what is wanted of the answer, all within the deadline. A `fetch` that heeds no signal is left behind. */
  const send = async <T>(
    path: string,
    options: RequestOptions,
    read: (response: Response, token: string | null) => Promise<T>,
  ): Promise<T> => {
    const { body, signal, timeoutMs = REQUEST_LIMIT_MS, keepalive, anonymous } = options
    if (signal?.aborted) throw stopped(signal)
    const own = token()
    // Without a token nothing may be sent: it would only make the browser ask about local network access.
    if (own === null && !anonymous) throw notConnected()
    const stop = new AbortController()
    const work = async (): Promise<T> => {
      const init: RequestInit = {
        method: body ? 'POST' : 'GET',
        headers: { 'Content-Type': 'application/json', ...(anonymous ? {} : { Authorization: `Bearer ${own}` }) },
        keepalive,
        body: JSON.stringify(body),
        cache: 'no-store',
        credentials: 'omit',
        // A redirect would carry the token elsewhere.
        redirect: 'error',
        signal: stop.signal,
      }
      return read(await fetch(url + path, init), own)
    }
    try {
      return await orAbort(withDeadline(clock, timeoutMs, work()), signal)
    } catch (error) {
      stop.abort()
      throw error instanceof DeadlineError ? new TimeoutError() : toLeuriaError(error)
    }
  }

  const refusal = (reply: EngineReply, own: string | null): LeuriaError => {
    const isFinal = reply.status === 401 && fieldsOf(reply.body).code === 'not_paired'
    if (isFinal && own !== null) onRefused(own)
    return errorOf(reply)
  }

  return {
    exchange: (path, options = {}) => send(path, options, readReply),
    request: (path, options = {}) =>
      send(path, options, async (response, own) => {
        const reply = await readReply(response)
        if (response.ok) return reply.body
        throw refusal(reply, own)
      }),
    stream: (path, signal) =>
      send(path, { signal }, async (response, own) => {
        if (response.ok && response.body !== null) return response.body
        throw refusal(await readReply(response), own)
      }),
  }
}

async function readReply(response: Response): Promise<EngineReply> {
  return { status: response.status, body: parseJson(await response.text()) }
}
