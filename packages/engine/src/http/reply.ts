/** Writes answers: JSON, HTML, nothing. Each answer is complete in one write and is never cached. */
import type { ServerResponse } from 'node:http'
import { type EngineError, errorBody } from '@leuria/protocol'

/** Response headers by name. */
export type Headers = Readonly<Record<string, string>>

/** What a route answers with. `taken`: it writes on the response itself. */
export type Reply =
  | { kind: 'json'; status: number; body: unknown; sent?: (delivered: boolean) => void }
  | { kind: 'json_bytes'; status: number; bytes: Uint8Array }
  | { kind: 'html'; status: number; html: string; headers: Headers }
  | { kind: 'asset'; type: string; text: string }
  | { kind: 'taken' }

/** A JSON answer. `sent` learns whether the client was still there when it left. */
export function json(status: number, body: unknown, sent?: (delivered: boolean) => void): Reply {
  return { kind: 'json', status, body, ...(sent === undefined ? {} : { sent }) }
}

/** A JSON answer that is JSON already, in UTF-8. */
export function jsonBytes(status: number, bytes: Uint8Array): Reply {
  return { kind: 'json_bytes', status, bytes }
}

/** One after the other, as Node takes them: merging objects for every answer costs more than the rest of writing it. No name comes twice. */
export function listHeaders(sets: readonly Headers[]): string[] {
  const list: string[] = []
  for (const set of sets) for (const name in set) list.push(name, set[name] ?? '')
  return list
}

/** Writes a whole answer; does nothing when the client is gone. */
function write(
  response: ServerResponse,
  status: number,
  { body, headers }: { body: string | Uint8Array; headers: Headers[] },
): void {
  if (response.headersSent || response.destroyed) return
  const length = { 'content-length': String(Buffer.byteLength(body)) }
  response.writeHead(status, listHeaders([length, ...headers]))
  response.end(body)
}

const ASSET_HEADERS: Headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
const JSON_HEADERS: Headers = { 'content-type': 'application/json', ...ASSET_HEADERS }
const HTML_HEADERS: Headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }

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
    write(response, reply.status, { body: JSON.stringify(reply.body), headers: [JSON_HEADERS, cors] })
    return
  }
  if (reply.kind === 'json_bytes') {
    write(response, reply.status, { body: reply.bytes, headers: [JSON_HEADERS, cors] })
    return
  }
  if (reply.kind === 'html') {
    write(response, reply.status, { body: reply.html, headers: [HTML_HEADERS, reply.headers, cors] })
    return
  }
  write(response, 200, { body: reply.text, headers: [{ ...ASSET_HEADERS, 'content-type': reply.type }, cors] })
}

/** Writes an error as the page has it: `{ error, code? }`. */
export function sendError(response: ServerResponse, error: EngineError, cors: Headers): void {
  const retry: Headers = error.retryAfterS === undefined ? {} : { 'retry-after': String(error.retryAfterS) }
  const body = JSON.stringify(errorBody(error.code, error.message, error.retryAfterS))
  write(response, error.status, { body, headers: [JSON_HEADERS, cors, retry] })
}

/** Writes an answer without a body and without a content type. */
export function sendEmpty(response: ServerResponse, status: number, headers: Headers): void {
  write(response, status, { body: '', headers: [headers] })
}
