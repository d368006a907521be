/**
 * Brings a model into LM Studio's memory when it isn't there, and takes out again what was brought in here and is not
 * used any more. Models that the visitor loaded are left alone.
 */
import type { ModelInfo } from '@leuria/agent'
import type { CancelTimer, Clock } from '@leuria/clock'
import { type ReadyFacts, SharedWork } from '@leuria/language-model'
import { type ListedModel, readLoaded } from './lm-studio-api.js'
import { type AskLmStudio, type Inventory, takeInventory } from './lm-studio-models.js'

/** Large models on slow disks take minutes; beyond this something is wrong. */
const LOAD_LIMIT_MS = 10 * 60_000
/** How long a model that was in memory counts as being there. */
const READY_FOR_MS = 60_000
/** A model that was loaded here leaves memory when nobody used it for so long: a load by request never expires by itself. */
const IDLE_UNLOAD_MS = 30 * 60_000
/** Unloading is quick, and nobody waits for it. */
const UNLOAD_LIMIT_MS = 30_000

export interface LmStudioMemoryOptions {
  ask: AskLmStudio
  root: string
  serviceName: string
  clock: Clock
  /** Told after the memory has changed. */
  onChange: () => void
}

/** What is known of a model in memory. */
interface Seen {
  at: number
  instance?: string
  contextTokens?: number
}

export class LmStudioMemory {
  readonly #ready = new Map<string, Seen>()
  /** Instances that were loaded here, by model, each with the timer that ends it. */
  readonly #ours = new Map<string, { instance: string; cancel: CancelTimer }>()
  /** A second request would load a second copy: sessions that start together wait for one load. */
  readonly #loading = new SharedWork<void>()

  constructor(private readonly options: LmStudioMemoryOptions) {}

  /** The id by which a model answers. */
  instanceOf(model: string): string {
    return this.#ready.get(model)?.instance ?? model
  }

  /** Says when the model has to be loaded; returns what is known once it is there. @throws AgentError when it can't be */
  async *prepare(model: ModelInfo, signal: AbortSignal): AsyncGenerator<string, ReadyFacts> {
    const { id } = model
    this.#use(id)
    const seen = this.#ready.get(id)
    if (seen !== undefined && this.options.clock.now() - seen.at < READY_FOR_MS) return factsOf(seen)
    const { models, loads } = await this.#look(signal)
    const listed = models.find(({ info }) => info.id === id)
    if (listed?.info.loaded !== false) return this.#note(id, listed)
    yield `${this.options.serviceName} is loading ${model.name}. This can take a while.`
    // Without that interface the first question loads it (its "just in time" loading).
    if (!loads) return {}
    await this.#loading.join(id, signal, (own) => this.#load(id, own))
    return factsOf(this.#ready.get(id))
  }

  /** Unloads nothing; only stops waiting to. */
  close(): void {
    for (const { cancel } of this.#ours.values()) cancel()
    this.#ours.clear()
  }

  #look(signal: AbortSignal): Promise<Inventory> {
    return takeInventory(this.options, signal)
  }

  async #load(id: string, signal: AbortSignal): Promise<void> {
    const reply = await this.options.ask('/api/v1/models/load', { body: { model: id }, signal, limitMs: LOAD_LIMIT_MS })
    if (!reply.ok) throw reply.error
    const instance = readLoaded(reply.value)
    const { models } = await this.#look(signal)
    this.#note(
      id,
      models.find(({ info }) => info.id === id),
    )
    if (instance !== null) this.#ours.set(id, { instance, cancel: () => undefined })
    this.#use(id)
    this.options.onChange()
  }

  #note(id: string, listed: ListedModel | undefined): ReadyFacts {
    const contextTokens = listed?.info.contextTokens
    this.#ready.set(id, {
      at: this.options.clock.now(),
      ...(listed?.instance === undefined ? {} : { instance: listed.instance }),
      ...(contextTokens === undefined ? {} : { contextTokens }),
    })
    return factsOf(this.#ready.get(id))
  }

  /** Puts off the end of a model that was loaded here. */
  #use(id: string): void {
    const own = this.#ours.get(id)
    if (own === undefined) return
    own.cancel()
    own.cancel = this.options.clock.setTimer(IDLE_UNLOAD_MS, () => {
      this.#ours.delete(id)
      this.#ready.delete(id)
      void this.#unload(own.instance)
    })
  }

  async #unload(instance: string): Promise<void> {
    const { ask, onChange } = this.options
    const { signal } = new AbortController()
    await ask('/api/v1/models/unload', { body: { instance_id: instance }, signal, limitMs: UNLOAD_LIMIT_MS })
    onChange()
  }
}

const factsOf = (seen: Seen | undefined): ReadyFacts =>
  seen?.contextTokens === undefined ? {} : { contextTokens: seen.contextTokens }
