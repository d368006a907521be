/** The whole admin API in one list. */
import type { AdminParts } from './admin-parts.js'
import type { AdminRoute } from './admin-route.js'
import { agentRoutes } from './agent-routes.js'
import { aiRoutes } from './ai-routes.js'
import { embeddingRoutes } from './embedding-routes.js'
import { logRoutes } from './log-route.js'
import { pairingRoutes } from './pairing-routes.js'
import { providerRoutes } from './provider-routes.js'
import { signInRoutes } from './sign-in-routes.js'
import { siteRoutes } from './site-routes.js'
import { testRoutes } from './test-route.js'
import { usageRoutes } from './usage-routes.js'

/** Every route of the admin API. Who may call them is the engine's gate's business. */
export function adminRoutes(parts: AdminParts): AdminRoute[] {
  return [
    ...agentRoutes(parts),
    ...aiRoutes(parts),
    ...embeddingRoutes(parts),
    ...providerRoutes(parts),
    ...pairingRoutes(parts),
    ...siteRoutes(parts),
    ...usageRoutes(parts),
    ...signInRoutes(parts),
    ...testRoutes(parts),
    ...logRoutes(parts),
  ]
}
