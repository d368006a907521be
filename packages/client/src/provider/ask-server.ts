/**
 * One request to a chat completions endpoint: sends it, feeds the reply to the reader, and ends every wait: an abort, a
 * silence, the grace after the AI's last word. What is in the request is `server-session.ts`.
 */
import type { Clock } from '@leuria/clock'
import type { Fetch } from '../engine/engine-http.js'
import { orAbort } from '../engine/or-abort.js'
import { AbortError, LeuriaError, TimeoutError } from '../errors.js'
import type { AnswerReader } from './answer-reader.js'
import { serverError, unreachable } from './server-error.js'

export type ServerHeaders = Readonly<Record<string, string>>

export interface ServerAddress {
  url: string
  /** Given to every request; a function is asked anew each time. */
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
  server: ServerAddress,
  body: object,
  { answer, signal }: { answer: AnswerReader; signal: AbortSignal },
): Promise<void> {
  const stop = new AbortController()
  let cancelTimer = (): void => undefined
  const abort = (): void => {
    stop.abort()
  }
  /** Everything is waited for so: the limit begins anew with each piece. */
  const heed = <T>(work: Promise<T>): Promise<T> => {
    cancelTimer()
    cancelTimer = server.clock.setTimer(answer.state() === 'open' ? SILENCE_LIMIT_MS : FINISH_GRACE_MS, abort)
    return orAbort(work, stop.signal)
  }
  signal.addEventListener('abort', abort)
  try {
    if (signal.aborted) abort()
    await exchange(server, body, { answer, heed, signal: stop.signal })
  } catch (error) {
    if (error instanceof LeuriaError && !(error instanceof AbortError)) throw error
    if (signal.aborted) throw new AbortError(undefined, { cause: signal.reason })
    if (answer.state() === 'open') throw stop.signal.aborted ? tooSlow(error) : unreachable(error)
  } finally {
    signal.removeEventListener('abort', abort)
    cancelTimer()
    // Lets go of a connection that the server keeps open.
    abort()
  }
}

interface Exchange {
  answer: AnswerReader
  heed: <T>(work: Promise<T>) => Promise<T>
  signal: AbortSignal
}

async function exchange(server: ServerAddress, body: object, { answer, heed, signal }: Exchange): Promise<void> {
  const { url, headers, fetch } = server
  const own = await heed(Promise.resolve(typeof headers === 'function' ? headers() : headers))
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...own },
    body: JSON.stringify(body),
    signal,
  }
  const response = await heed(fetch(url, init))
  if (!response.ok || response.body === null) throw await refusal(response, heed)
  const reader = response.body.getReader()
  while (answer.state() !== 'ended') {
    const { done, value } = await heed(reader.read())
    if (done) {
      answer.end()
      if (answer.state() === 'open') throw unreachable(new Error('The answer broke off.'))
      return
    }
    answer.push(value)
  }
}

async function refusal(response: Response, heed: Exchange['heed']): Promise<LeuriaError> {
  const { status, headers } = response
  const wait = headers.get('Retry-After')
  const seconds = Math.ceil(Number(wait) || (Date.parse(wait ?? '') - Date.now()) / 1000)
  const detail = await heed(response.text())
  return serverError({ status, detail, retryAfterS: wait !== null && seconds >= 0 ? seconds : undefined })
}

function tooSlow(cause: unknown): TimeoutError {
  return new TimeoutError("This site's AI took too long to answer.", { cause })
}
