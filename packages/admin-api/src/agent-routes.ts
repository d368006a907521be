/** `/admin/status` and `/admin/agent`: what this engine is, and which AI sites get unless they have one of their own. */
import { adminAgentBody, type AdminStatus, EngineError } from '@leuria/protocol'
import { type AdminParts, saved, showQuestion } from './admin-parts.js'
import { adminRoute, type AdminRoute } from './admin-route.js'

function statusOf(parts: AdminParts): AdminStatus {
  const agent = parts.agents.default()
  const installed = parts.agents.find(agent.id)?.kind ?? null
  return {
    version: parts.version,
    port: parts.port(),
    agent: { ...agent, installed, ready: installed !== null },
    sites: parts.grants.list().length,
    pairing: parts.pairing.pending().map((question) => showQuestion(parts, question)),
  }
}

export function agentRoutes(parts: AdminParts): AdminRoute[] {
  return [
    { method: 'GET', path: '/admin/status', body: 'none', handle: () => ({ status: 200, body: statusOf(parts) }) },
    adminRoute({
      method: 'POST',
      path: '/admin/agent',
      body: adminAgentBody,
      async handle({ body: { id } }) {
        if (parts.agents.find(id) === null) throw new EngineError('not_found', `There is no AI "${id}".`)
        await saved(parts.config.update((config) => (config.agent === id ? config : { ...config, agent: id })))
        const { name } = parts.agents.default()
        return { status: 200, body: { id, name } }
      },
    }),
  ]
}
