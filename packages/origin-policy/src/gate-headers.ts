/**
 * The few headers that tell who is calling, read from the raw list: Node joins or drops repeated ones before anyone
 * can see that there were two.
 */

export interface GateHeaders {
  /** `null`: missing, or more than one. */
  readonly host: string | null
  /** `undefined`: missing or empty. `null`: more than one. */
  readonly origin: string | null | undefined
  /** Values of `Sec-Fetch-*`; `undefined`: missing. A repeated one has the value `REPEATED`. */
  readonly fetchSite: string | undefined
  readonly fetchMode: string | undefined
  readonly fetchDest: string | undefined
  /** The request carries what only browsers send (see `isBrowserMark`). */
  readonly browser: boolean
  /**
   * It carries what every browser sends and no page's script can leave out: `Accept-Encoding` (Fetch, "forbidden
   * request-header"). To addresses that aren't trustworthy browsers send no `Sec-Fetch-*`. Many programs send it, too.
   */
  readonly maybeBrowser: boolean
}

/** Not a value that a browser sends, so that no rule accepts a header that came twice. */
const REPEATED = 'repeated'

/**
 * `Sec-Fetch-*` can't be set or removed by a page's script, and browsers send it to loopback addresses.
 * One exception: Node's own `fetch` sends `Sec-Fetch-Mode: cors`, alone, and it is what local programs use.
 * A browser never sends that one without `Sec-Fetch-Site`.
 */
function isBrowserMark(name: string, value: string): boolean {
  return name.startsWith('sec-fetch-') && !(name === 'sec-fetch-mode' && value === 'cors')
}

const ENCODING = 'accept-encoding'

/** Shortest `Sec-Fetch-*` name, in characters. */
const MIN_MARK_LENGTH = 'sec-fetch-site'.length

/** Most headers are told apart by length and first letter, without a lower-case copy of their name: this runs on every request. */
function mayMatter(name: string): boolean {
  const first = name.charCodeAt(0) | 0x20
  if (first === 0x73) return name.length >= MIN_MARK_LENGTH
  if (first === 0x61) return name.length === ENCODING.length
  return (first === 0x68 && name.length === 'host'.length) || (first === 0x6f && name.length === 'origin'.length)
}

function add(before: string | undefined, value: string): string {
  return before === undefined ? value : REPEATED
}

/** Reads Node's flat list of names and values. Never throws, whatever is in it. */
export function readGateHeaders(rawHeaders: readonly string[]): GateHeaders {
  let hosts = 0
  let host: string | null = null
  let origins = 0
  let origin: string | undefined
  let fetchSite: string | undefined
  let fetchMode: string | undefined
  let fetchDest: string | undefined
  let browser = false
  let encoding = false

  for (let at = 0; at < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at] ?? ''
    if (!mayMatter(raw)) continue
    const name = raw.toLowerCase()
    const value = rawHeaders[at + 1] ?? ''
    if (name === 'host') {
      hosts += 1
      host = value
    } else if (name === 'origin') {
      origins += 1
      origin = value
    } else if (name === ENCODING) {
      encoding = true
    } else {
      if (isBrowserMark(name, value)) browser = true
      if (name === 'sec-fetch-site') fetchSite = add(fetchSite, value)
      else if (name === 'sec-fetch-mode') fetchMode = add(fetchMode, value)
      else if (name === 'sec-fetch-dest') fetchDest = add(fetchDest, value)
    }
  }
  return {
    host: hosts === 1 ? host : null,
    origin: origins > 1 ? null : origin === '' ? undefined : origin,
    fetchSite,
    fetchMode,
    fetchDest,
    browser,
    maybeBrowser: browser || encoding,
  }
}
