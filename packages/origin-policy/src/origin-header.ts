/**
 * Reads the value of an `Origin` header, more strictly than a link's `origin`: a browser sends scheme, host and port
 * and nothing else (RFC 6454 §6.2), so a path, a list or a blank is not an origin.
 */
import { type Origin, parseOrigin } from '@leuria/protocol'

const SERIALIZED = /^https?:\/\/[^/?#\\@\s]+$/i

/** Recent headers, so that a page's every request doesn't parse a URL again. Only text in, text out: nothing is decided here. */
const recent = new Map<string, Origin | null>()
/** Enough for the sites a person has open at once; beyond it the memory starts over. */
const MAX_RECENT = 256
/** Longer headers aren't kept, in characters: a host name has at most 253 (RFC 1035). */
const MAX_KEPT_LENGTH = 300

/** The origin in normal form; `null`: not an http(s) origin (`null`, an extension's, a list, anything malformed). */
export function parseOriginHeader(value: string): Origin | null {
  const known = recent.get(value)
  if (known !== undefined) return known
  const origin = SERIALIZED.test(value) ? parseOrigin(value) : null
  if (value.length <= MAX_KEPT_LENGTH) {
    if (recent.size >= MAX_RECENT) recent.clear()
    recent.set(value, origin)
  }
  return origin
}
