/**
 * Reads a request-target (RFC 9112 §3.2) without the URL parser: that one throws on `//`, decodes, and resolves dots,
 * so that the gate and the router could see different paths. Here both see the bytes that were sent.
 */

export interface RequestTarget {
  /** Begins with one slash, not decoded; `*` for `OPTIONS *`. */
  readonly path: string
  /** Without the question mark, not decoded. */
  readonly query: string
  /** Host and port of an absolute-form target; `null` for the usual form. */
  readonly authority: string | null
}

/** Visible ASCII without `#`: a fragment is never sent, anything else must be percent-encoded (RFC 3986 §2). */
const SENDABLE = /^[!"$-~]+$/
const ABSOLUTE_FORM = /^http:\/\/([^/?]+)(.*)$/i

function split(text: string, authority: string | null): RequestTarget | null {
  if (text.startsWith('//')) return null
  const mark = text.indexOf('?')
  if (mark === -1) return { path: text, query: '', authority }
  return { path: text.slice(0, mark), query: text.slice(mark + 1), authority }
}

/** `null`: malformed, or a form that only proxies serve (CONNECT, https). Never throws. */
export function parseTarget(method: string, target: string): RequestTarget | null {
  if (!SENDABLE.test(target) || method === 'CONNECT') return null
  if (target.startsWith('/')) return split(target, null)
  if (target === '*') return method === 'OPTIONS' ? { path: '*', query: '', authority: null } : null
  const [, authority, rest = ''] = ABSOLUTE_FORM.exec(target) ?? []
  if (authority === undefined) return null
  return split(rest.startsWith('/') ? rest : `/${rest}`, authority)
}
