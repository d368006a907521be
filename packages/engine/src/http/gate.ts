/** What the gate's pure rules need to know about the world: grants, named origins, this engine, a request's token. */
import type { IncomingMessage } from 'node:http'
import type { AuditSink } from '@leuria/agent'
import type { GrantStore } from '@leuria/grant-store'
import type { Caller, EngineFacts, RequestFacts, SiteFacts } from '@leuria/origin-policy'
import { type Origin, parseOrigin } from '@leuria/protocol'

export interface Gate {
  facts(request: IncomingMessage, upgrade: boolean): RequestFacts
  readonly site: SiteFacts
  engine(): EngineFacts
  /** The request's bearer token is the one its caller needs: a site's grant token, anyone else's admin token. */
  proven(caller: Caller, request: IncomingMessage): boolean
  /**
   * Tells the log of a refused request, if its Origin is one that the visitor connected: strangers' would only fill it.
   * Looks at the header itself, since the gate refuses some before it knows a caller. Other statuses are no refusals.
   */
  reportRefusal(request: IncomingMessage, status: number): void
}

export interface GateOptions {
  grants: GrantStore
  /** True while a link or a question names the origin. */
  named: (origin: Origin) => boolean
  engine: () => EngineFacts
  /** Always false where there is no admin API. Compares in constant time. */
  isAdminToken(token: string): boolean
  audit: AuditSink
}

/** Who asks may not have it; everything else is about what was asked. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403])

/** The token of `Authorization: Bearer <token>`; the scheme's case doesn't matter (RFC 9110 §11.1). */
export function bearerToken(request: IncomingMessage): string | null {
  const header = request.headers.authorization
  if (header === undefined) return null
  return /^bearer ([^\s]+)$/i.exec(header)?.[1] ?? null
}

export function createGate(options: GateOptions): Gate {
  const { grants, audit } = options
  return {
    facts: (request, upgrade) => ({
      method: request.method ?? '',
      target: request.url ?? '',
      rawHeaders: request.rawHeaders,
      upgrade,
    }),
    site: { granted: (origin) => grants.has(origin), named: options.named },
    engine: options.engine,
    proven(caller, request) {
      const token = bearerToken(request)
      if (token === null) return false
      return caller.kind === 'site' ? grants.verify(caller.origin, token) : options.isAdminToken(token)
    },
    reportRefusal(request, status) {
      if (!REFUSALS.has(status)) return
      const origin = parseOrigin(request.headers.origin ?? '')
      if (origin === null || !grants.has(origin)) return
      const path = (request.url ?? '').split('?', 1)[0] ?? ''
      audit.record({ kind: 'request_refused', origin, method: request.method ?? '', path, status })
    },
  }
}
