/** The name a site gives itself: only ever shown, never trusted. */
import { MAX_APP_NAME_LENGTH } from '@leuria/protocol'

/**
 * Control characters, line breaks and marks that turn the reading direction around: in a terminal or beside an origin
 * they could make one site look like another.
 */
const DECEPTIVE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Trimmed and cut to 80 characters (whole code points). `undefined`: nothing is left of it. */
export function cleanAppName(name: string | undefined): string | undefined {
  const readable = name?.replace(DECEPTIVE, '').trim()
  if (readable === undefined || readable === '') return undefined
  return Array.from(readable).slice(0, MAX_APP_NAME_LENGTH).join('').trimEnd()
}
