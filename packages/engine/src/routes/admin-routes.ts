/** Puts the admin API behind the gate: app mode only, the app's own callers, the admin token. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { type AdminParts, type AdminRoute, adminRoutes } from '@leuria/admin-api'
import { json } from '../http/reply.js'
import type { Route } from '../http/route.js'

function toRoute(admin: AdminRoute): Route {
  return {
    method: admin.method,
    path: admin.path,
    access: 'admin',
    body: admin.body,
    async handle(context) {
      const answer = await admin.handle(context)
      return json(answer.status, answer.body)
    },
  }
}

export function adminApiRoutes(parts: AdminParts): Route[] {
  return adminRoutes(parts).map(toRoute)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Compares with the engine's admin token in constant time. Without one, no token is right. */
export function adminTokenCheck(adminToken: string | undefined): (token: string) => boolean {
  if (adminToken === undefined) return () => false
  const expected = digest(adminToken)
  return (token) => timingSafeEqual(digest(token), expected)
}
