/** `/connect/*` (Pairing): the page's claim, and the engine's own approval page with its files. */
import type { GrantStore } from '@leuria/grant-store'
import { type Pairing, refusalError } from '@leuria/pairing'
import { claimBody, decideBody, EngineError } from '@leuria/protocol'
import type { AgentSource } from '../agents/agent-source.js'
import { APPROVAL_HEADERS, renderApproval, renderGone } from '../approval-page/approval-page.js'
import { APPROVAL_SCRIPT } from '../approval-page/approval-script.js'
import { APPROVAL_ICON, APPROVAL_STYLE } from '../approval-page/approval-style.js'
import { goneSignal } from '../http/gone-signal.js'
import { json, type Reply } from '../http/reply.js'
import { type Route, route } from '../http/route.js'

export interface ConnectOptions {
  pairing: Pairing
  agents: AgentSource
  grants: GrantStore
}

function claimRoute({ pairing }: ConnectOptions): Route {
  return route({
    method: 'POST',
    path: '/connect/claim',
    access: 'claim',
    body: claimBody,
    async handle({ caller, body, response }) {
      if (caller.kind !== 'site') throw new EngineError('bad_request', 'Pairing has to come from a web page.')
      const claim = await pairing.claim({ origin: caller.origin, ...body, signal: goneSignal(response) })
      if (claim.kind === 'refused') throw refusalError(claim)
      if (claim.kind !== 'allowed') return json(200, { status: claim.kind })
      return json(200, { status: 'allowed', token: claim.token }, (delivered) => {
        if (delivered) claim.delivered()
        else claim.lost()
      })
    },
  })
}

function questionRoute({ pairing, agents, grants }: ConnectOptions): Route {
  return {
    method: 'GET',
    path: '/connect/:id',
    access: 'approval',
    body: 'none',
    handle({ params, query }): Reply {
      const id = params.id ?? ''
      const question = pairing.question(id)
      if (question === null) return { kind: 'html', status: 404, html: renderGone(), headers: APPROVAL_HEADERS }
      const html = renderApproval({
        requestId: id,
        origin: question.origin,
        app: question.app,
        needs: question.needs,
        agentName: agents.nameFor(grants.get(question.origin)),
        mayDecide: pairing.isKey(id, query.get('key') ?? ''),
      })
      return { kind: 'html', status: 200, html, headers: APPROVAL_HEADERS }
    },
  }
}

function decideRoute({ pairing }: ConnectOptions): Route {
  return route({
    method: 'POST',
    path: '/connect/:id/decide',
    access: 'answer',
    body: decideBody,
    async handle({ params, body }) {
      const key = typeof body.key === 'string' ? body.key : ''
      const decided = await pairing.decide({ requestId: params.id ?? '', allow: body.allow === true, key })
      if (decided.kind === 'refused') throw refusalError(decided)
      return json(200, { decision: decided.decision, origin: decided.origin })
    },
  })
}

/** A file of the approval page. */
function assetRoute(name: string, type: string, text: string): Route {
  return {
    method: 'GET',
    path: `/connect/${name}`,
    access: 'approval',
    body: 'none',
    handle: () => ({ kind: 'asset', type, text }),
  }
}

export function connectRoutes(options: ConnectOptions): Route[] {
  return [
    claimRoute(options),
    assetRoute('approval.js', 'text/javascript; charset=utf-8', APPROVAL_SCRIPT),
    assetRoute('approval.css', 'text/css; charset=utf-8', APPROVAL_STYLE),
    assetRoute('icon.svg', 'image/svg+xml', APPROVAL_ICON),
    questionRoute(options),
    decideRoute(options),
    {
      method: 'GET',
      path: '/connect/:id/state',
      access: 'approval',
      body: 'none',
      handle({ params }) {
        const decision = options.pairing.decision(params.id ?? '')
        if (decision === null) throw new EngineError('not_found', 'No such pairing request.')
        return json(200, { decision })
      },
    },
  ]
}
