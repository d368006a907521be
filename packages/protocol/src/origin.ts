/** Web origins in one normal form: the identity that every rule, grant and session goes by. */

/** A web origin: `scheme://host[:port]`, lower case, default port left out (RFC 6454 §6.2). */
export type Origin = string & { readonly __brand: 'Origin' }

/** Longest origin that is looked at, in characters: a host name has at most 253 (RFC 1035), scheme and port come on top. */
const MAX_ORIGIN_LENGTH = 300

/** A page sends the same text with every request, and reading it is a good part of what a small one costs. */
const read = new Map<string, Origin>()
/** More than sites talk at once; strangers' texts must not fill memory. */
const MAX_READ = 100

function readOrigin(text: string): Origin | null {
  if (text.length > MAX_ORIGIN_LENGTH || !URL.canParse(text)) return null
  const { protocol, origin, username, password } = new URL(text)
  if (username !== '' || password !== '') return null
  return protocol === 'https:' || protocol === 'http:' ? (origin.toLowerCase() as Origin) : null
}

/**
 * Reads an `Origin` header or a link's `origin`.
 * `null`: not an http(s) origin. A missing header is the caller's case, never this one.
 * A path, query or fragment is dropped; user names and passwords are refused.
 */
export function parseOrigin(text: string): Origin | null {
  const known = read.get(text)
  if (known !== undefined) return known
  const origin = readOrigin(text)
  if (origin === null) return null
  if (read.size >= MAX_READ) read.clear()
  read.set(text, origin)
  return origin
}
