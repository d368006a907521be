/**
 * Requests to the engine: the token, a deadline on everything, and foreign failures told as this package's errors.
 * Which path means what is others' business.
 */
import type { CancelTimer, Clock } from '@leuria/clock'
import { AbortError, LeuriaError, LeuriaNotRunningError, notConnected, TimeoutError } from '../errors.js'
import { asText, isFields, parseJson } from './unknown-value.js'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** How long an ordinary request may take: the engine answers those at once, a busy computer not always. */
export const REQUEST_LIMIT_MS = 15_000

export interface RequestOptions {
  method?: 'GET' | 'POST'
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

interface RunningRequest {
  response: Response
  /** Rejects when the deadline passes or the caller aborts. */
  stopped: Promise<never>
  cancelTimer: CancelTimer
  release: () => void
}

const PLAIN_WORDS: Readonly<Record<number, string>> = {
  404: 'Leuria no longer knows this conversation.',
  410: 'The question to the visitor has expired.',
  413: 'This is more than Leuria takes at once.',
  429: 'Leuria asks to wait a moment.',
  502: 'The local model for searching by meaning failed.',
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
  return new LeuriaError(PLAIN_WORDS[status] ?? words, options)
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
  async exchange(path: string, options: RequestOptions = {}): Promise<EngineReply> {
    const { response, stopped, release } = await this.#start(path, options)
    try {
      const text = await Promise.race([response.text(), stopped])
      return { status: response.status, body: text === '' ? undefined : parseJson(text) }
    } catch (error) {
      throw error instanceof LeuriaError ? error : new LeuriaNotRunningError(undefined, { cause: error })
    } finally {
      release()
    }
  }

  /**
   * The body of a successful answer.
   * @throws what `exchange` does, and LeuriaError with `status` and `code` for every other answer
   */
  async request(path: string, options: RequestOptions = {}): Promise<unknown> {
    const token = this.#options.token()
    const reply = await this.exchange(path, options)
    if (reply.status >= 200 && reply.status < 300) return reply.body
    this.#noteRefusal(reply, token)
    throw errorOf(reply)
  }

  /** Opens a stream: the deadline is for its headers, `signal` for its whole life. @throws as `request` does */
  async stream(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const token = this.#options.token()
    const { response, stopped, cancelTimer, release } = await this.#start(path, { signal })
    if (response.ok && response.body !== null) {
      cancelTimer()
      return response.body
    }
    try {
      const text = await Promise.race([response.text().catch(() => ''), stopped])
      const reply = { status: response.status, body: parseJson(text) }
      this.#noteRefusal(reply, token)
      throw errorOf(reply)
    } finally {
      release()
    }
  }

  #noteRefusal({ status, body }: EngineReply, token: string | null): void {
    const isRefused = status === 401 && isFields(body) && body.code === 'not_paired'
    if (isRefused && token !== null) this.#options.onRefused(token)
  }

  #headers({ body, anonymous = false }: RequestOptions): Record<string, string> {
    const headers: Record<string, string> = {}
    if (body !== undefined) headers['Content-Type'] = 'application/json'
    if (anonymous) return headers
    const token = this.#options.token()
    // Without a token nothing may be sent: it would only make the browser ask about local network access.
    if (token === null) throw notConnected()
    headers.Authorization = `Bearer ${token}`
    return headers
  }

  async #start(path: string, options: RequestOptions): Promise<RunningRequest> {
    const { url, fetch, clock } = this.#options
    const { method = options.body === undefined ? 'GET' : 'POST', body, signal, keepalive = false } = options
    if (signal?.aborted === true) throw new AbortError(undefined, { cause: signal.reason })
    const headers = this.#headers(options)
    const stop = new AbortController()
    const { stopped, cancelTimer, release } = watch(stop, options, clock)
    try {
      const response = await Promise.race([
        fetch(`${url}${path}`, {
          method,
          headers,
          signal: stop.signal,
          keepalive,
          body: body === undefined ? undefined : JSON.stringify(body),
          cache: 'no-store',
          credentials: 'omit',
          // A redirect would carry the token elsewhere.
          redirect: 'error',
        }),
        stopped,
      ])
      return { response, stopped, cancelTimer, release }
    } catch (error) {
      release()
      throw error instanceof LeuriaError ? error : new LeuriaNotRunningError(undefined, { cause: error })
    }
  }
}

/** Ties the caller's signal and the deadline to one controller; a `fetch` that heeds neither is left behind. */
function watch(
  stop: AbortController,
  { signal, timeoutMs = REQUEST_LIMIT_MS }: RequestOptions,
  clock: Clock,
): Omit<RunningRequest, 'response'> {
  let halt: (error: LeuriaError) => void = () => undefined
  const stopped = new Promise<never>((_, reject) => {
    halt = (error) => {
      reject(error)
      stop.abort(error)
    }
  })
  stopped.catch(() => undefined) // Nobody may be waiting when it is called off.
  const onAbort = (): void => {
    halt(new AbortError(undefined, { cause: signal?.reason }))
  }
  signal?.addEventListener('abort', onAbort)
  const cancelTimer = clock.setTimer(timeoutMs, () => {
    halt(new TimeoutError())
  })
  const release = (): void => {
    cancelTimer()
    signal?.removeEventListener('abort', onAbort)
  }
  return { stopped, cancelTimer, release }
}
