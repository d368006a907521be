/** LM Studio as the engine sees it: its models from memory, an adapter for any of them, and a door for embeddings. */
import type { AgentAdapter, EmbeddingDoor, ModelInfo, ModelService, ModelSnapshot } from '@leuria/agent'
import { chooseModel, LM_STUDIO_URL } from '@leuria/ai-choice'
import type { Clock } from '@leuria/clock'
import {
  type ChatModel,
  createModelList,
  createOpenAiModel,
  createServedAgent,
  type ModelList,
  type ReadyFacts,
  requestEmbeddings,
  requestJson,
} from '@leuria/language-model'
import { InstanceModel } from './instance-model.js'
import { LmStudioMemory } from './lm-studio-memory.js'
import { type AskLmStudio, takeInventory } from './lm-studio-models.js'

/** Where an LM Studio is, as it was saved. */
export interface LmStudioProvider {
  id: string
  /** For people. */
  name: string
  /** With or without its version segment. */
  baseUrl: string
  /** Where its server asks for one. */
  apiKey?: string | undefined
  headers?: Readonly<Record<string, string>> | undefined
}

export interface LmStudioServiceOptions {
  /** @default the LM Studio of this computer at its usual port */
  provider?: LmStudioProvider
  clock: Clock
}

/** For one of its lists; it has three, and a whole look may not take longer than the cache allows. */
const ASK_LIMIT_MS = 3_000
/** LM Studio embeds a batch's texts one by one: more in one request gain nothing and can't be cancelled between. */
const BATCH = { maxTexts: 32, maxCharacters: 64_000 } as const

/** Close it to stop looking for models. Nothing is asked of LM Studio before somebody wants to know. */
export function createLmStudioService(options: LmStudioServiceOptions): ModelService {
  return new LmStudioService(options)
}

class LmStudioService implements ModelService {
  readonly kind = 'lmstudio'
  readonly id: string
  readonly name: string
  readonly baseUrl: string
  readonly embeddings: EmbeddingDoor
  readonly #provider: LmStudioProvider
  readonly #root: string
  readonly #list: ModelList
  readonly #memory: LmStudioMemory

  constructor(private readonly options: LmStudioServiceOptions) {
    this.#provider = options.provider ?? { id: 'lmstudio', name: 'LM Studio', baseUrl: LM_STUDIO_URL }
    this.id = this.#provider.id
    this.name = this.#provider.name
    this.#root = this.#provider.baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '')
    this.baseUrl = `${this.#root}/v1`
    const about = { ask: this.#ask, root: this.#root, serviceName: this.name, clock: options.clock }
    this.#list = createModelList({
      clock: options.clock,
      discover: async (signal) => inOrder((await takeInventory(about, signal)).models.map(({ info }) => info)),
    })
    this.#memory = new LmStudioMemory({ ...about, onChange: () => void this.#list.refresh() })
    this.embeddings = {
      ...BATCH,
      embed: ({ model, texts }, signal) => requestEmbeddings({ ...this.#reach(), model, texts, signal }),
    }
  }

  models(): ModelSnapshot {
    return this.#list.snapshot()
  }

  refresh(): Promise<ModelSnapshot> {
    return this.#list.refresh()
  }

  subscribe(listener: (snapshot: ModelSnapshot) => void): () => void {
    return this.#list.subscribe(listener)
  }

  openAgent(model?: string): AgentAdapter {
    return createServedAgent({
      service: this,
      ...(model === undefined ? {} : { model }),
      list: this.#list,
      choose: (models, wanted) => chooseModel({ fixed: wanted, models })?.model ?? null,
      advise: (missing) => `Download ${missing === null ? 'one' : 'it'} in LM Studio.`,
      prepare: (info, signal) => this.#memory.prepare(info, signal),
      make: (info, facts) => this.#make(info, facts),
    })
  }

  close(): void {
    this.#list.close()
    this.#memory.close()
  }

  #make(info: ModelInfo, facts: ReadyFacts): ChatModel {
    const known = { ...(info.images === undefined ? {} : { images: info.images }), ...facts }
    return new InstanceModel(
      () => this.#memory.instanceOf(info.id),
      (instance) => createOpenAiModel({ ...this.#reach(), model: instance, facts: known }),
    )
  }

  /** What every way of asking it has in common. */
  #reach() {
    const { apiKey, headers } = this.#provider
    return {
      baseUrl: this.baseUrl,
      serviceName: this.name,
      clock: this.options.clock,
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(headers === undefined ? {} : { headers }),
    }
  }

  readonly #ask: AskLmStudio = (path, { body, signal, limitMs = ASK_LIMIT_MS }) =>
    requestJson({ ...this.#reach(), url: `${this.#root}${path}`, body, signal, limitMs })
}

/** Loaded ones first: LM Studio lists by name, and what is loaded is what the visitor uses. */
function inOrder(models: readonly ModelInfo[]): ModelInfo[] {
  return [...models].sort((a, b) => Number(b.loaded === true) - Number(a.loaded === true))
}
