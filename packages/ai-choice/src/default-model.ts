/** Which model of a service answers when several could: the order of the rules, and nothing else. */
import type { ModelTraits } from './model-traits.js'

export interface ModelQuestion {
  /** The model in the AI's own id: `llm:ollama/llama3.2`. */
  fixed?: string | undefined
  /** The one the visitor chose for the site, together with this AI. */
  site?: string | undefined
  /** The one the visitor chose for this AI. */
  configured?: string | undefined
  /** What the service has, in its order. */
  models: readonly ModelTraits[]
}

/** Which rule named it. */
export type ModelReason = 'fixed' | 'site' | 'configured' | 'loaded' | 'local' | 'first'

/**
 * Fixed, else the site's, else the configured one, whether the service has it or not: a choice is never replaced in
 * silence. Else the first that is loaded, else the first on this computer, else the first. `null`: there is no chat model.
 */
export function chooseModel(question: ModelQuestion): { model: string; reason: ModelReason } | null {
  const { fixed, site, configured } = question
  for (const [reason, model] of Object.entries({ fixed, site, configured }) as [ModelReason, string | undefined][]) {
    if (model !== undefined && model !== '') return { model, reason }
  }
  const models = question.models.filter(isChatModel)
  const loaded = models.find((model) => model.loaded === true)
  if (loaded !== undefined) return { model: loaded.id, reason: 'loaded' }
  const local = models.find((model) => model.local !== false)
  if (local !== undefined) return { model: local.id, reason: 'local' }
  const first = models[0]
  return first === undefined ? null : { model: first.id, reason: 'first' }
}

export function isChatModel(model: ModelTraits): boolean {
  return model.type !== 'embedding'
}
