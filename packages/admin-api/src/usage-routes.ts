/** `/admin/limits` and `/admin/usage`: what the visitor allows each site, and what the sites have used by day. */
import { adminLimitsBody, EngineError } from '@leuria/protocol'
import type { AdminParts } from './admin-parts.js'
import { adminRoute, type AdminRoute } from './admin-route.js'
import { originIn } from './query-origin.js'
import { saved } from './saved.js'

function changeRoute(parts: AdminParts): AdminRoute {
  return adminRoute({
    method: 'POST',
    path: '/admin/limits',
    body: adminLimitsBody,
    async handle({ body: { origin, ...change } }) {
      // A limit for a site that isn't there would be a typing mistake that looks like safety.
      if (!parts.grants.has(origin)) throw new EngineError('not_found', `${origin} is not connected.`)
      const limits = await saved(parts.usage.changeLimits(origin, change))
      return { status: 200, body: { origin, ...limits } }
    },
  })
}

export function usageRoutes(parts: AdminParts): AdminRoute[] {
  return [
    {
      method: 'GET',
      path: '/admin/limits',
      body: 'none',
      handle: () => ({ status: 200, body: { limits: parts.usage.limits() } }),
    },
    changeRoute(parts),
    {
      method: 'DELETE',
      path: '/admin/limits',
      body: 'none',
      handle: async ({ query }) => ({
        status: 200,
        body: { removed: await saved(parts.usage.clearLimits(originIn(query))) },
      }),
    },
    {
      method: 'GET',
      path: '/admin/usage',
      body: 'none',
      handle: () => ({ status: 200, body: { days: parts.usage.days() } }),
    },
  ]
}
