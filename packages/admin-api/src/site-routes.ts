/** `/admin/sites`: the connected sites, without anything secret, the AI of each, and taking a connection back. */
import {
  adminSiteAgentBody,
  adminSiteModelBody,
  type AdminSignIn,
  type AdminSite,
  EngineError,
  type Grant,
  type Origin,
} from '@leuria/protocol'
import { addAi } from './add-ai.js'
import type { AdminParts } from './admin-parts.js'
import { adminRoute, type AdminRoute } from './admin-route.js'
import { askSignIn, signInAgent } from './sign-in-status.js'
import { originIn } from './query-origin.js'
import { saved } from './saved.js'

/** What the app may know of a grant: everything but its token's hash and this engine's own marks. */
function showSite({ tokenHash: _hash, uncollected: _mark, ...grant }: Grant): AdminSite {
  return grant
}

/** @throws EngineError `not_found` for a site that isn't connected */
function grantOf(parts: AdminParts, origin: Origin): Grant {
  const grant = parts.grants.get(origin)
  if (grant === null) throw new EngineError('not_found', `${origin} is not connected.`)
  return grant
}

/** `null`: an AI without a sign-in. One that was let in when last seen isn't started to ask. */
async function signInOf(parts: AdminParts, id: string, signal: AbortSignal): Promise<AdminSignIn | null> {
  const agent = await signInAgent(parts, id)
  if (agent === null) return null
  const noted = await parts.setup.noted(agent.id)
  if (noted?.state !== 'signed_in') return askSignIn(parts, agent, signal)
  return { ok: true, detail: `${agent.name} let you in when it was last used.`, methods: [] }
}

/** An agent that isn't here is installed. Choosing the default AI takes the site's own choice back. */
function agentRoute(parts: AdminParts): AdminRoute {
  return adminRoute({
    method: 'POST',
    path: '/admin/sites/agent',
    body: adminSiteAgentBody,
    async handle({ body, signal }) {
      const { origin } = body
      grantOf(parts, origin)
      const wanted = body.agent === null ? null : (await addAi(parts, body.agent, false)).id
      const agent = wanted === parts.agents.default().id ? null : wanted
      await saved(parts.grants.choose(origin, { agent }))
      return {
        status: 200,
        body: { origin, agent, signIn: wanted === null ? null : await signInOf(parts, wanted, signal) },
      }
    },
  })
}

/** The model belongs to the AI the site has right now; with another AI it doesn't count. */
function modelRoute(parts: AdminParts): AdminRoute {
  return adminRoute({
    method: 'POST',
    path: '/admin/sites/model',
    body: adminSiteModelBody,
    async handle({ body: { origin, model } }) {
      const agent = grantOf(parts, origin).agent ?? parts.agents.default().id
      await saved(parts.grants.choose(origin, { model: model === null ? null : { agent, id: model } }))
      return { status: 200, body: { origin, agent, model } }
    },
  })
}

export function siteRoutes(parts: AdminParts): AdminRoute[] {
  return [
    {
      method: 'GET',
      path: '/admin/sites',
      body: 'none',
      handle: () => ({ status: 200, body: { sites: parts.grants.list().map(showSite) } }),
    },
    {
      method: 'DELETE',
      path: '/admin/sites',
      body: 'none',
      handle: async ({ query }) => ({
        status: 200,
        body: { removed: await saved(parts.grants.revoke(originIn(query))) },
      }),
    },
    agentRoute(parts),
    modelRoute(parts),
  ]
}
