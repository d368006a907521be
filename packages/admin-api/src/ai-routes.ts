/** `/admin/ais`, `/admin/models`, `/admin/agent/model`, `/admin/fit`: the visitor's AIs, their models, and which suits a site. */
import { type Cost, fit, type FitCandidate } from '@leuria/ai-choice'
import { isLoopbackUrl } from '@leuria/language-model'
import { adminFitBody, adminModelBody, type AdminAi, EngineError, parseNeeds, parseAgentId } from '@leuria/protocol'
import type { AdminParts } from './admin-parts.js'
import { adminRoute, type AdminRoute } from './admin-route.js'
import { chatModels, findAi, type VisitorAi } from './visitor-ais.js'
import { saved } from './saved.js'

function showAi({ id, kind, name, default: isDefault, usable, problem, service, model, models }: VisitorAi): AdminAi {
  const info = models.find((one) => one.id === model)
  return {
    id,
    // To the app the demo AI is an agent: it has no models to choose from.
    kind: kind === 'llm' ? 'llm' : 'agent',
    name,
    default: isDefault,
    ready: usable,
    ...(problem === undefined ? {} : { problem }),
    ...(service === undefined ? {} : { provider: { id: service.id, kind: service.kind, name } }),
    ...(model === undefined ? {} : { model }),
    ...(info === undefined ? {} : { local: info.local }),
  }
}

/** The default first, usable or not; of the others only what can be used. */
function availableAis(parts: AdminParts): VisitorAi[] {
  const list = parts.ais.list()
  return [...list.filter((ai) => ai.default), ...list.filter((ai) => !ai.default && ai.usable)]
}

function modelsOf(ai: VisitorAi): object {
  if (ai.kind !== 'llm') return { agent: ai.id, models: null }
  const options = chatModels(ai)
  return { agent: ai.id, models: { ...(ai.model === undefined ? {} : { current: ai.model }), options } }
}

/** Own services cost nothing wherever they run; an API elsewhere is paid for by each answer. */
function costOf({ service }: VisitorAi): Cost {
  return service?.kind === 'openai' && !isLoopbackUrl(service.baseUrl) ? 'paid' : 'free'
}

function candidate(ai: VisitorAi): FitCandidate {
  return {
    id: ai.id,
    name: ai.name,
    kind: ai.kind,
    isDefault: ai.default,
    models: ai.models,
    ...(ai.model === undefined ? {} : { currentModel: ai.model }),
    ...(ai.kind === 'llm' ? { cost: costOf(ai) } : {}),
  }
}

function chooseModelRoute(parts: AdminParts): AdminRoute {
  return adminRoute({
    method: 'POST',
    path: '/admin/agent/model',
    body: adminModelBody,
    async handle({ body: { id, model } }) {
      const parsed = parseAgentId(id)
      if (parsed === null || parsed.kind === 'demo' || (parsed.kind === 'llm' && parsed.model !== undefined))
        throw new EngineError('bad_request', `"${id}" has no models to choose from.`)
      findAi(parts.ais, id)
      await saved(
        parts.config.update((config) => {
          const { [id]: _before, ...others } = config.models ?? {}
          return { ...config, models: model === null ? others : { ...others, [id]: model } }
        }),
      )
      return { status: 200, body: { ok: true } }
    },
  })
}

function fitRoute(parts: AdminParts): AdminRoute {
  return adminRoute({
    method: 'POST',
    path: '/admin/fit',
    body: adminFitBody,
    async handle({ body: { needs, origin } }) {
      await parts.ais.refresh()
      const known = origin === undefined ? undefined : parseNeeds(parts.grants.get(origin)?.needs)
      const usable = parts.ais.list().filter((ai) => ai.usable)
      return { status: 200, body: fit(needs ?? known, usable.map(candidate)) }
    },
  })
}

export function aiRoutes(parts: AdminParts): AdminRoute[] {
  return [
    {
      method: 'GET',
      path: '/admin/ais',
      body: 'none',
      async handle() {
        await parts.ais.refresh()
        return { status: 200, body: { ais: availableAis(parts).map(showAi) } }
      },
    },
    {
      method: 'GET',
      path: '/admin/models',
      body: 'none',
      async handle({ query }) {
        await parts.ais.refresh()
        return { status: 200, body: modelsOf(findAi(parts.ais, query.get('agent'))) }
      },
    },
    chooseModelRoute(parts),
    fitRoute(parts),
  ]
}
