/**
 * The one way a request takes: gate, route, identity, body, handler, answer. Nothing thrown gets past it:
 * an error that isn't an `EngineError` is logged under an id and answered with that id.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '@leuria/clock'
import { type Access, decideRequest, type GateDecision, mayCall } from '@leuria/origin-policy'
import { EngineError, parseBody } from '@leuria/protocol'
import * as z from 'zod/mini'
import type { Log } from '../log.js'
import type { Gate } from './gate.js'
import { readJson } from './read-body.js'
import { type Headers, json, type Reply, send, sendEmpty, sendError } from './reply.js'
import type { Route } from './route.js'
import type { Router } from './router.js'

export interface RequestHandlerOptions {
  gate: Gate
  router: Router
  clock: Clock
  log: Log
}

/** Routes without a body of their own take any object, so that a client may send `{}` or nothing. */
const ANY_OBJECT = z.looseObject({})

type Passed = Extract<GateDecision, { kind: 'pass' }>

/** What an unexpected error looks like to a client. */
function translate(error: unknown, log: Log): EngineError {
  if (error instanceof EngineError) return error
  const id = randomUUID()
  log.warn(`Unexpected error ${id}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return new EngineError('internal_error', `Unexpected engine error (${id}).`, { cause: error })
}

/** Answers what the gate didn't let through; the rest of such a request's body is read and dropped by Node. */
function refuse(response: ServerResponse, decision: Exclude<GateDecision, Passed>): void {
  if (decision.kind === 'cut') response.destroy()
  else if (decision.kind === 'preflight') sendEmpty(response, 204, decision.headers)
  else if (decision.error === null) sendEmpty(response, decision.status, decision.headers)
  else send(response, json(decision.status, { error: decision.error }), decision.headers)
}

async function readBody(route: Route, request: IncomingMessage, clock: Clock): Promise<unknown> {
  if (route.method !== 'POST' || route.body === 'raw') return undefined
  const value = await readJson(request, clock)
  return parseBody(route.body === 'none' ? ANY_OBJECT : route.body, value)
}

/** Where no route is: the desktop app is told so, everyone else under `/admin/` no more than on a route that exists. */
function accessWithoutRoute(path: string, mode: 'page' | 'app'): Access {
  return mode === 'app' && path.startsWith('/admin/') ? 'admin' : 'unknown'
}

/** Checks identity, then finds the route's answer. @throws EngineError for everything that isn't a success */
async function answer(
  exchange: { request: IncomingMessage; response: ServerResponse; passed: Passed },
  options: RequestHandlerOptions,
): Promise<Reply> {
  const { request, response, passed } = exchange
  const match = options.router.match(request.method ?? '', passed.path)
  const proven = options.gate.proven(passed.caller, request)
  const access = match?.route.access ?? accessWithoutRoute(passed.path, options.gate.engine().mode)
  const verdict = mayCall(passed.caller, access, proven)
  if (!verdict.ok) throw new EngineError(verdict.code, verdict.error)
  if (match === null) throw new EngineError('not_found', 'Not found')
  const body = await readBody(match.route, request, options.clock)
  return match.route.handle({
    caller: passed.caller,
    paired: proven && passed.caller.kind === 'site',
    params: match.params,
    query: passed.query,
    body,
    request,
    response,
    cors: passed.headers,
  })
}

/** The listener for a server's `request` event. Never throws and never rejects. */
export function createRequestHandler(options: RequestHandlerOptions) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let cors: Headers = {}
    try {
      const decision = decideRequest(options.gate.facts(request, false), options.gate.site, options.gate.engine())
      if (decision.kind !== 'pass') {
        if (decision.kind === 'refuse') options.gate.reportRefusal(request, decision.status)
        refuse(response, decision)
        return
      }
      cors = decision.headers
      try {
        send(response, await answer({ request, response, passed: decision }, options), cors)
      } catch (error) {
        const known = translate(error, options.log)
        options.gate.reportRefusal(request, known.status)
        sendError(response, known, cors)
      }
    } catch (error) {
      sendError(response, translate(error, options.log), cors)
    }
  }
}
