/** What the visitor chose for embeddings, and which model that comes to. Pure: takes what is known, returns what follows. */
import type { ModelInfo, ModelService } from '@leuria/agent'
import { isLoopbackUrl } from '@leuria/language-model'

/** A model of a service. */
export interface EmbeddingModel {
  /** The service's id. */
  provider: string
  model: string
}

export type EmbeddingChoice = 'auto' | 'off' | EmbeddingModel

/**
 * Reads a choice: absent is `auto`, else one of the two words or `{ provider, model }`.
 * `null`: it is none. Someone who turned embeddings off with a word we can't read must not get them: treat it as `off`.
 */
export function parseEmbeddingChoice(value: unknown): EmbeddingChoice | null {
  if (value === undefined || value === 'auto') return 'auto'
  if (value === 'off') return 'off'
  if (typeof value !== 'object' || value === null || !('provider' in value) || !('model' in value)) return null
  const { provider, model } = value
  if (typeof provider !== 'string' || typeof model !== 'string' || provider === '' || model === '') return null
  return { provider, model }
}

/** One that can be used: where it is, and what is known of it. */
export interface UsableEmbedder extends EmbeddingModel {
  service: ModelService
  info: ModelInfo
}

/** Of each service as long as it lives: neither its kind nor its address ever changes, and each `GET /health` asks. */
const eligible = new WeakMap<ModelService, boolean>()

/** Services of kind Ollama or LM Studio, and only on this computer (Embeddings: "never used … over the network"). */
export function isEligible(service: ModelService): boolean {
  const known = eligible.get(service)
  if (known !== undefined) return known
  const kind = service.kind === 'ollama' || service.kind === 'lmstudio'
  const is = kind && service.embeddings !== undefined && isLoopbackUrl(service.baseUrl)
  eligible.set(service, is)
  return is
}

function embeddersOf(service: ModelService): UsableEmbedder[] {
  const models = service.models().models.filter(({ type, local }) => type === 'embedding' && local)
  const loadedFirst = [...models].sort((a, b) => Number(b.loaded === true) - Number(a.loaded === true))
  return loadedFirst.map((info) => ({ provider: service.id, model: info.id, service, info }))
}

/** Every model that could be used, from memory: in the services' order, within one the loaded ones first. */
export function usableEmbedders(services: readonly ModelService[]): UsableEmbedder[] {
  return services.filter(isEligible).flatMap(embeddersOf)
}

/** The first one that there is: `GET /health` asks, so nothing is made that isn't needed. */
function firstUsable(services: readonly ModelService[]): UsableEmbedder | undefined {
  for (const service of services) {
    const [first] = isEligible(service) && service.models().models.length > 0 ? embeddersOf(service) : []
    if (first !== undefined) return first
  }
  return undefined
}

/** The one that was chosen, never another in its place; with `auto` the first one. `undefined`: there is none. */
export function pickEmbedder(choice: EmbeddingChoice, services: readonly ModelService[]): UsableEmbedder | undefined {
  if (choice === 'off') return undefined
  if (choice === 'auto') return firstUsable(services)
  const usable = usableEmbedders(services)
  const same = (id: string) => (embedder: UsableEmbedder) =>
    embedder.provider === choice.provider && embedder.model === id
  return usable.find(same(choice.model)) ?? usable.find(same(`${choice.model}:latest`))
}

/**
 * Finds the model a person means: `llm:ollama/nomic-embed-text`, `ollama/nomic-embed-text`, or the model's id alone.
 * `null`: none of these, or of several services.
 */
export function findEmbeddingModel(text: string, known: readonly EmbeddingModel[]): EmbeddingModel | null {
  const wanted = text.trim().replace(/^llm:/, '').toLowerCase()
  const names = ({ provider, model }: EmbeddingModel): string[] =>
    [model, model.replace(/:latest$/, '')].map((name) => `${provider}/${name}`.toLowerCase())
  const exact = known.find((entry) => names(entry).includes(wanted))
  if (exact !== undefined) return exact
  const alone = known.filter((entry) => names(entry).includes(`${entry.provider}/${wanted}`.toLowerCase()))
  const [only, ...more] = alone
  return only === undefined || more.length > 0 ? null : only
}
