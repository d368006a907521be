/**
 * Ollama on a real socket, as far as its clients look at it: models with their facts, what is in memory, loading,
 * and its OpenAI endpoints, which say what a test scripted. Shapes as of Ollama 0.12, its older habits as switches.
 */
import { type EmbeddingQuirk, ScriptedEmbeddings } from './scripted-embeddings.js'
import {
  type NativeReply,
  type NativeRequest,
  type ScriptedModelServer,
  scriptedModelServer,
  type ScriptedModelServerOptions,
} from './scripted-model-server.js'

export interface ScriptedOllamaModel {
  /** With its tag: `llama3.2:latest`. */
  name: string
  /** @default ['completion', 'tools'] */
  capabilities?: readonly string[]
  /** @default 131072 */
  contextLength?: number
  /** The context it gets when loaded. @default 4096 */
  loadedContext?: number
  /** @default '3.2B' */
  parameterSize?: string
  /** `num_ctx` of its Modelfile. */
  numCtx?: number
  /** A cloud model. */
  remoteHost?: string
  /** @default false */
  loaded?: boolean
  /** @default 'llama' */
  family?: string
}

/** Every switch, and what it stands for. */
export const OLLAMA_QUIRKS = {
  no_native: 'nothing under /api (a server that only speaks OpenAI)',
  no_capabilities: 'models have no capabilities (before 0.6)',
  no_loaded_context: 'loaded models have no context_length (before 0.11)',
  no_running_list: 'no /api/ps',
  show_fails: '/api/show answers 500',
  show_stalls: '/api/show never answers',
  list_stalls: '/api/tags never answers',
  broken_entries: 'the list holds entries that are none',
  load_fails: 'a model does not fit into memory',
  load_stalls: 'loading never ends by itself',
} as const satisfies Record<string, string>
export type OllamaQuirk = keyof typeof OLLAMA_QUIRKS

export interface ScriptedOllamaOptions extends Omit<ScriptedModelServerOptions, 'models' | 'routes'> {
  models?: readonly ScriptedOllamaModel[]
  ollama?: Partial<Record<OllamaQuirk, boolean>>
  embedding?: Partial<Record<EmbeddingQuirk, boolean>>
}

/** A request to load a model. */
export interface OllamaLoad {
  model: string
  keepAlive: unknown
  /** Ends the loading, when the switch `load_stalls` keeps it waiting. */
  finish(): void
  /** True once the caller hung up before it was loaded. */
  hungUp: boolean
}

export interface ScriptedOllama extends ScriptedModelServer {
  /** What it has; may be changed at any time. */
  inventory: ScriptedOllamaModel[]
  /** May be changed between requests. */
  ollama: Partial<Record<OllamaQuirk, boolean>>
  readonly embeddings: ScriptedEmbeddings
  readonly loads: readonly OllamaLoad[]
  /** Resolves with load number `count` (1-based). */
  load(count: number): Promise<OllamaLoad>
  /** Takes a model out of memory. */
  evict(name: string): void
}

const fieldOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined

class Ollama {
  ollama: Partial<Record<OllamaQuirk, boolean>>
  inventory: ScriptedOllamaModel[]
  readonly loads: OllamaLoad[] = []
  readonly embeddings: ScriptedEmbeddings
  readonly #waiting: { count: number; resolve: (load: OllamaLoad) => void }[] = []

  constructor(options: ScriptedOllamaOptions) {
    this.ollama = options.ollama ?? {}
    this.inventory = [...(options.models ?? [{ name: 'llama3.2:latest' }])]
    this.embeddings = new ScriptedEmbeddings(() => this.inventory.map(({ name }) => name), options.embedding)
  }

  load(count: number): Promise<OllamaLoad> {
    const load = this.loads[count - 1]
    return load === undefined ? new Promise((resolve) => this.#waiting.push({ count, resolve })) : Promise.resolve(load)
  }

  evict(name: string): void {
    this.#set(name, false)
  }

  route(request: NativeRequest): NativeReply | null | Promise<NativeReply> {
    const { path, body } = request
    if (path.startsWith('/api/')) {
      return this.ollama.no_native === true ? { status: 404, body: '404 page not found' } : this.#native(request)
    }
    if (path === '/v1/embeddings') return this.embeddings.answer(request)
    if (path === '/v1/models') {
      return { body: { object: 'list', data: this.inventory.map(({ name }) => ({ id: name, object: 'model' })) } }
    }
    return path === '/v1/chat/completions' ? this.#beforeChat(body) : null
  }

  /** `null`: the script answers. Chatting loads a model too. */
  #beforeChat(body: unknown): NativeReply | null {
    const model = this.#find(fieldOf(body, 'model'))
    if (model === undefined) return notFound(fieldOf(body, 'model'))
    if (fieldOf(body, 'tools') !== undefined && !capabilitiesOf(model).includes('tools')) {
      const message = `registry.ollama.ai/library/${model.name} does not support tools`
      return { status: 400, body: { error: { message, type: 'invalid_request_error', param: null, code: null } } }
    }
    this.#set(model.name, true)
    return null
  }

