/** A WebSocket frame → a JSON object, or words for the page's developer. Never throws. */
import { hasMoreParts } from '@leuria/protocol'
import type { RawData } from 'ws'
import { MAX_JSON_PARTS } from './relay-limits.js'

export type Frame = { ok: true; value: object } | { ok: false; error: string }

export function readFrame(data: RawData, isBinary: boolean): Frame {
  if (isBinary || !Buffer.isBuffer(data)) return { ok: false, error: 'Send JSON in text frames, not binary ones.' }
  const text = data.toString('utf8')
  if (hasMoreParts(text, MAX_JSON_PARTS))
    return { ok: false, error: `A frame may have at most ${MAX_JSON_PARTS} objects and lists.` }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { ok: false, error: 'This frame is not JSON.' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { ok: false, error: 'A message must be a JSON object with a "type".' }
  return { ok: true, value }
}
