/**
 * The gate: one decision for every request and every WebSocket upgrade, before any route is looked up.
 * Host, then caller, then silence, then form, then preflight. What a caller may use is `mayCall`'s.
 */
import { ERROR_STATUS, type ErrorCode, HOST_NOT_ALLOWED, ORIGIN_NOT_ALLOWED } from '@leuria/protocol'
import { type Caller, findCaller, type Stranger } from './caller.js'
import { corsHeaders, preflightHeaders, type ResponseHeaders } from './cors.js'
import { type GateHeaders, readGateHeaders } from './gate-headers.js'
import { isOwnHost } from './own-address.js'
import type { EngineFacts, EngineMode, RequestFacts, SiteFacts } from './request-facts.js'
import { parseTarget, type RequestTarget } from './request-target.js'

export type GateDecision =
  /** Close the connection without an answer. */
  | { readonly kind: 'cut' }
  | {
      readonly kind: 'refuse'
      readonly status: number
      /** `null`: an answer of zero length and without a content type. */
      readonly error: string | null
      readonly headers: ResponseHeaders
    }
  /** 204 with these headers. */
  | { readonly kind: 'preflight'; readonly headers: ResponseHeaders }
  | {
      readonly kind: 'pass'
      readonly caller: Caller
      /** As sent: not decoded, no dots resolved. */
      readonly path: string
      readonly query: URLSearchParams
      /** To be put on whatever the answer is. */
      readonly headers: ResponseHeaders
    }

const NO_HEADERS: ResponseHeaders = Object.freeze({})
const CUT: GateDecision = { kind: 'cut' }
/** What a page sees of an engine that doesn't know it: the browser reports a failed request (Silence). */
const SILENCE: GateDecision = { kind: 'refuse', status: 403, error: null, headers: NO_HEADERS }

function refuse(code: ErrorCode, error: string, headers: ResponseHeaders = NO_HEADERS): GateDecision {
  return { kind: 'refuse', status: ERROR_STATUS[code], error, headers }
}

/** One Host, exactly one of the two forms; the authority of an absolute-form target must be the same one (RFC 9112 §3.2.2). */
function isHostAllowed(headers: GateHeaders, target: RequestTarget | null, port: number): boolean {
  if (headers.host === null || !isOwnHost(headers.host, port)) return false
  return target === null || target.authority === null || target.authority === headers.host
}

/**
 * A page under a name of its own that leads to this computer reads every answer as its own site's, and any page can tell
 * even an empty one from a closed port: in app mode whatever may be a browser gets none.
 * Any other wrong Host is told so, as the page has it.
 */
function refuseHost(headers: GateHeaders, mode: EngineMode): GateDecision {
  return mode === 'app' && headers.maybeBrowser ? CUT : refuse('forbidden', HOST_NOT_ALLOWED)
}

function refuseStranger(stranger: Stranger, mode: EngineMode): GateDecision {
  if (stranger.kind === 'browser') return mode === 'app' ? CUT : refuse('forbidden', 'Forbidden')
  return mode === 'app' ? SILENCE : refuse('forbidden', ORIGIN_NOT_ALLOWED)
}

/** In app mode a site exists for the engine only once the visitor connected it or a link named it. */
function isAnswered(caller: Caller, site: SiteFacts, mode: EngineMode): boolean {
  if (mode === 'page' || caller.kind !== 'site') return true
  return site.granted(caller.origin) || site.named(caller.origin)
}

/** A WebSocket can't carry the grant token, so the grant itself opens the door (Page tools). */
function mayUpgrade(caller: Caller, site: SiteFacts): boolean {
  if (caller.kind === 'site') return site.granted(caller.origin)
  return caller.kind === 'local'
}

/** The engine's own page has no business beyond its own paths, and that goes for preflights (Callers). */
function mayPreflight(caller: Caller, path: string): boolean {
  return caller.kind !== 'self' || path === '/health' || path.startsWith('/connect/')
}

/**
 * Decides what happens to a request before any route sees it. Pure; never throws, whatever the request holds.
 * Used alike for requests and for upgrades (`upgrade: true`).
 */
export function decideRequest(request: RequestFacts, site: SiteFacts, engine: EngineFacts): GateDecision {
  const headers = readGateHeaders(request.rawHeaders)
  const target = parseTarget(request.method, request.target)
  if (!isHostAllowed(headers, target, engine.port)) return refuseHost(headers, engine.mode)

  const caller = findCaller({ request, headers, path: target?.path ?? null, engine })
  if (caller.kind === 'browser' || caller.kind === 'bad_origin') return refuseStranger(caller, engine.mode)
  if (!isAnswered(caller, site, engine.mode)) return SILENCE

  const cors = corsHeaders(caller)
  if (target === null) return refuse('bad_request', 'Malformed request target', cors)
  if (request.upgrade && !mayUpgrade(caller, site)) return refuse('forbidden', 'Forbidden', cors)
  if (request.method === 'OPTIONS' && !request.upgrade) {
    if (!mayPreflight(caller, target.path)) return refuse('forbidden', 'Forbidden')
    return { kind: 'preflight', headers: preflightHeaders(caller) }
  }
  const query = new URLSearchParams(target.query)
  return { kind: 'pass', caller, path: target.path, query, headers: cors }
}
