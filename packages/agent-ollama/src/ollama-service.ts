/** Ollama as the engine sees it: its models from memory, an adapter for any of them, and a door for embeddings. */
import type { AgentAdapter, EmbeddingDoor, ModelInfo, ModelService, ModelSnapshot } from '@leuria/agent'
import { chooseModel, ollamaRoot } from '@leuria/ai-choice'
import type { Clock } from '@leuria/clock'
import {
  createModelList,
  createOpenAiModel,
  createServedAgent,
  type ModelList,
  requestEmbeddings,
  requestJson,
  addressNative,
  type NativeAddress,
  type NativeProvider,
} from '@leuria/language-model'
import { OllamaMemory } from './ollama-memory.js'
import { type AskOllama, OllamaModels } from './ollama-models.js'

/** Where an Ollama is, as it was saved. */
export type OllamaProvider = NativeProvider

export interface OllamaServiceOptions {
  /** @default the Ollama of this computer: `OLLAMA_HOST`, else its usual port */
  provider?: OllamaProvider
  clock: Clock
  /** For `OLLAMA_HOST` and `OLLAMA_KEEP_ALIVE`. @default process.env */
  env?: Readonly<Record<string, string | undefined>>
  /** How long a model stays in memory after an answer, as Ollama takes it. @default 30m, or what OLLAMA_KEEP_ALIVE sets */
  keepAlive?: string
}

/** A conversation has pauses; loading a model anew in each would take longer than the answers. */
const KEEP_ALIVE = '30m'
/** For a question about its models; with their facts it is less than a whole look may take. */
const ASK_LIMIT_MS = 3_000
/** Ollama embeds a batch's texts one by one: more in one request gain nothing and can't be cancelled between. */
const BATCH = { maxTexts: 32, maxCharacters: 64_000 } as const

/** Close it to stop looking for models. Nothing is asked of Ollama before somebody wants to know. */
export function createOllamaService(options: OllamaServiceOptions): ModelService {
  return new OllamaService(options)
}

class OllamaService implements ModelService {
  readonly kind = 'ollama'
  readonly id: string
  readonly name: string
  readonly baseUrl: string
  readonly embeddings: EmbeddingDoor
  readonly #address: NativeAddress
  readonly #list: ModelList
  readonly #memory: OllamaMemory

  constructor(options: OllamaServiceOptions) {
    const { clock, env = process.env } = options
    const provider = options.provider ?? { id: 'ollama', name: 'Ollama', baseUrl: ollamaRoot(env['OLLAMA_HOST']) }
    this.id = provider.id
    this.name = provider.name
    this.#address = addressNative(provider, clock)
    this.baseUrl = this.#address.baseUrl
    const models = new OllamaModels({ ask: this.#ask, clock, root: this.#address.root, serviceName: this.name })
    this.#list = createModelList({ clock, discover: (signal) => models.discover(signal) })
    const keepAlive = options.keepAlive ?? (env['OLLAMA_KEEP_ALIVE'] === undefined ? KEEP_ALIVE : undefined)
    this.#memory = new OllamaMemory({
      ask: this.#ask,
      models,
      serviceName: this.name,
      clock,
      ...(keepAlive === undefined ? {} : { keepAlive }),
    })
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
      advise: (missing) => `Get ${missing === null ? 'one' : 'it'} with: ollama pull ${missing ?? 'llama3.2'}`,
      prepare: (info, signal) => this.#memory.prepare(info, signal),
      make: (info, facts) =>
        createOpenAiModel({ ...this.#address.reach, model: info.id, facts: { ...imagesOf(info), ...facts } }),
    })
  }

  close(): void {
    this.#list.close()
  }

  readonly #ask: AskOllama = (path, { body, signal, limitMs = ASK_LIMIT_MS }) =>
    requestJson({ ...this.#address.reach, url: `${this.#address.root}${path}`, body, signal, limitMs })
}

const imagesOf = ({ images }: ModelInfo): { images?: boolean } => (images === undefined ? {} : { images })
