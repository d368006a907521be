/**
 * One request to a service's own interface (lists, facts, loading, embeddings): JSON there and back, read whole, with a
 * deadline and a size limit. Answers that stream are `openai-model.ts`'s part.
 */
import { AgentError } from '@leuria/agent'
import type { Clock } from '@leuria/clock'
import { exchange, faultOf, type HttpReply } from './http-exchange.js'
import { requestHeaders } from './openai-model.js'
import { readErrorReply } from './reply-body.js'
import { type ServiceNames, translateError, translateFault } from './upstream-error.js'

export interface JsonRequest {
  url: string
  /** Present: sent with POST. Absent: GET. */
  body?: unknown
  /** Sent as `Authorization: Bearer`. Never appears in errors. */
  apiKey?: string
  /** More headers. Their values never appear in errors. */
  headers?: Readonly<Record<string, string>>
  /** For people: "Ollama". */
  serviceName: string
  /** The model it is about, for messages. */
  model?: string
  clock: Clock
  /** For everything, from connecting to the body's last byte. */
  limitMs: number
  /** Ends the request at once. */
  signal?: AbortSignal
  /** @default 16 MB */
  maxBytes?: number
}

/** `status` is 0 where no answer came. The error's words are for people. */
export type JsonReply = { ok: true; value: unknown } | { ok: false; status: number; error: AgentError }

/** An answer with the text it was read from. */
type JsonDocument = { ok: true; value: unknown; text: string } | Extract<JsonReply, { ok: false }>

/** Far more than any list of models, or any batch of vectors, needs. */
const MAX_REPLY_BYTES = 16 * 1024 * 1024

const LATE = new Error('The time is over.')

/** Sends it. Never rejects; an aborted request is a failed one. */
export async function requestJson(request: JsonRequest): Promise<JsonReply> {
  const reply = await requestDocument(request)
  return reply.ok ? { ok: true, value: reply.value } : reply
}

/** Likewise, for who wants the answer's text too. */
export async function requestDocument(request: JsonRequest): Promise<JsonDocument> {
  const { clock, limitMs, signal } = request
  const own = new AbortController()
  const stop = (): void => {
    own.abort()
  }
  const cancelTimer = clock.setTimer(limitMs, () => {
    own.abort(LATE)
  })
  signal?.addEventListener('abort', stop)
  if (signal?.aborted === true) stop()
  try {
    const reply = await attempt(request, own.signal)
    return own.signal.reason === LATE ? tooLate(request) : reply
  } finally {
    cancelTimer()
    signal?.removeEventListener('abort', stop)
  }
}

async function attempt(request: JsonRequest, signal: AbortSignal): Promise<JsonDocument> {
  const { serviceName, clock, apiKey, headers = {}, body } = request
  const names: ServiceNames = {
    serviceName,
    model: request.model ?? 'asked for',
    secrets: [apiKey ?? '', ...Object.values(headers)],
  }
  if (!URL.canParse(request.url)) return failed(0, `The address of ${serviceName} isn't a valid one.`)
  try {
    const reply = await exchange({
      method: body === undefined ? 'GET' : 'POST',
      url: new URL(request.url),
      headers: {
        ...requestHeaders(apiKey, headers),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
      clock,
    })
    const { status } = reply
    if (status < 200 || status >= 300) {
      return { ok: false, status, error: translateError(await readErrorReply(reply, clock), names) }
    }
    return readValue(await readWhole(reply, request.maxBytes ?? MAX_REPLY_BYTES), status, serviceName)
  } catch (error) {
    return { ok: false, status: 0, error: translateFault(faultOf(error, signal), serviceName) }
  }
}

/** `null`: it is larger than it may be. Throws what the connection threw. */
async function readWhole(reply: HttpReply, maxBytes: number): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for (let next = await reply.bytes.next(); next.done !== true; next = await reply.bytes.next()) {
    bytes += next.value.length
    if (bytes > maxBytes) {
      reply.stop()
      return null
    }
    chunks.push(next.value)
  }
  reply.release()
  return Buffer.concat(chunks).toString('utf8')
}

function readValue(text: string | null, status: number, serviceName: string): JsonDocument {
  if (text === null) return failed(status, `${serviceName} answered with far too much.`)
  try {
    return { ok: true, value: JSON.parse(text) as unknown, text }
  } catch (error) {
    return failed(status, `What answers at the address of ${serviceName} isn't a model service.`, error)
  }
}

function failed(status: number, message: string, cause?: unknown): JsonDocument {
  return { ok: false, status, error: new AgentError('failed', message, cause === undefined ? {} : { cause }) }
}

function tooLate({ serviceName, limitMs }: JsonRequest): JsonDocument {
  const error = new AgentError('timed_out', `${serviceName} didn't answer within ${Math.ceil(limitMs / 1_000)} s.`)
  return { ok: false, status: 0, error }
}
