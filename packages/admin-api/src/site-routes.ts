/** `/admin/sites`: the connected sites, without anything secret, and taking a connection back. */
import { type AdminSite, EngineError, type Grant, type Origin, parseOrigin } from '@leuria/protocol'
import { type AdminParts, saved } from './admin-parts.js'
import type { AdminRoute } from './admin-route.js'

/** What the app may know of a grant: everything but its token's hash and this engine's own marks. */
function showSite({ tokenHash: _hash, uncollected: _mark, ...grant }: Grant): AdminSite {
  return grant
}

/** @throws EngineError `bad_request` when the query names no site */
function originIn(query: URLSearchParams): Origin {
  const origin = parseOrigin(query.get('origin') ?? '')
  if (origin === null) throw new EngineError('bad_request', 'origin must be the http(s) origin of a site')
  return origin
}

export function siteRoutes(parts: AdminParts): AdminRoute[] {
  return [
    {
      method: 'GET',
      path: '/admin/sites',
      body: 'none',
      handle: () => ({ status: 200, body: { sites: parts.grants.list().map(showSite) } }),
    },
    {
      method: 'DELETE',
      path: '/admin/sites',
      body: 'none',
      handle: async ({ query }) => ({
        status: 200,
        body: { removed: await saved(parts.grants.revoke(originIn(query))) },
      }),
    },
  ]
}
