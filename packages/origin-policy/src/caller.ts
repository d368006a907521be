/** Who a request comes from (Conventions, Callers). A missing Origin alone proves nothing: browsers leave it out, too. */
import type { Origin } from '@leuria/protocol'
import type { GateHeaders } from './gate-headers.js'
import { parseOriginHeader } from './origin-header.js'
import { isOwnOrigin } from './own-address.js'
import type { EngineFacts, RequestFacts } from './request-facts.js'

export type Caller =
  /** A web page of this origin. */
  | { readonly kind: 'site'; readonly origin: Origin }
  /** A page that this engine serves. */
  | { readonly kind: 'self' }
  /** The desktop app's window; only under `/admin/`, only in app mode. Its origin is as the browser wrote it. */
  | { readonly kind: 'webview'; readonly origin: string }
  /** A program on this computer. */
  | { readonly kind: 'local' }

/** Callers that get nothing. */
export type Stranger =
  /** A browser that sent no Origin, for something other than the engine's own page. */
  | { readonly kind: 'browser' }
  /** An Origin that isn't http(s), is malformed, or came twice. */
  | { readonly kind: 'bad_origin' }

/** What the desktop app's window sends as its Origin: by the system, the first or one of the others. */
const WEBVIEW_SCHEME_ORIGIN = 'tauri://localhost'
const WEBVIEW_HTTP_ORIGINS: ReadonlySet<string> = new Set(['http://tauri.localhost', 'https://tauri.localhost'])

/** The approval page, and no other path: `/connect/<id>`. */
const APPROVAL_PATH = /^\/connect\/[\w-]+$/
const SELF: Caller = { kind: 'self' }
const LOCAL: Caller = { kind: 'local' }
const BROWSER: Stranger = { kind: 'browser' }
const BAD_ORIGIN: Stranger = { kind: 'bad_origin' }

export interface CallerFacts {
  readonly request: RequestFacts
  readonly headers: GateHeaders
  /** `null`: the target is malformed. */
  readonly path: string | null
  readonly engine: EngineFacts
}

/** A person's browser opens the approval page: as a whole page, not in a frame, and by reading only. */
function opensApprovalPage({ request, headers, path }: CallerFacts): boolean {
  if (request.method !== 'GET' || request.upgrade || path === null) return false
  return headers.fetchMode === 'navigate' && headers.fetchDest === 'document' && APPROVAL_PATH.test(path)
}

/**
 * Without an Origin: a program, or a browser that reads for the engine's own page.
 * In app mode the engine serves no page, so a browser there is always a stranger.
 */
function findCallerWithoutOrigin(facts: CallerFacts): Caller | Stranger {
  const { headers, engine } = facts
  if (!headers.browser) return LOCAL
  if (engine.mode === 'app') return BROWSER
  if (headers.fetchMode === 'navigate') return opensApprovalPage(facts) ? SELF : BROWSER
  return headers.fetchSite === 'same-origin' ? SELF : BROWSER
}

function findCallerByOrigin(value: string, { path, engine }: CallerFacts): Caller | Stranger {
  const origin = parseOriginHeader(value)
  if (engine.mode === 'app' && path?.startsWith('/admin/') === true) {
    if (value === WEBVIEW_SCHEME_ORIGIN) return { kind: 'webview', origin: value }
    if (origin !== null && WEBVIEW_HTTP_ORIGINS.has(origin)) return { kind: 'webview', origin }
  }
  if (origin === null) return BAD_ORIGIN
  return isOwnOrigin(origin, engine.port) ? SELF : { kind: 'site', origin }
}

/** Tells who is calling. Says nothing about what they may do. */
export function findCaller(facts: CallerFacts): Caller | Stranger {
  const { origin } = facts.headers
  if (origin === undefined) return findCallerWithoutOrigin(facts)
  return origin === null ? BAD_ORIGIN : findCallerByOrigin(origin, facts)
}
