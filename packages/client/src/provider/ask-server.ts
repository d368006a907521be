/**
 * One request to a chat completions endpoint: sends it, feeds the reply to the reader, and ends every wait: an abort, a
 * silence, the grace after the AI's last word. What is in the request is `server-session.ts`.
 */
import type { CancelTimer, Clock } from '@leuria/clock'
import type { Fetch } from '../engine/engine-http.js'
import { orAbort } from '../engine/or-abort.js'
import { AbortError, LeuriaError, TimeoutError } from '../errors.js'
import type { AnswerReader } from './answer-reader.js'
import { serverError } from './server-error.js'

export type ServerHeaders = Readonly<Record<string, string>>

export interface ServerAddress {
  url: string
  headers?: ServerHeaders | (() => ServerHeaders | Promise<ServerHeaders>)
  fetch: Fetch
  clock: Clock
}

/** So long a server may say nothing: long prompts take a slow one minutes. */
export const SILENCE_LIMIT_MS = 300_000
/** So long figures may follow the AI's last word; not every server says `[DONE]` (FC-10). */
export const FINISH_GRACE_MS = 2_000

/**
 * Resolves once the answer is complete.
 * @throws AbortError, TimeoutError, LeuriaError `server_error`, `too_many`, `bad_answer`, `unreachable`
 */
export async function askServer(
  { url, headers, fetch, clock }: ServerAddress,
  body: object,
  { answer, signal }: { answer: AnswerReader; signal: AbortSignal },
): Promise<void> {
  const stop = new AbortController()
  const abort = (): void => {
    stop.abort()
  }
  let cancelTimer: CancelTimer | undefined
  /** Everything is waited for so: the limit begins anew with each piece. */
  const heed = <T>(work: T | Promise<T>): Promise<T> => {
    cancelTimer?.()
    cancelTimer = clock.setTimer(answer.finish ? FINISH_GRACE_MS : SILENCE_LIMIT_MS, abort)
    return orAbort(Promise.resolve(work), stop.signal)
  }
  signal.addEventListener('abort', abort)
  try {
    const own = await heed(typeof headers === 'function' ? headers() : headers)
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...own },
      body: JSON.stringify(body),
      signal: stop.signal,
    }
    if (signal.aborted) abort()
    const response = await heed(fetch(url, init))
    if (!response.ok || !response.body) throw refusal(response, await heed(response.text()))
    const reader = response.body.getReader()
    while (!answer.ended) {
      const { value } = await heed(reader.read())
      answer.push(value)
      if (!value) break
    }
  } catch (error) {
    if (error instanceof LeuriaError && !(error instanceof AbortError)) throw error
    if (signal.aborted) throw new AbortError()
    const options = { code: 'unreachable', cause: error }
    if (!answer.finish)
      throw stop.signal.aborted
        ? new TimeoutError("This site's AI took too long to answer.")
        : new LeuriaError("This site's AI can't be reached.", options)
  } finally {
    signal.removeEventListener('abort', abort)
    cancelTimer?.()
    // Lets go of a connection that the server keeps open.
    abort()
  }
}

function refusal({ status, headers }: Response, detail: string): LeuriaError {
  const wait = headers.get('Retry-After') ?? ''
  const seconds = Number(wait) || (Date.parse(wait) - Date.now()) / 1000
  return serverError(detail, { status, retryAfterS: seconds > 0 ? Math.ceil(seconds) : undefined })
}
