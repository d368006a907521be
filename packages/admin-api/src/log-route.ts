/** `/admin/log`: the visitor's log in pages, newest first. Reading the files is the engine's business. */
import { EngineError, MAX_LOG_PAGE } from '@leuria/protocol'
import type { AdminParts } from './admin-parts.js'
import type { AdminRoute } from './admin-route.js'
import { originIn } from './query-origin.js'

/** A screen or two. */
const DEFAULT_PAGE = 50

function limitIn(query: URLSearchParams): number {
  const text = query.get('limit')
  if (text === null) return DEFAULT_PAGE
  const limit = Number(text)
  if (!/^\d{1,3}$/.test(text) || limit < 1 || limit > MAX_LOG_PAGE)
    throw new EngineError('bad_request', `limit must be a whole number from 1 to ${MAX_LOG_PAGE}`)
  return limit
}

export function logRoutes(parts: AdminParts): AdminRoute[] {
  return [
    {
      method: 'GET',
      path: '/admin/log',
      body: 'none',
      async handle({ query }) {
        const before = query.get('before')
        const page = await parts.readLog({
          limit: limitIn(query),
          ...(query.has('origin') ? { origin: originIn(query) } : {}),
          ...(before === null ? {} : { before }),
        })
        if (page === null) throw new EngineError('bad_request', 'before must be the id of an entry')
        return { status: 200, body: page }
      },
    },
  ]
}
