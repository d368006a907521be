/**
 * Routes as data: method, path, who may call, what the body must be, and what to do.
 * Identity, limits, parsing and error mapping happen once around all of them.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Access, Caller } from '@leuria/origin-policy'
import type { Origin } from '@leuria/protocol'
import type * as z from 'zod/mini'
import type { Headers, Reply } from './reply.js'

/** What a route gets to know about its request. */
export interface RouteContext<Body> {
  caller: Caller
  /** The caller is a site and its token is right. */
  paired: boolean
  /** Values of the path's `:name` segments. */
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  body: Body
  request: IncomingMessage
  response: ServerResponse
  cors: Headers
}

export interface Route {
  method: 'GET' | 'POST' | 'DELETE'
  /** Segments; one that begins with `:` matches any value. */
  path: string
  access: Access
  /** What a POST's body must be. `raw` leaves it to the route to read. */
  body: z.core.$ZodType | 'none' | 'raw'
  handle(context: RouteContext<unknown>): Reply | Promise<Reply>
}

/** A route whose handler knows its body's type. */
export function route<Schema extends z.core.$ZodType>(definition: {
  method: Route['method']
  path: string
  access: Access
  body: Schema
  handle(context: RouteContext<z.output<Schema>>): Reply | Promise<Reply>
}): Route {
  // The body was parsed with this very schema before the handler is called; the list of routes can't say so in its type.
  return { ...definition, handle: (context) => definition.handle(context as RouteContext<z.output<Schema>>) }
}

/** Whose sessions a caller sees: a site its own, local programs those of local programs. */
export function ownerOf(caller: Caller): Origin | 'local' {
  return caller.kind === 'site' ? caller.origin : 'local'
}
