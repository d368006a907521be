/**
 * Which caller may use which kind of route (Conventions, Callers): one table, looked up once for every request.
 * Routes only name their kind; none of them looks at identity again.
 */
import { ERROR_STATUS, type ErrorCode } from '@leuria/protocol'
import type { Caller } from './caller.js'

/** What a route declares. */
export type Access =
  /** `GET /health`. */
  | 'health'
  /** `POST /connect/claim`: asks for and collects a grant. */
  | 'claim'
  /** Reading the approval page, its files, and `GET /connect/:id/state`. */
  | 'approval'
  /** `POST /connect/:id/decide`: only the engine's own page (its one-time key is `pairing`'s to judge). */
  | 'answer'
  /** Sessions, embeddings: whatever a connected site may use. */
  | 'paired'
  /** `POST /webmcp/mcp`: for agents, never for pages. */
  | 'mcp'
  /** `/admin/*` in app mode, unknown paths under it included. */
  | 'admin'
  /** No such route: who isn't connected learns no more than on a route that exists. */
  | 'unknown'

export type Verdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly status: number; readonly code: ErrorCode; readonly error: string }

type Rule = 'yes' | 'grant_token' | 'admin_token' | 'no' | 'not_a_site'

const RULES: Record<Access, Record<Caller['kind'], Rule>> = {
  health: { site: 'yes', self: 'yes', webview: 'no', local: 'yes' },
  claim: { site: 'yes', self: 'not_a_site', webview: 'no', local: 'not_a_site' },
  approval: { site: 'no', self: 'yes', webview: 'no', local: 'yes' },
  answer: { site: 'no', self: 'yes', webview: 'no', local: 'no' },
  paired: { site: 'grant_token', self: 'no', webview: 'no', local: 'yes' },
  mcp: { site: 'no', self: 'no', webview: 'no', local: 'yes' },
  admin: { site: 'no', self: 'no', webview: 'admin_token', local: 'admin_token' },
  unknown: { site: 'grant_token', self: 'no', webview: 'no', local: 'yes' },
}

const OK: Verdict = { ok: true }

function refusal(code: ErrorCode, error: string): Verdict {
  return { ok: false, status: ERROR_STATUS[code], code, error }
}

const FORBIDDEN = refusal('forbidden', 'Forbidden')

/** A rule that isn't met. */
const REFUSALS: Record<Exclude<Rule, 'yes'>, Verdict> = {
  grant_token: refusal('not_paired', 'This site is not connected. Connect it again.'),
  admin_token: refusal('unauthorized', 'Unauthorized'),
  no: FORBIDDEN,
  not_a_site: refusal('bad_request', 'Pairing starts from a web page: this request has no web origin.'),
}

/**
 * Whether a caller may use a kind of route.
 * @param proven the request's bearer token is the one its caller needs: for a site the grant token of its origin,
 * for everyone else the admin token (always false where there is none)
 */
export function mayCall(caller: Caller, access: Access, proven: boolean): Verdict {
  const rule = RULES[access][caller.kind]
  if (rule === 'yes') return OK
  if (proven && (rule === 'grant_token' || rule === 'admin_token')) return OK
  return REFUSALS[rule]
}
