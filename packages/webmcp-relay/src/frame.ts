/** A WebSocket frame → a JSON object, or words for the page's developer. Never throws. */
import { hasMoreParts } from '@leuria/protocol'
import type { RawData } from 'ws'

/** Objects and lists in one frame: a result of the largest size that an AI gets, in pieces of 16 characters. */
const MAX_FRAME_PARTS = 256 * 1024

export type Frame = { ok: true; value: object } | { ok: false; error: string }

export function readFrame(data: RawData, isBinary: boolean): Frame {
  if (isBinary || !Buffer.isBuffer(data)) return { ok: false, error: 'Send JSON in text frames, not binary ones.' }
  const text = data.toString('utf8')
  if (hasMoreParts(text, MAX_FRAME_PARTS))
    return { ok: false, error: `A frame may have at most ${MAX_FRAME_PARTS} objects and lists.` }
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
