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
  addressNative,
  type NativeAddress,
  type NativeProvider,
} from '@leuria/language-model'
import { InstanceModel } from './instance-model.js'
import { LmStudioMemory } from './lm-studio-memory.js'
import { type AskLmStudio, takeInventory } from './lm-studio-models.js'

/** Where an LM Studio is, as it was saved. */
export type LmStudioProvider = NativeProvider

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
  readonly #address: NativeAddress
  readonly #list: ModelList
  readonly #memory: LmStudioMemory

  constructor(options: LmStudioServiceOptions) {
    const provider = options.provider ?? { id: 'lmstudio', name: 'LM Studio', baseUrl: LM_STUDIO_URL }
    this.id = provider.id
    this.name = provider.name
    this.#address = addressNative(provider, options.clock)
    this.baseUrl = this.#address.baseUrl
    const about = { ask: this.#ask, root: this.#address.root, serviceName: this.name, clock: options.clock }
    this.#list = createModelList({
      clock: options.clock,
      discover: async (signal) => inOrder((await takeInventory(about, signal)).models.map(({ info }) => info)),
    })
    this.#memory = new LmStudioMemory({ ...about, onChange: () => void this.#list.refresh() })
    this.embeddings = {
      ...BATCH,
      embed: ({ model, texts }, signal) => requestEmbeddings({ ...this.#address.reach, model, texts, signal }),
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
      (instance) => createOpenAiModel({ ...this.#address.reach, model: instance, facts: known }),
    )
  }

  readonly #ask: AskLmStudio = (path, { body, signal, limitMs = ASK_LIMIT_MS }) =>
    requestJson({ ...this.#address.reach, url: `${this.#address.root}${path}`, body, signal, limitMs })
}

/** Loaded ones first: LM Studio lists by name, and what is loaded is what the visitor uses. */
function inOrder(models: readonly ModelInfo[]): ModelInfo[] {
  return [...models].sort((a, b) => Number(b.loaded === true) - Number(a.loaded === true))
}
