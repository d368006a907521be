/** The ways a visitor could go: each AI with each of its models, judged one by one. */
import type { Needs } from '@leuria/protocol'
import { isChatModel } from './default-model.js'
import type { ModelTraits } from './model-traits.js'
import { modelName } from './plain-name.js'
import { type Cost, judge, type Judgement } from './verdict.js'

/** One AI of the visitor. */
export interface FitCandidate {
  /** `llm:ollama`, `claude-acp`. */
  readonly id: string
  /** For people: "Ollama". */
  readonly name: string
  /** An agent has tools and images and costs a plan; a service's models say for themselves. The demo AI is never recommended. */
  readonly kind: 'agent' | 'llm' | 'demo'
  /** It is the visitor's default AI. */
  readonly isDefault?: boolean
  /** The model the visitor uses it with now. */
  readonly currentModel?: string
  /** For `llm`: what its own models cost. Of a free service, models that run elsewhere cost a plan. @default 'free' */
  readonly cost?: Cost
  /** Its models, as far as they are known; embedding models don't count. */
  readonly models?: readonly ModelTraits[]
}

/** An AI with one of its models, or as it is. */
export interface FitOption extends Judgement {
  ai: FitCandidate
  /** `null`: the AI chooses by itself. */
  model: ModelTraits | null
  /** The model's, for people. */
  modelName: string | null
  cost: Cost
}

export function optionsOf(ai: FitCandidate, needs: Needs): FitOption[] {
  const models = (ai.models ?? []).filter(isChatModel)
  // A service without a model can't answer; an agent needs none named.
  if (models.length === 0) return ai.kind === 'llm' ? [] : [option(ai, null, needs)]
  return models.map((model) => option(ai, model, needs))
}

/** What an AI costs, with this model. */
export function costOf(ai: FitCandidate, model: ModelTraits | null): Cost {
  if (ai.kind === 'demo') return 'free'
  if (ai.kind === 'agent') return 'plan'
  const own = ai.cost ?? 'free'
  return own === 'free' && model?.local === false ? 'plan' : own
}

/** Agents bring tools and images along, whatever model they use. */
export function abilitiesOf(ai: FitCandidate, model: ModelTraits | null): { tools?: boolean; images?: boolean } {
  if (ai.kind === 'agent') return { tools: true, images: true }
  if (ai.kind === 'demo') return { tools: true, images: false }
  return { tools: model?.tools, images: model?.images }
}

function option(ai: FitCandidate, model: ModelTraits | null, needs: Needs): FitOption {
  const cost = costOf(ai, model)
  const traits = { ...(model ?? { id: ai.id }), ...abilitiesOf(ai, model) }
  return {
    ai,
    model,
    modelName: model === null ? null : (model.name ?? modelName(model.id)),
    cost,
    ...(ai.kind === 'demo' ? judgeDemo(needs) : judge(traits, needs, cost)),
  }
}

/** It has no model: it calls tools by the words of a question, and that is all. */
function judgeDemo({ images, effort }: Needs): Judgement {
  const missing = [
    ...(images === true ? ["it can't see images"] : []),
    ...(effort === 'standard' || effort === 'deep' ? ['it has no model to think with'] : []),
  ]
  return { verdict: missing.length > 0 ? 'short' : 'fits', missing }
}
