/** `/admin/embeddings`: which model on this computer turns sites' texts into vectors. */
import { adminEmbeddingsBody } from '@leuria/protocol'
import type { AdminParts } from './admin-parts.js'
import { adminRoute, type AdminRoute } from './admin-route.js'
import { saved } from './saved.js'

export function embeddingRoutes(parts: AdminParts): AdminRoute[] {
  const { embeddings, config } = parts
  return [
    {
      method: 'GET',
      path: '/admin/embeddings',
      body: 'none',
      async handle() {
        await embeddings.refresh()
        const body = {
          choice: embeddings.choice(),
          current: embeddings.current() ?? null,
          models: embeddings.models(),
        }
        return { status: 200, body }
      },
    },
    adminRoute({
      method: 'POST',
      path: '/admin/embeddings',
      body: adminEmbeddingsBody,
      async handle({ body: { choice } }) {
        await saved(config.update((before) => ({ ...before, embed: choice })))
        return { status: 200, body: { choice } }
      },
    }),
  ]
}
