/**
 * LM Studio on a real socket, as far as its clients look at it: its native lists (v1 and v0), loading and unloading,
 * and its OpenAI endpoints, which say what a test scripted. Shapes as of LM Studio 0.4, its older habits as switches.
 */
import { type EmbeddingQuirk, ScriptedEmbeddings } from './scripted-embeddings.js'
import {
  type NativeReply,
  type NativeRequest,
  type ScriptedModelServer,
  scriptedModelServer,
  type ScriptedModelServerOptions,
} from './scripted-model-server.js'

export interface ScriptedLmStudioModel {
  key: string
  /** @default 'llm' */
  type?: 'llm' | 'embedding'
  /** @default the key */
  displayName?: string
  /** @default false */
  vision?: boolean
  /** @default true */
  tools?: boolean
  /** @default 32768 */
  maxContext?: number
  /** The context it gets when loaded. @default 4096 */
  loadedContext?: number
  /** @default '7B' */
  params?: string | null
  /** The ids of its loaded instances. @default none */
  instances?: readonly string[]
}

/** Every switch, and what it stands for. */
export const LM_STUDIO_QUIRKS = {
  no_v1: 'no /api/v1 (before 0.4)',
  no_v0: 'no /api/v0 (before 0.3.6)',
  list_stalls: 'no list ever comes',
  broken_entries: 'lists hold entries that are none',
  load_fails: 'a model does not fit into memory',
  load_stalls: 'loading never ends by itself',
  no_jit: 'a model that is not loaded is not loaded by a chat',
} as const satisfies Record<string, string>
export type LmStudioQuirk = keyof typeof LM_STUDIO_QUIRKS

export interface ScriptedLmStudioOptions extends Omit<ScriptedModelServerOptions, 'models' | 'routes'> {
  models?: readonly ScriptedLmStudioModel[]
  lmStudio?: Partial<Record<LmStudioQuirk, boolean>>
  embedding?: Partial<Record<EmbeddingQuirk, boolean>>
}

/** A request to load a model. */
export interface LmStudioLoad {
  model: string
  /** Ends the loading, when the switch `load_stalls` keeps it waiting. */
  finish(): void
  hungUp: boolean
}

export interface ScriptedLmStudio extends ScriptedModelServer {
  /** What it has; may be changed at any time. */
  inventory: ScriptedLmStudioModel[]
  /** May be changed between requests. */
  lmStudio: Partial<Record<LmStudioQuirk, boolean>>
  readonly embeddings: ScriptedEmbeddings
  readonly loads: readonly LmStudioLoad[]
  /** Ids of unloaded instances, in order. */
  readonly unloads: readonly string[]
  /** Resolves with load number `count` (1-based). */
  load(count: number): Promise<LmStudioLoad>
}

const fieldOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined

class LmStudio {
  lmStudio: Partial<Record<LmStudioQuirk, boolean>>
  inventory: ScriptedLmStudioModel[]
  readonly loads: LmStudioLoad[] = []
  readonly unloads: string[] = []
  readonly embeddings: ScriptedEmbeddings
  readonly #waiting: { count: number; resolve: (load: LmStudioLoad) => void }[] = []

  constructor(options: ScriptedLmStudioOptions) {
    this.lmStudio = options.lmStudio ?? {}
    this.inventory = [...(options.models ?? [{ key: 'qwen/qwen3-4b' }])]
    this.embeddings = new ScriptedEmbeddings(
      () => this.inventory.flatMap(({ key, instances = [] }) => [key, ...instances]),
      options.embedding,
    )
  }

  load(count: number): Promise<LmStudioLoad> {
    const load = this.loads[count - 1]
    return load === undefined ? new Promise((resolve) => this.#waiting.push({ count, resolve })) : Promise.resolve(load)
  }

  route(request: NativeRequest): NativeReply | null | Promise<NativeReply> {
    const { path, method } = request
    if (path.startsWith('/api/v1/')) return this.lmStudio.no_v1 === true ? unexpected(request) : this.#native(request)
    if (path === '/api/v0/models' && this.lmStudio.no_v0 !== true) return this.#lists({ data: this.#v0() })
    if (path === '/v1/models') {
      return this.#lists({ data: this.inventory.map(({ key }) => ({ id: key, object: 'model', owned_by: 'me' })) })
    }
    if (path === '/v1/embeddings') return this.embeddings.answer(request)
    return path === '/v1/chat/completions' && method === 'POST' ? this.#beforeChat(request.body) : unexpected(request)
  }

  /** `null`: the script answers. */
  #beforeChat(body: unknown): NativeReply | null {
    const id = String(fieldOf(body, 'model'))
    if (this.inventory.some(({ instances = [] }) => instances.includes(id))) return null
    const known = this.inventory.find(({ key }) => key === id)
    if (known === undefined || this.lmStudio.no_jit === true) {
      return { status: 404, body: { error: { message: `Model not found: "${id}"`, type: 'invalid_request_error' } } }
    }
    this.#addInstance(id)
    return null
  }

