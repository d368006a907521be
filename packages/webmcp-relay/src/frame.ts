/** A WebSocket frame → a JSON object, or words for the page's developer. Never throws. */
import type { RawData } from 'ws'

export type Frame = { ok: true; value: object } | { ok: false; error: string }

export function readFrame(data: RawData, isBinary: boolean): Frame {
  if (isBinary || !Buffer.isBuffer(data)) return { ok: false, error: 'Send JSON in text frames, not binary ones.' }
  let value: unknown
  try {
    value = JSON.parse(data.toString('utf8'))
  } catch {
    return { ok: false, error: 'This frame is not JSON.' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { ok: false, error: 'A message must be a JSON object with a "type".' }
  return { ok: true, value }
}
