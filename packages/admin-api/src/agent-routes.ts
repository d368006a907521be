/** `/admin/status`, and getting and removing AIs: `/admin/agents`, `/admin/ais`, `/admin/agent`, `/admin/agent/reset`. */
import {
  adminAddAiBody,
  type AdminAgentList,
  adminResetBody,
  type AdminStatus,
  EngineError,
  formatModelId,
} from '@leuria/protocol'
import type { ListedAgent } from '@leuria/agent-registry'
import { addAi, isOfAi, makeDefault, readAgentId, releaseSites } from './add-ai.js'
import { type AdminParts, showQuestion } from './admin-parts.js'
import { adminRoute, type AdminRoute } from './admin-route.js'
import { chatModels, type VisitorAi } from './visitor-ais.js'
import { saved } from './saved.js'

type ListedEntry = AdminAgentList['agents'][number]

function statusOf(parts: AdminParts): AdminStatus {
  const agent = parts.agents.default()
  const installed = parts.agents.find(agent.id)?.kind ?? null
  return {
    version: parts.version,
    port: parts.port(),
    agent: { ...agent, installed, ready: installed !== null },
    sites: parts.grants.list().length,
    pairing: parts.pairing.pending().map((question) => showQuestion(parts, question)),
    warnings: [...parts.warnings()],
  }
}

function showModels(ai: VisitorAi): ListedEntry[] {
  const { service, name } = ai
  if (service === undefined) return []
  return chatModels(ai).map((model) => ({
    id: formatModelId(service.id, model.id),
    kind: 'llm',
    name: model.name,
    provider: { id: service.id, kind: service.kind, name },
    model: model.id,
    loaded: model.loaded ?? null,
    local: model.local,
    installed: 'llm',
    found: ai.usable,
    current: ai.default && ai.model === model.id,
  }))
}

function showAgent(agent: ListedAgent, defaultId: string): ListedEntry {
  const { id, name, version, description, installed, found, own, ways } = agent
  return {
    ...{ id, kind: 'agent', name, version, description },
    installed: installed?.version ?? null,
    found: found !== null || own !== null,
    installable: ways.length > 0,
    current: id === defaultId,
  }
}

async function listAgents(parts: AdminParts): Promise<AdminAgentList> {
  const [{ agents, list }] = await Promise.all([parts.setup.list(), parts.ais.refresh()])
  const defaultId = parts.agents.default().id
  return {
    agents: [...parts.ais.list().flatMap(showModels), ...agents.map((agent) => showAgent(agent, defaultId))],
    message: list.message,
  }
}

/** What of it is Leuria's: the installed versions or the visitor's own entry of an agent, a saved service. */
async function removeAi(parts: AdminParts, text: string): Promise<boolean> {
  const id = readAgentId(text)
  if (isOfAi(parts.agents.default().id, id))
    throw new EngineError('conflict', 'This is the default AI. Choose another one first.')
  await releaseSites(parts, id)
  if (id.kind === 'agent') return parts.setup.remove(id.id)
  if (id.kind === 'demo') return false
  let removed = false
  await saved(
    parts.providers.update((file) => {
      removed = file.providers.some((one) => one.id === id.provider)
      return removed ? { ...file, providers: file.providers.filter((one) => one.id !== id.provider) } : file
    }),
  )
  return removed
}

function addRoutes(parts: AdminParts): AdminRoute[] {
  const add = (path: string, isDefault: boolean): AdminRoute =>
    adminRoute({
      method: 'POST',
      path,
      body: adminAddAiBody,
      async handle({ body }) {
        const added = await addAi(parts, body.id, body.insist === true)
        if (isDefault || body.makeDefault === true) await makeDefault(parts, added.id)
        // By the name that sites see: with its model.
        return { status: 200, body: { ...added, name: parts.agents.find(added.id)?.name ?? added.name } }
      },
    })
  return [add('/admin/ais', false), add('/admin/agent', true)]
}

/** Nothing of an agent is left but what its maker's own programs keep. */
function resetRoute(parts: AdminParts): AdminRoute {
  return adminRoute({
    method: 'POST',
    path: '/admin/agent/reset',
    body: adminResetBody,
    async handle({ body }) {
      const id = readAgentId(body.id)
      if (id.kind !== 'agent') throw new EngineError('bad_request', `"${body.id}" is no agent.`)
      if ((await parts.setup.find(id.id)) === null)
        throw new EngineError('not_found', `There is no agent "${id.id}" on this computer.`)
      await parts.setup.remove(id.id)
      await parts.ais.refresh()
      parts.feed.publish({ event: 'ais' })
      return { status: 200, body: { ok: true } }
    },
  })
}

export function agentRoutes(parts: AdminParts): AdminRoute[] {
  return [
    { method: 'GET', path: '/admin/status', body: 'none', handle: () => ({ status: 200, body: statusOf(parts) }) },
    {
      method: 'GET',
      path: '/admin/agents',
      body: 'none',
      handle: async () => ({ status: 200, body: await listAgents(parts) }),
    },
    ...addRoutes(parts),
    {
      method: 'DELETE',
      path: '/admin/ais',
      body: 'none',
      async handle({ query }) {
        const removed = await removeAi(parts, query.get('id') ?? '')
        await parts.ais.refresh()
        if (removed) parts.feed.publish({ event: 'ais' })
        return { status: 200, body: { removed } }
      },
    },
    resetRoute(parts),
  ]
}
