/**
 * Requests to the engine: the token, a deadline on everything, and foreign failures told as this package's errors.
 * Which path means what is others' business.
 */
import type { Clock } from '@leuria/clock'
import { AbortError, LeuriaError, LeuriaNotRunningError, notConnected, TimeoutError, toLeuriaError } from '../errors.js'
import { orAbort } from './or-abort.js'
import { asText, isFields, parseJson } from './unknown-value.js'

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
  const fields = isFields(body) ? body : {}
  const detail = asText(fields.error)
  // An empty 403 is the silence towards sites the engine doesn't know; a browser wouldn't even show it.
  if (status === 403 && detail === undefined) return new LeuriaNotRunningError()
  const code = asText(fields.code)
  const retryAfterS = typeof fields.retryAfterS === 'number' ? fields.retryAfterS : undefined
  // Consoles print causes: developers see the engine's words, visitors the plain ones.
  const cause = detail === undefined ? undefined : new Error(`${status}: ${detail}`)
  const options = { status, code, detail, retryAfterS, cause }
  if (status === 401) return notConnected({ ...options, code: code ?? 'not_paired' })
  const words = status >= 500 ? 'Something went wrong inside Leuria.' : 'Leuria refused this request.'
  return new LeuriaError(PLAIN_WORDS[code ?? ''] ?? PLAIN_WORDS[status] ?? words, options)
}

export class EngineHttp {
  readonly #options: EngineHttpOptions

  constructor(options: EngineHttpOptions) {
    this.#options = options
  }

  /**
   * Sends a request and reads its whole answer, whatever its status.
   * The request leaves before this returns, so that it may be made while the page is being left.
   * @throws AbortError, TimeoutError, LeuriaNotRunningError (nothing readable came), LeuriaNotConnectedError (no token)
   */
  exchange(path: string, options: RequestOptions = {}): Promise<EngineReply> {
    return this.#send(path, options, readReply)
  }

  /**
   * The body of a successful answer.
   * @throws what `exchange` does, and LeuriaError with `status` and `code` for every other answer
   */
  async request(path: string, options: RequestOptions = {}): Promise<unknown> {
    const token = this.#options.token()
    const reply = await this.exchange(path, options)
    if (reply.status >= 200 && reply.status < 300) return reply.body
    throw this.#refusal(reply, token)
  }

  /** The body of a successful answer as it comes; cancel it to end it. The deadline is for its headers. @throws as `request` */
  stream(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const token = this.#options.token()
    return this.#send(path, { signal }, async (response) => {
      if (response.ok && response.body !== null) return response.body
      throw this.#refusal(await readReply(response), token)
    })
  }

  #refusal(reply: EngineReply, token: string | null): LeuriaError {
    const { status, body } = reply
    const isFinal = status === 401 && isFields(body) && body.code === 'not_paired'
    if (isFinal && token !== null) this.#options.onRefused(token)
    return errorOf(reply)
  }

  #init({ body, keepalive = false, anonymous = false }: RequestOptions): RequestInit {
    const token = this.#options.token()
    // Without a token nothing may be sent: it would only make the browser ask about local network access.
    if (token === null && !anonymous) throw notConnected()
    return {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'Content-Type': 'application/json', ...(anonymous ? {} : { Authorization: `Bearer ${token}` }) },
      keepalive,
      body: JSON.stringify(body),
      cache: 'no-store',
      credentials: 'omit',
      // A redirect would carry the token elsewhere.
      redirect: 'error',
    }
  }

  /** Sends, and reads what is wanted of the answer, all within the deadline. A `fetch` that heeds no signal is left behind. */
  async #send<T>(path: string, options: RequestOptions, read: (response: Response) => Promise<T>): Promise<T> {
    const { url, fetch, clock } = this.#options
    const { signal, timeoutMs = REQUEST_LIMIT_MS } = options
    if (signal?.aborted === true) throw new AbortError(undefined, { cause: signal.reason })
    const init = this.#init(options)
    const stop = new AbortController()
    const work = (async () => read(await fetch(url + path, { ...init, signal: stop.signal })))()
    const limit = new AbortController()
    const cancelTimer = clock.setTimer(timeoutMs, () => {
      limit.abort()
    })
    try {
      return await orAbort(orAbort(work, limit.signal), signal)
    } catch (error) {
      stop.abort()
      if (limit.signal.aborted) throw new TimeoutError()
      throw toLeuriaError(error)
    } finally {
      cancelTimer()
    }
  }
}

async function readReply(response: Response): Promise<EngineReply> {
  return { status: response.status, body: parseJson(await response.text()) }
}
