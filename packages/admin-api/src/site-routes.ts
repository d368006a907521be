/** `/admin/sites`: the connected sites, without anything secret, and taking a connection back. */
import type { AdminSite, Grant } from '@leuria/protocol'
import { type AdminParts, originIn, saved } from './admin-parts.js'
import type { AdminRoute } from './admin-route.js'

/** What the app may know of a grant: everything but its token's hash and this engine's own marks. */
function showSite({ tokenHash: _hash, uncollected: _mark, ...grant }: Grant): AdminSite {
  return grant
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
