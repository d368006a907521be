/** `/session/*` (Sessions, Stream events): thin doors to the session manager. */
import { prepareBody, promptBody } from '@leuria/protocol'
import type { Owner, SessionManager } from '@leuria/session-manager'
import type { RelayChannel } from '@leuria/webmcp-relay'
import type { Budget } from '../budget.js'
import { responseSink } from '../http/event-sink.js'
import { json } from '../http/reply.js'
import { ownerOf, type Route, route } from '../http/route.js'

/** A POST that has no body: path segment → what it does. */
function actionRoute(name: string, act: (owner: Owner, id: string) => unknown): Route {
  return {
    method: 'POST',
    path: `/session/:id/${name}`,
    access: 'paired',
    body: 'none',
    handle: ({ caller, params }) => json(200, act(ownerOf(caller), params.id ?? '')),
  }
}

function streamRoute(sessions: SessionManager<RelayChannel>): Route {
  return {
    method: 'GET',
    path: '/session/:id/stream',
    access: 'paired',
    body: 'none',
    handle({ caller, params, query, request, response, cors }) {
      const lastEventId = query.get('lastEventId') ?? request.headers['last-event-id']
      const stop = sessions.stream(ownerOf(caller), params.id ?? '', {
        sink: responseSink(response, cors),
        ...(typeof lastEventId === 'string' ? { lastEventId } : {}),
      })
      response.once('close', stop)
      return { kind: 'taken' }
    },
  }
}

export function sessionRoutes(sessions: SessionManager<RelayChannel>, budget: Budget): Route[] {
  return [
    route({
      method: 'POST',
      path: '/session/prepare',
      access: 'paired',
      body: prepareBody,
      handle({ caller, body }) {
        const owner = ownerOf(caller)
        budget.requireSession(owner)
        const { id: sessionId, status, registrationToken, webmcpUrl } = sessions.prepare(owner, body)
        return json(201, { sessionId, status, registrationToken, webmcpUrl })
      },
    }),
    route({
      method: 'POST',
      path: '/session/:id/prompt',
      access: 'paired',
      body: promptBody,
      handle({ caller, params, body }) {
        const [owner, id] = [ownerOf(caller), params.id ?? '']
        budget.requireTurn(owner, id, 'prompt')
        return json(200, sessions.prompt(owner, id, body))
      },
    }),
    actionRoute('approve', (owner, id) => {
      budget.requireTurn(owner, id, 'approve')
      return sessions.approve(owner, id)
    }),
    actionRoute('cancel-turn', (owner, id) => sessions.cancelTurn(owner, id)),
    actionRoute('cancel', (owner, id) => sessions.cancel(owner, id)),
    actionRoute('close', (owner, id) => sessions.closeSession(owner, id)),
    streamRoute(sessions),
    {
      method: 'GET',
      path: '/session/:id',
      access: 'paired',
      body: 'none',
      handle: ({ caller, params }) => json(200, sessions.info(ownerOf(caller), params.id ?? '')),
    },
  ]
}
