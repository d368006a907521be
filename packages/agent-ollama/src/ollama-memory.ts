/** Brings a model into Ollama's memory and keeps it there while a conversation lasts. */
import type { ModelInfo } from '@leuria/agent'
import type { Clock } from '@leuria/clock'
import { type ReadyFacts, SharedWork } from '@leuria/language-model'
import type { AskOllama, OllamaModels } from './ollama-models.js'

/** Large models on slow disks take minutes; beyond this something is wrong. */
const LOAD_LIMIT_MS = 10 * 60_000
/** How long a model that was in memory counts as being there. Ollama may take it out for another one at any time. */
const READY_FOR_MS = 60_000
/** Answers that only say "not this way": the chat itself will show whether the model works. */
const PASSABLE = new Set([400, 404, 405, 501])

export interface OllamaMemoryOptions {
  ask: AskOllama
  models: OllamaModels
  serviceName: string
  clock: Clock
  /** As Ollama takes it: "30m", "-1", "0". Absent: Ollama's own setting. */
  keepAlive?: string
}

export class OllamaMemory {
  /** When a model was last seen in memory, and its context there. */
  readonly #ready = new Map<string, { at: number; contextTokens?: number }>()
  /** Sessions that start together wait for one and the same load. */
  readonly #loading = new SharedWork<void>()

  constructor(private readonly options: OllamaMemoryOptions) {}

  /** Says when the model has to be loaded; returns what is known once it is there. @throws AgentError when it can't be */
  async *prepare(model: ModelInfo, signal: AbortSignal): AsyncGenerator<string, ReadyFacts> {
    if (!model.local && model.loaded === undefined) return {}
    const seen = this.#ready.get(model.id)
    if (seen !== undefined && this.options.clock.now() - seen.at < READY_FOR_MS) return factsOf(seen.contextTokens)
    const running = await this.options.models.running(signal)
    if (running !== null && !running.has(model.id)) {
      yield `${this.options.serviceName} is loading ${model.name}. This can take a while.`
    }
    await this.#loading.join(model.id, signal, (own) => this.#load(model.id, own))
    return factsOf(this.#ready.get(model.id)?.contextTokens)
  }

  /** A prompt-less request loads the model, and says how long it shall stay (Ollama's manual, "Load a model"). */
  async #load(id: string, signal: AbortSignal): Promise<void> {
    const { ask, models, keepAlive, clock } = this.options
    const body = { model: id, stream: false, ...(keepAlive === undefined ? {} : { keep_alive: keepAlive }) }
    const reply = await ask('/api/generate', { body, signal, limitMs: LOAD_LIMIT_MS })
    if (!reply.ok && !PASSABLE.has(reply.status)) throw reply.error
    const contextTokens = (await models.running(signal))?.get(id)?.context_length
    this.#ready.set(id, { at: clock.now(), ...(contextTokens === undefined ? {} : { contextTokens }) })
  }
}

const factsOf = (contextTokens: number | undefined): ReadyFacts =>
  contextTokens === undefined ? {} : { contextTokens }
