/** Asks Ollama which models it has and what each can do; falls back to its OpenAI list where it has no interface of its own. */
import { AgentError, type ModelInfo } from '@leuria/agent'
import { modelName, parseBillions } from '@leuria/ai-choice'
import type { Clock } from '@leuria/clock'
import { isLoopbackUrl, type JsonReply, looksLikeEmbedder } from '@leuria/language-model'
import { type ModelEntry, readModelEntries, readOpenAiIds, readShownModel, type ShownModel } from './ollama-api.js'

/** Sends a request to Ollama: a path under its root, and what to post. */
export type AskOllama = (
  path: string,
  options: { body?: unknown; signal: AbortSignal; limitMs?: number },
) => Promise<JsonReply>

/** How many models are asked about at the same time. */
const SHOWS_AT_ONCE = 4
/** How long all of them may take; what isn't known by then is asked for at the next look. */
const SHOW_LIMIT_MS = 1_500

/** Families that only turn texts into vectors, for versions that don't say what a model can do. */
const EMBEDDER_FAMILY = /bert/i

/** The facts of models, kept by what they are: they never change for the same digest. */
export class OllamaModels {
  readonly #shown = new Map<string, ShownModel>()
  readonly #local: boolean

  constructor(private readonly options: { ask: AskOllama; clock: Clock; root: string; serviceName: string }) {
    this.#local = isLoopbackUrl(options.root)
  }

  /** @throws AgentError when nothing answers, or something that isn't Ollama */
  async discover(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    const { ask } = this.options
    const [tags, running] = await Promise.all([ask('/api/tags', { signal }), this.running(signal)])
    const entries = tags.ok ? readModelEntries(tags.value) : null
    if (entries === null) return this.#fromOpenAi(tags, signal)
    await this.#learn(entries, signal)
    return entries.map((entry) => this.#info(entry, running))
  }

  /** What is in memory right now, by name. `null`: it doesn't say. */
  async running(signal: AbortSignal): Promise<ReadonlyMap<string, ModelEntry> | null> {
    const reply = await this.options.ask('/api/ps', { signal })
    const entries = reply.ok ? readModelEntries(reply.value) : null
    return entries === null ? null : new Map(entries.map((entry) => [entry.name, entry]))
  }

  async #fromOpenAi(tags: JsonReply, signal: AbortSignal): Promise<ModelInfo[]> {
    if (!tags.ok && (tags.status === 0 || tags.status === 401 || tags.status === 403)) throw tags.error
    const reply = await this.options.ask('/v1/models', { signal })
    const ids = reply.ok ? readOpenAiIds(reply.value) : null
    if (ids === null) {
      throw reply.ok
        ? new AgentError('failed', `What answers at the address of ${this.options.serviceName} isn't Ollama.`)
        : reply.error
    }
    return ids.map((id) => ({
      id,
      name: modelName(id),
      type: looksLikeEmbedder(id) ? 'embedding' : 'chat',
      local: this.#local,
    }))
  }

  /** Asks about models that are new, a few at a time, as long as there is time. Never throws. */
  async #learn(entries: readonly ModelEntry[], signal: AbortSignal): Promise<void> {
    const unknown = entries.filter((entry) => !this.#shown.has(keyOf(entry)))
    const own = new AbortController()
    const stop = (): void => {
      own.abort()
    }
    const cancelTimer = this.options.clock.setTimer(SHOW_LIMIT_MS, stop)
    signal.addEventListener('abort', stop)
    const worker = async (): Promise<void> => {
      for (let next = unknown.shift(); next !== undefined && !own.signal.aborted; next = unknown.shift()) {
        await this.#show(next, own.signal)
      }
    }
    await Promise.all(Array.from({ length: SHOWS_AT_ONCE }, worker))
    cancelTimer()
    signal.removeEventListener('abort', stop)
  }

  async #show(entry: ModelEntry, signal: AbortSignal): Promise<void> {
    const reply = await this.options.ask('/api/show', { body: { model: entry.name }, signal })
    const shown = reply.ok ? readShownModel(reply.value) : null
    if (shown !== null) this.#shown.set(keyOf(entry), shown)
  }

  #info(entry: ModelEntry, running: ReadonlyMap<string, ModelEntry> | null): ModelInfo {
    const shown = this.#shown.get(keyOf(entry)) ?? {}
    const cloud = entry.remote_host !== undefined && entry.remote_host !== ''
    const loaded = running?.get(entry.name)
    const contextTokens = loaded?.context_length ?? shown.contextTokens
    const billions = parseBillions(entry.details?.parameter_size ?? '') ?? shown.billions
    return {
      id: entry.name,
      name: modelName(entry.name),
      type: isEmbedder(entry, shown) ? 'embedding' : 'chat',
      local: this.#local && !cloud,
      ...(running === null || cloud ? {} : { loaded: loaded !== undefined }),
      ...abilities(shown.capabilities),
      ...(contextTokens === undefined ? {} : { contextTokens }),
      ...(billions === undefined ? {} : { billions }),
      ...(entry.size === undefined ? {} : { sizeBytes: entry.size }),
    }
  }
}

const keyOf = ({ name, digest }: ModelEntry): string => `${name} ${digest ?? ''}`

function isEmbedder(entry: ModelEntry, { capabilities }: ShownModel): boolean {
  if (capabilities !== undefined) return capabilities.includes('embedding') && !capabilities.includes('completion')
  return EMBEDDER_FAMILY.test(entry.details?.family ?? '') || looksLikeEmbedder(entry.name)
}

function abilities(capabilities: readonly string[] | undefined): Pick<ModelInfo, 'tools' | 'images' | 'thinking'> {
  if (capabilities === undefined) return {}
  return {
    tools: capabilities.includes('tools'),
    images: capabilities.includes('vision'),
    thinking: capabilities.includes('thinking'),
  }
}
