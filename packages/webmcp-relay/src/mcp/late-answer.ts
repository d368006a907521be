/**
 * An HTTP answer that may take ten minutes. A quick one is plain JSON; one that takes longer becomes an event stream
 * with signs of life, because clients and what lies between give up on silence (MCP, Streamable HTTP).
 * For clients that take no event stream the sign of life is a line break, which JSON allows before a value.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CancelTimer, Clock } from '@leuria/clock'

export interface LateAnswerOptions {
  clock: Clock
  keepAliveMs: number
  /** A notification that shows progress, as JSON text; sent instead of an empty sign of life. */
  progress?: (waitedMs: number) => string
}

const JSON_HEAD = { 'content-type': 'application/json' }
/** No proxy may hold events back. */
const STREAM_HEAD = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' }

export class LateAnswer {
  readonly #response: ServerResponse
  readonly #options: LateAnswerOptions
  readonly #takesStream: boolean
  readonly #startedAt: number
  #form: 'unsent' | 'json' | 'stream' = 'unsent'
  #cancelTimer: CancelTimer

  constructor(request: IncomingMessage, response: ServerResponse, options: LateAnswerOptions) {
    this.#response = response
    this.#options = options
    this.#takesStream = request.headers.accept?.includes('text/event-stream') ?? false
    this.#startedAt = options.clock.now()
    this.#cancelTimer = this.#schedule()
  }

  /** Ends the answer with a JSON text. */
  end(json: string, status = 200): void {
    this.#cancelTimer()
    if (this.#response.destroyed || this.#response.writableEnded) return
    if (this.#form === 'stream') this.#response.end(event(json))
    else if (this.#form === 'json') this.#response.end(json)
    else sendJson(this.#response, json, { status })
  }

  /** Ends without an answer: the client took its question back (MCP, Cancellation). */
  abandon(json: string): void {
    if (this.#form === 'unsent' && this.#takesStream) this.#startStream()
    if (this.#form !== 'stream') {
      this.end(json)
      return
    }
    this.#cancelTimer()
    this.#response.end()
  }

  /** Ends the answer with what the SDK made. */
  async endWith(answer: Response): Promise<void> {
    const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (this.#form !== 'unsent' && !isStream) {
      this.end(await answer.text())
      return
    }
    this.#cancelTimer()
    if (this.#form === 'unsent') {
      this.#response.writeHead(answer.status, Object.fromEntries(answer.headers))
      if (isStream) this.#response.flushHeaders()
    }
    if (answer.body !== null) await pipe(answer.body, this.#response)
    this.#response.end()
  }

  #schedule(): CancelTimer {
    const { clock, keepAliveMs } = this.#options
    return clock.setTimer(keepAliveMs, () => {
      this.#cancelTimer = this.#schedule()
      this.#showLife()
    })
  }

  #showLife(): void {
    if (this.#response.destroyed || this.#response.writableEnded) return
    if (this.#form === 'unsent' && this.#takesStream) this.#startStream()
    if (this.#form === 'unsent') {
      this.#response.writeHead(200, JSON_HEAD)
      this.#form = 'json'
    }
    const { clock, progress } = this.#options
    if (this.#form === 'json') this.#response.write('\n')
    else this.#response.write(progress ? event(progress(clock.now() - this.#startedAt)) : ': waiting\n\n')
  }

  #startStream(): void {
    this.#response.writeHead(200, STREAM_HEAD)
    this.#form = 'stream'
  }
}

/** A whole answer at once. */
export function sendJson(
  response: ServerResponse,
  json: string,
  { status = 200, headers = {} }: JsonOptions = {},
): void {
  response.writeHead(status, { ...JSON_HEAD, 'content-length': Buffer.byteLength(json), ...headers })
  response.end(json)
}

interface JsonOptions {
  /** @default 200 */
  status?: number
  headers?: Record<string, string>
}

/** JSON text has no line breaks of its own here: `JSON.stringify` without indent. */
function event(json: string): string {
  return `event: message\ndata: ${json}\n\n`
}

/** Writes a body at the reader's pace; stops, and lets the SDK know, when the client leaves. */
async function pipe(body: ReadableStream<Uint8Array>, response: ServerResponse): Promise<void> {
  const reader = body.getReader()
  const leave = (): void => {
    reader.cancel().catch(() => undefined)
  }
  response.once('close', leave)
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (!response.write(part.value) && !response.destroyed) await drained(response)
    }
  } catch {
    // The stream was cut off by the session's end: what came before stands.
  } finally {
    response.off('close', leave)
  }
}

/** Resolves when more can be written, or nobody reads any more. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}
