/** Services of models on real sockets, and embeddings on top of them, for this package's tests. */
import type { ModelService } from '@leuria/agent'
import { createLmStudioService } from '@leuria/agent-lmstudio'
import { createOllamaService } from '@leuria/agent-ollama'
import { createOpenAiService } from '@leuria/agent-openai'
import { type Clock, systemClock } from '@leuria/clock'
import {
  type ScriptedLmStudio,
  scriptedLmStudio,
  type ScriptedLmStudioOptions,
  scriptedModelServer,
  type ScriptedOllama,
  scriptedOllama,
  type ScriptedOllamaOptions,
} from '@leuria/testing'
import { createEmbeddings, type EmbeddingChoice, type Embeddings } from './index.js'

export const NOMIC = 'text-embedding-nomic-embed-text-v1.5'

export class EmbeddingsStage {
  readonly services: ModelService[] = []
  choice: EmbeddingChoice = 'auto'
  clock: Clock = systemClock
  readonly embeddings: Embeddings = createEmbeddings({ services: () => this.services, choice: () => this.choice })
  readonly #undo: (() => Promise<void> | void)[] = []

  async ollama(models: ScriptedOllamaOptions['models'], more: ScriptedOllamaOptions = {}): Promise<ScriptedOllama> {
    const server = await scriptedOllama({ models, ...more })
    this.#undo.push(() => server.close())
    this.add(
      createOllamaService({
        provider: { id: 'ollama', name: 'Ollama', baseUrl: server.url },
        clock: this.clock,
        env: {},
      }),
    )
    return server
  }

  async lmStudio(
    models: ScriptedLmStudioOptions['models'],
    more: ScriptedLmStudioOptions = {},
  ): Promise<ScriptedLmStudio> {
    const server = await scriptedLmStudio({ models, ...more })
    this.#undo.push(() => server.close())
    this.add(
      createLmStudioService({
        provider: { id: 'lmstudio', name: 'LM Studio', baseUrl: server.url },
        clock: this.clock,
      }),
    )
    return server
  }

  /** An OpenAI-compatible provider with an embedding model. */
  async openAi() {
    const server = await scriptedModelServer({ models: [{ id: 'text-embedding-3-small', type: 'embedding' }] })
    this.#undo.push(() => server.close())
    this.add(createOpenAiService({ provider: { id: 'api', name: 'API', baseUrl: server.url }, clock: this.clock }))
    return server
  }

  add(service: ModelService): void {
    this.services.push(service)
    this.#undo.push(() => {
      service.close()
    })
  }

  async close(): Promise<void> {
    for (const undo of this.#undo.splice(0).reverse()) await undo()
  }
}

/** An embedding model of Ollama's. */
export const embedder = (name: string, more: { loaded?: boolean; remoteHost?: string } = {}) => ({
  name,
  capabilities: ['embedding'],
  ...more,
})

/** A signal that nobody aborts. */
export const nobody = (): AbortSignal => new AbortController().signal