  #native(request: NativeRequest): NativeReply | Promise<NativeReply> {
    switch (`${request.method} ${request.path}`) {
      case 'GET /api/tags':
        return this.ollama.list_stalls === true ? 'stall' : { body: { models: this.#list() } }
      case 'GET /api/ps':
        return this.ollama.no_running_list === true
          ? { status: 404, body: '404' }
          : { body: { models: this.#running() } }
      case 'POST /api/show':
        return this.#show(fieldOf(request.body, 'model'))
      case 'POST /api/generate':
        return this.#generate(request)
      default:
        return { status: 404, body: '404 page not found' }
    }
  }

  #list(): unknown[] {
    const entries = this.inventory.map((model) => ({
      ...entryOf(model),
      ...(model.remoteHost === undefined ? {} : { remote_host: model.remoteHost, remote_model: model.name }),
    }))
    return this.ollama.broken_entries === true ? [null, 7, { size: 3 }, { name: 5 }, ...entries] : entries
  }

  #running(): unknown[] {
    return this.inventory
      .filter(({ loaded }) => loaded === true)
      .map((model) => ({
        ...entryOf(model),
        size_vram: 0,
        expires_at: '2026-01-01T00:30:00Z',
        ...(this.ollama.no_loaded_context === true ? {} : { context_length: model.loadedContext ?? 4_096 }),
      }))
  }

  #show(name: unknown): NativeReply {
    const model = this.#find(name)
    if (this.ollama.show_stalls === true) return 'stall'
    if (this.ollama.show_fails === true) return { status: 500, body: { error: 'could not read the model' } }
    if (model === undefined) return notFound(name)
    const family = model.family ?? 'llama'
    return {
      body: {
        parameters:
          model.numCtx === undefined ? '' : `stop                           "<|end|>"\nnum_ctx    ${model.numCtx}`,
        details: entryOf(model).details,
        model_info: {
          'general.architecture': family,
          'general.parameter_count': 3_212_749_888,
          [`${family}.context_length`]: model.contextLength ?? 131_072,
        },
        ...(this.ollama.no_capabilities === true ? {} : { capabilities: capabilitiesOf(model) }),
      },
    }
  }

  /** An empty prompt only loads the model (its manual: "Load a model"). */
  async #generate({ body, closed }: NativeRequest): Promise<NativeReply> {
    const model = this.#find(fieldOf(body, 'model'))
    if (model === undefined) return notFound(fieldOf(body, 'model'))
    let finish = (): void => undefined
    const finished = new Promise<'finished'>((resolve) => {
      finish = () => {
        resolve('finished')
      }
    })
    const load: OllamaLoad = { model: model.name, keepAlive: fieldOf(body, 'keep_alive'), finish, hungUp: false }
    this.loads.push(load)
    for (const { count, resolve } of this.#waiting) if (this.loads.length === count) resolve(load)
    if (this.ollama.load_fails === true) {
      return { status: 500, body: { error: 'model requires more system memory (9.1 GiB) than is available (3.2 GiB)' } }
    }
    if (this.ollama.load_stalls !== true) finish()
    load.hungUp = (await Promise.race([finished, closed.then(() => 'closed' as const)])) === 'closed'
    if (load.hungUp) return 'drop'
    this.#set(model.name, true)
    return {
      body: { model: model.name, created_at: '2026-01-01T00:00:00Z', response: '', done: true, done_reason: 'load' },
    }
  }

  #find(name: unknown): ScriptedOllamaModel | undefined {
    return this.inventory.find((model) => model.name === name || model.name === `${String(name)}:latest`)
  }

  #set(name: string, loaded: boolean): void {
    this.inventory = this.inventory.map((model) => (model.name === name ? { ...model, loaded } : model))
  }
}

const capabilitiesOf = (model: ScriptedOllamaModel): readonly string[] => model.capabilities ?? ['completion', 'tools']

function entryOf({ name, family = 'llama', parameterSize = '3.2B' }: ScriptedOllamaModel) {
  const details = {
    format: 'gguf',
    family,
    families: [family],
    parameter_size: parameterSize,
    quantization_level: 'Q4_K_M',
  }
  return {
    name,
    model: name,
    modified_at: '2026-01-01T00:00:00Z',
    size: 2_019_393_189,
    digest: `sha256:${name}`,
    details,
  }
}

const notFound = (name: unknown): NativeReply => ({ status: 404, body: { error: `model '${String(name)}' not found` } })

/** Starts a server. `close` it when the test is over. */
export async function scriptedOllama(options: ScriptedOllamaOptions = {}): Promise<ScriptedOllama> {
  const { models: _models, ollama: _ollama, embedding: _embedding, ...common } = options
  const state = new Ollama(options)
  const server = await scriptedModelServer({ ...common, routes: (request) => state.route(request) })
  return Object.defineProperties(server, {
    inventory: { get: () => state.inventory, set: (models: ScriptedOllamaModel[]) => (state.inventory = models) },
    ollama: { get: () => state.ollama, set: (quirks: typeof state.ollama) => (state.ollama = quirks) },
    embeddings: { value: state.embeddings },
    loads: { value: state.loads },
    load: { value: (count: number) => state.load(count) },
    evict: {
      value: (name: string) => {
        state.evict(name)
      },
    },
  }) as ScriptedOllama
}
