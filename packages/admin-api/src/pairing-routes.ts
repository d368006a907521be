/** `/admin/pairing/*`: links that the system handed over, and the visitor's answers in the app's window. */
import { refusalError } from '@leuria/pairing'
import { adminAnswerBody, adminLinkBody, EngineError } from '@leuria/protocol'
import { type AdminParts, showQuestion } from './admin-parts.js'
import { adminRoute, type AdminRoute } from './admin-route.js'
import { saved } from './saved.js'

/** The AI that comes with a Yes has to exist; `null` is the default. */
function checkAgent(parts: AdminParts, agent: string | null | undefined): void {
  if (typeof agent === 'string' && parts.agents.find(agent) === null)
    throw new EngineError('not_found', `There is no AI "${agent}".`)
}

function linkRoute(parts: AdminParts): AdminRoute {
  return adminRoute({
    method: 'POST',
    path: '/admin/pairing/link',
    body: adminLinkBody,
    handle({ body }) {
      const linked = parts.pairing.link(body)
      if (linked.kind === 'refused') throw refusalError(linked)
      return { status: 201, body: { requestId: linked.requestId } }
    },
  })
}

function answerRoute(parts: AdminParts): AdminRoute {
  return adminRoute({
    method: 'POST',
    path: '/admin/pairing/:id',
    body: adminAnswerBody,
    async handle({ params, body }) {
      checkAgent(parts, body.agent)
      const decided = await saved(parts.pairing.decide({ ...body, requestId: params.id ?? '', admin: true }))
      if (decided.kind === 'refused') throw refusalError(decided)
      return { status: 200, body: { ok: true } }
    },
  })
}

export function pairingRoutes(parts: AdminParts): AdminRoute[] {
  return [
    {
      method: 'GET',
      path: '/admin/pairing',
      body: 'none',
      handle: () => ({
        status: 200,
        body: { requests: parts.pairing.pending().map((question) => showQuestion(parts, question)) },
      }),
    },
    linkRoute(parts),
    answerRoute(parts),
  ]
}
