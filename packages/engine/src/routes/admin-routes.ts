/** Puts the admin API behind the gate: app mode only, the app's own callers, the admin token. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { type AdminParts, type AdminRoute, adminRoutes, type EventFeed } from '@leuria/admin-api'
import { responseSink } from '../http/event-sink.js'
import { goneSignal } from '../http/gone-signal.js'
import { json } from '../http/reply.js'
import type { Route } from '../http/route.js'

function toRoute(admin: AdminRoute): Route {
  return {
    method: admin.method,
    path: admin.path,
    access: 'admin',
    body: admin.body,
    async handle(context) {
      const answer = await admin.handle({ ...context, signal: goneSignal(context.response) })
      return json(answer.status, answer.body)
    },
  }
}

/** The window's feed. Like a session's stream it takes the last id as a header or in the query. */
function eventsRoute(feed: EventFeed): Route {
  return {
    method: 'GET',
    path: '/admin/events',
    access: 'admin',
    body: 'none',
    handle({ query, request, response, cors }) {
      const lastEventId = query.get('lastEventId') ?? request.headers['last-event-id']
      const stop = feed.stream(responseSink(response, cors), typeof lastEventId === 'string' ? lastEventId : undefined)
      response.once('close', stop)
      return { kind: 'taken' }
    },
  }
}

export function adminApiRoutes(parts: AdminParts): Route[] {
  return [...adminRoutes(parts).map(toRoute), eventsRoute(parts.feed)]
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
