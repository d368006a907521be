/** `/admin/providers`: saved AI services. Each is tried before it is saved; keys and headers go in and never out. */
import { listModels, normalizeBaseUrl } from '@leuria/agent-openai'
import type { Clock } from '@leuria/clock'
import { adminProviderBody, EngineError, type Provider, slugOf } from '@leuria/protocol'
import type { AdminParts } from './admin-parts.js'
import { adminRoute, type AdminRoute } from './admin-route.js'
import { chatModels } from './visitor-ais.js'
import { saved } from './saved.js'

/** A person waits for the answer, and a far service may be slow. */
const TRY_LIMIT_MS = 8_000

function showProvider(parts: AdminParts, { id, kind, name, baseUrl, apiKey, headers }: Provider): object {
  const ai = parts.ais.list().find((one) => one.service?.id === id)
  return {
    id,
    kind,
    name,
    baseUrl,
    hasApiKey: apiKey !== undefined,
    hasHeaders: headers !== undefined,
    running: ai?.usable ?? false,
    models: ai === undefined ? [] : chatModels(ai).map((model) => model.id),
    ...(ai?.problem === undefined ? {} : { error: ai.problem }),
  }
}

/** What was typed, as it would be saved. A key and headers that were saved stay, but only for the address they were given for. */
function readProvider(
  { id, name, baseUrl: typed, apiKey }: { id?: string; name: string; baseUrl: string; apiKey?: string },
  before: readonly Provider[],
): Provider {
  const slug = slugOf(id ?? name)
  if (slug === null) throw new EngineError('bad_request', 'name must have some letters or digits from a to z')
  const baseUrl = normalizeBaseUrl(typed)
  if (baseUrl === null) throw new EngineError('bad_request', 'baseUrl must be an http(s) address')
  const known = before.find((one) => one.id === slug && one.baseUrl === baseUrl)
  const key = apiKey ?? known?.apiKey
  return {
    ...known,
    id: slug,
    kind: slug === 'ollama' || slug === 'lmstudio' ? slug : 'openai',
    name: name.trim(),
    baseUrl,
    ...(key === undefined ? {} : { apiKey: key }),
  }
}

/** @throws EngineError `invalid_provider` with why it can't be used */
async function tryProvider(provider: Provider, clock: Clock): Promise<string[]> {
  const listing = await listModels(provider, { clock, limitMs: TRY_LIMIT_MS })
  if (!listing.ok) throw new EngineError('invalid_provider', listing.error.message, { cause: listing.error })
  return (listing.models ?? []).filter(({ type }) => type === 'chat').map(({ id }) => id)
}

function addRoute(parts: AdminParts): AdminRoute {
  return adminRoute({
    method: 'POST',
    path: '/admin/providers',
    body: adminProviderBody,
    async handle({ body }) {
      const provider = readProvider(body, parts.providers.value.providers)
      const models = await tryProvider(provider, parts.clock)
      await saved(
        parts.providers.update((file) => ({
          ...file,
          providers: [...file.providers.filter(({ id }) => id !== provider.id), provider],
        })),
      )
      const { id, name, baseUrl } = provider
      return { status: 200, body: { id, name, baseUrl, models } }
    },
  })
}

export function providerRoutes(parts: AdminParts): AdminRoute[] {
  return [
    {
      method: 'GET',
      path: '/admin/providers',
      body: 'none',
      async handle() {
        await parts.ais.refresh()
        const providers = parts.providers.value.providers.map((provider) => showProvider(parts, provider))
        return { status: 200, body: { providers } }
      },
    },
    addRoute(parts),
    {
      method: 'DELETE',
      path: '/admin/providers',
      body: 'none',
      async handle({ query }) {
        const wanted = query.get('id') ?? ''
        let removed = false
        await saved(
          parts.providers.update((file) => {
            removed = file.providers.some(({ id }) => id === wanted)
            return removed ? { ...file, providers: file.providers.filter(({ id }) => id !== wanted) } : file
          }),
        )
        return { status: 200, body: { removed } }
      },
    },
  ]
}
