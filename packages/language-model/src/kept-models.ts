/**
 * What is kept of a service's list of models: whoever answers at its address wrote it, and it is compared, shown and sent
 * to the window again and again. Pure.
 */
import type { ModelInfo } from '@leuria/agent'

/** The largest service that sells others' models lists some hundreds. */
export const MAX_MODELS = 2_000
/** As long as an id in a setting may be: a longer one could not be chosen. */
const MAX_ID_LENGTH = 200
/** Control characters and marks that turn the reading direction around: no model's id, but a way to look like another's. */
const DECEPTIVE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

function isReadable(text: string): boolean {
  return text.length <= MAX_ID_LENGTH && !DECEPTIVE.test(text)
}

/** The first 2,000 models, each once, whose ids can be read and chosen; a name that can't be read is replaced by the id. */
export function keepModels(models: Iterable<ModelInfo>): ModelInfo[] {
  const kept = new Map<string, ModelInfo>()
  for (const model of models) {
    if (kept.size >= MAX_MODELS) break
    if (!isReadable(model.id) || kept.has(model.id)) continue
    kept.set(model.id, isReadable(model.name) ? model : { ...model, name: model.id })
  }
  return [...kept.values()]
}
