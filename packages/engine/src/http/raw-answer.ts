/** A small answer as bytes, for sockets that have no response object: refused upgrades, and what is no HTTP. */
import { STATUS_CODES } from 'node:http'

/** @param error `null`: a zero-length answer without a content type */
export function rawAnswer(status: number, error: string | null): string {
  const body = error === null ? '' : JSON.stringify({ error })
  const type = error === null ? '' : 'content-type: application/json\r\n'
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nconnection: close\r\n${type}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}
