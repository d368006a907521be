/** Writes answers: JSON, HTML, nothing. Each answer is complete in one write and is never cached. */
import type { ServerResponse } from 'node:http'
import { type EngineError, errorBody } from '@leuria/protocol'

/** Response headers by name; later writers win. */
export type Headers = Readonly<Record<string, string>>

/** What a route answers with. `taken`: it writes on the response itself. */
export type Reply =
  | { kind: 'json'; status: number; body: unknown; sent?: (delivered: boolean) => void }
  | { kind: 'html'; status: number; html: string; headers: Headers }
  | { kind: 'asset'; type: string; text: string }
  | { kind: 'taken' }

/** A JSON answer. `sent` learns whether the client was still there when it left. */
export function json(status: number, body: unknown, sent?: (delivered: boolean) => void): Reply {
  return { kind: 'json', status, body, ...(sent === undefined ? {} : { sent }) }
}

/** Writes a whole answer; does nothing when the client is gone. */
function write(response: ServerResponse, answer: { status: number; headers: Headers; text: string }): void {
  if (response.headersSent || response.destroyed) return
  response.writeHead(answer.status, { ...answer.headers, 'content-length': Buffer.byteLength(answer.text) })
  response.end(answer.text)
}

const JSON_HEADERS: Headers = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** Calls back once: true when the whole answer left on a live socket, false when the client was gone. */
function whenSent(response: ServerResponse, sent: (delivered: boolean) => void): void {
  if (response.destroyed) {
    sent(false)
    return
  }
  let told = false
  const tell = (delivered: boolean) => () => {
    if (told) return
    told = true
    sent(delivered)
  }
  response.once('finish', tell(true)).once('close', tell(false))
}

/** Writes what a route answered. `cors` comes from the gate and goes on every answer that a page may read. */
export function send(response: ServerResponse, reply: Reply, cors: Headers): void {
  if (reply.kind === 'taken') return
  if (reply.kind === 'json') {
    if (reply.sent !== undefined) whenSent(response, reply.sent)
    write(response, { status: reply.status, headers: { ...JSON_HEADERS, ...cors }, text: JSON.stringify(reply.body) })
    return
  }
  if (reply.kind === 'html') {
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      ...reply.headers,
      ...cors,
    }
    write(response, { status: reply.status, headers, text: reply.html })
    return
  }
  const headers = { 'content-type': reply.type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  write(response, { status: 200, headers: { ...headers, ...cors }, text: reply.text })
}

/** Writes an error as the page has it: `{ error, code? }`. */
export function sendError(response: ServerResponse, error: EngineError, cors: Headers): void {
  const retry: Headers = error.retryAfterS === undefined ? {} : { 'retry-after': String(error.retryAfterS) }
  write(response, {
    status: error.status,
    headers: { ...JSON_HEADERS, ...cors, ...retry },
    text: JSON.stringify(errorBody(error.code, error.message, error.retryAfterS)),
  })
}

/** Writes an answer without a body and without a content type. */
export function sendEmpty(response: ServerResponse, status: number, headers: Headers): void {
  write(response, { status, headers, text: '' })
}
