/** Public names of `@leuria/admin-api`. */
export { adminRoutes } from './admin-routes.js'
export type { AdminParts } from './admin-parts.js'
export type { AdminAnswer, AdminRequest, AdminRoute } from './admin-route.js'
export type { VisitorAi, VisitorAis } from './visitor-ais.js'
