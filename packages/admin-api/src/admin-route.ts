/** A route of the admin API as data. The engine puts identity, limits, parsing and error mapping around it. */
import type * as z from 'zod/mini'

export interface AdminRequest<Body> {
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  body: Body
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal
}

export interface AdminAnswer {
  status: number
  body: unknown
}

export interface AdminRoute {
  method: 'GET' | 'POST' | 'DELETE'
  /** With its `/admin/`; a segment that begins with `:` matches any value. */
  path: string
  body: z.core.$ZodType | 'none'
  /** @throws EngineError with the status that the app should see */
  handle(request: AdminRequest<unknown>): AdminAnswer | Promise<AdminAnswer>
}

/** A route whose handler knows its body's type. */
export function adminRoute<Schema extends z.core.$ZodType>(route: {
  method: AdminRoute['method']
  path: string
  body: Schema
  handle(request: AdminRequest<z.output<Schema>>): AdminAnswer | Promise<AdminAnswer>
}): AdminRoute {
  // The engine parses the body with this very schema before it calls; a list of routes can't say so in its type.
  return { ...route, handle: (request) => route.handle(request as AdminRequest<z.output<Schema>>) }
}