  #native(request: NativeRequest): NativeReply | Promise<NativeReply> {
    switch (`${request.method} ${request.path}`) {
      case 'GET /api/v1/models':
        return this.#lists({ models: this.#v1() })
      case 'POST /api/v1/models/load':
        return this.#load(request)
      case 'POST /api/v1/models/unload':
        return this.#unload(String(fieldOf(request.body, 'instance_id')))
      default:
        return unexpected(request)
    }
  }

  #lists(body: Record<string, unknown[]>): NativeReply {
    if (this.lmStudio.list_stalls === true) return 'stall'
    if (this.lmStudio.broken_entries !== true) return { body }
    return {
      body: Object.fromEntries(
        Object.entries(body).map(([key, list]) => [key, [null, 3, { key: 4 }, { id: [] }, ...list]]),
      ),
    }
  }

  #v1(): unknown[] {
    return this.inventory.map((model) => ({
      type: model.type ?? 'llm',
      publisher: 'someone',
      key: model.key,
      display_name: model.displayName ?? model.key,
      quantization: { name: 'Q4_K_M', bits_per_weight: 4 },
      size_bytes: 2_500_000_000,
      params_string: model.params === undefined ? '7B' : model.params,
      loaded_instances: (model.instances ?? []).map((id) => ({
        id,
        config: { context_length: model.loadedContext ?? 4_096 },
      })),
      max_context_length: model.maxContext ?? 32_768,
      format: 'gguf',
      ...(model.type === 'embedding'
        ? {}
        : { capabilities: { vision: model.vision ?? false, trained_for_tool_use: model.tools ?? true } }),
    }))
  }

  #v0(): unknown[] {
    return this.inventory.map((model) => {
      const loaded = (model.instances ?? []).length > 0
      return {
        id: model.key,
        object: 'model',
        type: model.type === 'embedding' ? 'embeddings' : model.vision === true ? 'vlm' : 'llm',
        publisher: 'someone',
        arch: 'qwen3',
        compatibility_type: 'gguf',
        quantization: 'Q4_K_M',
        state: loaded ? 'loaded' : 'not-loaded',
        max_context_length: model.maxContext ?? 32_768,
        ...(loaded ? { loaded_context_length: model.loadedContext ?? 4_096 } : {}),
        ...(model.tools === false || model.type === 'embedding' ? {} : { capabilities: ['tool_use'] }),
      }
    })
  }

  /** Each load makes an instance, also of a model that is loaded already. */
  async #load({ body, closed }: NativeRequest): Promise<NativeReply> {
    const key = String(fieldOf(body, 'model'))
    let finish = (): void => undefined
    const finished = new Promise<'finished'>((resolve) => {
      finish = () => {
        resolve('finished')
      }
    })
    const load: LmStudioLoad = { model: key, finish, hungUp: false }
    this.loads.push(load)
    for (const { count, resolve } of this.#waiting) if (this.loads.length === count) resolve(load)
    if (this.lmStudio.load_fails === true) {
      return {
        status: 500,
        body: { error: { type: 'internal_error', message: 'Failed to load model: insufficient memory' } },
      }
    }
    if (this.lmStudio.load_stalls !== true) finish()
    load.hungUp = (await Promise.race([finished, closed.then(() => 'closed' as const)])) === 'closed'
    if (load.hungUp) return 'drop'
    const id = this.#addInstance(key)
    return { body: { type: 'llm', instance_id: id, load_time_seconds: 1.5, status: 'loaded' } }
  }

  #addInstance(key: string): string {
    const others = this.inventory.find((model) => model.key === key)?.instances ?? []
    const id = others.length === 0 ? key : `${key}:${others.length + 1}`
    this.inventory = this.inventory.map((model) =>
      model.key === key ? { ...model, instances: [...others, id] } : model,
    )
    return id
  }

  #unload(id: string): NativeReply {
    this.unloads.push(id)
    this.inventory = this.inventory.map((model) => ({
      ...model,
      instances: (model.instances ?? []).filter((instance) => instance !== id),
    }))
    return { body: { instance_id: id } }
  }
}

/** LM Studio answers what it doesn't know with status 200. */
const unexpected = ({ method, path }: NativeRequest): NativeReply => ({
  body: { error: `Unexpected endpoint or method. (${method} ${path})` },
})

/** Starts a server. `close` it when the test is over. */
export async function scriptedLmStudio(options: ScriptedLmStudioOptions = {}): Promise<ScriptedLmStudio> {
  const { models: _models, lmStudio: _lmStudio, embedding: _embedding, ...common } = options
  const state = new LmStudio(options)
  const server = await scriptedModelServer({ ...common, routes: (request) => state.route(request) })
  return Object.defineProperties(server, {
    inventory: { get: () => state.inventory, set: (models: ScriptedLmStudioModel[]) => (state.inventory = models) },
    lmStudio: { get: () => state.lmStudio, set: (quirks: typeof state.lmStudio) => (state.lmStudio = quirks) },
    embeddings: { value: state.embeddings },
    loads: { value: state.loads },
    unloads: { value: state.unloads },
    load: { value: (count: number) => state.load(count) },
  }) as ScriptedLmStudio
}
