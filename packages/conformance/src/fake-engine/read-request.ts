/** A request's body as the protocol has it: up to 16 MB of JSON, an empty one counts as {}. */
import type { IncomingMessage } from 'node:http'
import { INVALID_JSON_BODY, MAX_BODY_BYTES } from '@leuria/protocol'

export type ReadBody = { ok: true; body: unknown } | { ok: false; status: number; error: string }

export async function readRequest(request: IncomingMessage): Promise<ReadBody> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    // The rest is read and dropped, so that the answer arrives.
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk)
  }
  if (bytes > MAX_BODY_BYTES) return { ok: false, status: 413, error: 'The body is too large.' }
  const text = Buffer.concat(chunks).toString().trim()
  try {
    const body: unknown = text === '' ? {} : JSON.parse(text)
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
    return isObject ? { ok: true, body } : { ok: false, status: 400, error: 'The body must be an object.' }
  } catch {
    return { ok: false, status: 400, error: INVALID_JSON_BODY }
  }
}
