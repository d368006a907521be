/** An OpenAI-compatible service as the engine sees it: its models from memory, an adapter for any of them, no embeddings. */
import type { ModelService } from '@leuria/agent'
import type { Clock } from '@leuria/clock'
import { createModelList } from '@leuria/language-model'
import { listModels } from './list-models.js'
import { createOpenAiAgent } from './openai-agent.js'
import type { OpenAiProvider } from './provider-entry.js'

export interface OpenAiServiceOptions {
  provider: OpenAiProvider
  clock: Clock
}

/** Close it to stop looking for models. Never used for embeddings, wherever it runs (Embeddings: by kind, not by address). */
export function createOpenAiService({ provider, clock }: OpenAiServiceOptions): ModelService {
  const list = createModelList({
    clock,
    async discover(signal) {
      const listing = await listModels(provider, { clock, signal })
      if (!listing.ok) throw listing.error
      return listing.models ?? []
    },
  })
  return {
    id: provider.id,
    kind: 'openai',
    name: provider.name,
    baseUrl: provider.baseUrl,
    models: () => list.snapshot(),
    refresh: () => list.refresh(),
    subscribe: (listener) => list.subscribe(listener),
    openAgent: (model) => createOpenAiAgent({ provider, clock, ...(model === undefined ? {} : { model }) }),
    close: () => {
      list.close()
    },
  }
}
