/**
 * `POST /embed` behind the route (Embeddings): which model of this computer turns texts into vectors, and the doing of it.
 * Who may ask is decided before.
 */
import { AgentError, type EmbeddingVector, type ModelService } from '@leuria/agent'
import { type EmbedKind, EngineError } from '@leuria/protocol'
import { cutText } from './cut-text.js'
import { embedTexts, TextRefused } from './embed-texts.js'
import {
  type EmbeddingChoice,
  type EmbeddingModel,
  isEligible,
  pickEmbedder,
  usableEmbedders,
  type UsableEmbedder,
} from './embedding-choice.js'
import { taskPrefix } from './task-prefix.js'
import { vectorsToJson } from './vectors-json.js'

export interface EmbeddingsOptions {
  /** All services, in the visitor's order; those that don't count are left out here. Asked at each use. */
  services: () => readonly ModelService[]
  /** The visitor's choice. Asked at each use: a change takes effect at once. */
  choice: () => EmbeddingChoice
}

/** A model that could be chosen. */
export interface ListedEmbedder extends EmbeddingModel {
  /** `null`: its service doesn't say. */
  loaded: boolean | null
}

export interface EmbedRequest {
  texts: readonly string[]
  /** @default 'document' */
  kind?: EmbedKind
}

export interface Embeddings {
  /** The model that a request would get, from memory: waits for nothing (Health, `embed`). */
  current(): EmbeddingModel | undefined
  /** What could be chosen, from memory. */
  models(): ListedEmbedder[]
  /** Looks for models now. Never rejects. */
  refresh(): Promise<void>
  /**
   * One vector for each text, in order. Aborting `signal` (the page left) stops the work at once and rejects.
   * @throws EngineError `no_embedder` (503), `embedder_failed` (502)
   */
  embed(request: EmbedRequest, signal: AbortSignal): Promise<{ model: string; vectors: readonly (readonly number[])[] }>
  /** The same, as JSON in UTF-8: for who only passes it on, at a fraction of the work. */
  embedToJson(request: EmbedRequest, signal: AbortSignal): Promise<Uint8Array>
}

/** Holds nothing open; the services' caches are their own. */
export function createEmbeddings(options: EmbeddingsOptions): Embeddings {
  return new LocalEmbeddings(options)
}

class LocalEmbeddings implements Embeddings {
  constructor(private readonly options: EmbeddingsOptions) {}

  current(): EmbeddingModel | undefined {
    const embedder = this.#pick()
    return embedder === undefined ? undefined : { provider: embedder.provider, model: embedder.model }
  }

  models(): ListedEmbedder[] {
    return usableEmbedders(this.options.services()).map(({ provider, model, info }) => {
      return { provider, model, loaded: info.loaded ?? null }
    })
  }

  async refresh(): Promise<void> {
    await Promise.all(
      this.options
        .services()
        .filter(isEligible)
        .map((service) => service.refresh()),
    )
  }

  async embed(request: EmbedRequest, signal: AbortSignal) {
    const { model, vectors } = await this.#embed(request, signal)
    return { model, vectors: vectors.map(({ numbers }) => numbers) }
  }

  async embedToJson(request: EmbedRequest, signal: AbortSignal): Promise<Uint8Array> {
    const { model, vectors } = await this.#embed(request, signal)
    return vectorsToJson(model, vectors)
  }

  async #embed(
    request: EmbedRequest,
    signal: AbortSignal,
  ): Promise<{ model: string; vectors: readonly EmbeddingVector[] }> {
    const embedder = await this.#find(signal)
    const { model, service } = embedder
    if (service.embeddings === undefined) throw noEmbedder(this.options.choice())
    const prefix = taskPrefix(model, request.kind ?? 'document')
    const texts = request.texts.map((text) => prefix + cutText(text))
    try {
      return { model, vectors: await embedTexts({ door: service.embeddings, model, texts, signal }) }
    } catch (error) {
      // What is known of the service may be why: the next one to ask finds it out.
      void service.refresh()
      throw signal.aborted ? stopped(error) : failure(error, texts.length)
    }
  }

  #pick(): UsableEmbedder | undefined {
    return pickEmbedder(this.options.choice(), this.options.services())
  }

  /** From memory; only when there is none, it is looked for. */
  async #find(signal: AbortSignal): Promise<UsableEmbedder> {
    const known = this.#pick()
    if (known !== undefined) return known
    if (this.options.choice() !== 'off') await Promise.race([this.refresh(), left(signal)])
    if (signal.aborted) throw stopped(signal.reason)
    const found = this.#pick()
    if (found === undefined) throw noEmbedder(this.options.choice())
    return found
  }
}

function noEmbedder(choice: EmbeddingChoice): EngineError {
  if (choice === 'off') return new EngineError('no_embedder', 'Embeddings are turned off.')
  const words =
    choice === 'auto'
      ? 'No embedding model was found in LM Studio or Ollama on this computer.'
      : `The chosen embedding model ${choice.model} isn't available in ${choice.provider} on this computer.`
  return new EngineError('no_embedder', words)
}

function failure(error: unknown, count: number): EngineError {
  if (error instanceof TextRefused) {
    const which = `Text ${error.at + 1} of ${count}`
    return new EngineError('embedder_failed', `${which} could not be embedded: ${error.message}`, { cause: error })
  }
  // Anything else that is thrown is a fault of ours, and not the service's to answer for.
  if (!(error instanceof AgentError)) throw error
  return new EngineError('embedder_failed', `Embedding failed: ${error.message}`, { cause: error })
}

const stopped = (cause: unknown): EngineError =>
  new EngineError('embedder_failed', 'The request was stopped before its texts were embedded.', { cause })

/** Resolves when the caller leaves. */
function left(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else
      signal.addEventListener(
        'abort',
        () => {
          resolve()
        },
        { once: true },
      )
  })
}
