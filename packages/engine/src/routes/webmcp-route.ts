/** `POST /webmcp/mcp` (Page tools, The AI's side): local programs only, by the gate; the token is the relay's to judge. */
import type { Clock } from '@leuria/clock'
import type { Relay } from '@leuria/webmcp-relay'
import { readText } from '../http/read-body.js'
import type { Route } from '../http/route.js'

function mcpRoute(method: Route['method'], options: { relay: Relay; clock: Clock }): Route {
  return {
    method,
    path: '/webmcp/mcp',
    access: 'mcp',
    body: 'raw',
    async handle({ request, response }) {
      const body = method === 'POST' ? await readText(request, options.clock) : ''
      await options.relay.handleMcp(request, response, body)
      return { kind: 'taken' }
    },
  }
}

/** GET and DELETE belong to the transport too (MCP, Streamable HTTP): the relay says what they may do. */
export function webmcpRoutes(options: { relay: Relay; clock: Clock }): Route[] {
  return [mcpRoute('POST', options), mcpRoute('GET', options), mcpRoute('DELETE', options)]
}
