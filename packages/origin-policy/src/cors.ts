/** The headers that let a page read an answer (Conventions, CORS). */
import { PREFLIGHT_MAX_AGE_S } from '@leuria/protocol'
import type { Caller } from './caller.js'

export type ResponseHeaders = Readonly<Record<string, string>>

const NO_HEADERS: ResponseHeaders = Object.freeze({})

/** `Last-Event-ID` is how a reader resumes an event stream (additive). */
const ALLOWED_HEADERS = 'Content-Type, Authorization, Last-Event-ID'

const PREFLIGHT: ResponseHeaders = Object.freeze({
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': ALLOWED_HEADERS,
  'access-control-max-age': String(PREFLIGHT_MAX_AGE_S),
})

/** The admin API also deletes. */
const ADMIN_PREFLIGHT: ResponseHeaders = Object.freeze({
  ...PREFLIGHT,
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
})

/** What goes on every answer to the caller, errors included. Own page and local programs need none: nothing is cross-origin there. */
export function corsHeaders(caller: Caller): ResponseHeaders {
  if (caller.kind !== 'site' && caller.kind !== 'webview') return NO_HEADERS
  return {
    'access-control-allow-origin': caller.origin,
    vary: 'Origin',
    'access-control-allow-private-network': 'true',
  }
}

/** The whole answer to a preflight request. */
export function preflightHeaders(caller: Caller): ResponseHeaders {
  return { ...corsHeaders(caller), ...(caller.kind === 'webview' ? ADMIN_PREFLIGHT : PREFLIGHT) }
}
