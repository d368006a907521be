/** The address of a model service, however a person types it, in the one form that requests are built on. */

/** `/v1`, `/v1beta`, `/api/paas/v4`: anywhere in the path. */
const VERSION_SEGMENT = /\/v\d+[a-z0-9]*(?=\/|$)/i
/** What people copy along from a service's examples. */
const ENDPOINT = /\/(chat\/completions|completions|models|embeddings|responses)$/i
/** Names that mean this computer or its own network, where nobody has a certificate. */
const LOCAL_NAME = /^(localhost|[^.]+|.*\.(local|lan|home|internal|localhost)|\d+(\.\d+){3}|\[.*\])$/i

/**
 * With scheme and version segment, without a slash at the end: `http://127.0.0.1:8080/v1`.
 * Without a scheme, names of this computer and its network get `http`, all others `https`: a key must not travel in the clear.
 * `null`: not an http(s) address, or one with a user name, a query or a fragment in it.
 */
export function normalizeBaseUrl(text: string): string | null {
  const typed = text.trim()
  if (typed === '' || /\s/.test(typed)) return null
  const url = parse(typed)
  if (url === null || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return null
  const path = url.pathname.replace(/\/+$/, '').replace(ENDPOINT, '').replace(/\/+$/, '')
  return `${url.origin}${path}${VERSION_SEGMENT.test(path) ? '' : '/v1'}`
}

function parse(typed: string): URL | null {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed)
  const full = hasScheme ? typed : `http://${typed}`
  if (!URL.canParse(full)) return null
  const url = new URL(full)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
  return hasScheme || LOCAL_NAME.test(url.hostname) ? url : new URL(`https://${typed}`)
}
