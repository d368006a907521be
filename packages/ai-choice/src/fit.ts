/**
 * Which of the visitor's AIs suits what a site needs: a verdict for each, and the cheapest that is enough.
 * Guidance only: needs never change what a site may do.
 */
import type { Needs } from '@leuria/protocol'
import { costOf, type FitCandidate, type FitOption, optionsOf } from './fit-option.js'
import { recommend, type Recommendation } from './recommendation.js'
import { type Cost, COSTS, type Verdict } from './verdict.js'

export interface ModelFit {
  id: string
  name: string
  verdict: Verdict
  cost: Cost
  /** Why it is `short`, in words for people. */
  missing: readonly string[]
}

export interface AiFit {
  id: string
  /** The best of its models': what it can do when the right one is chosen. */
  verdict: Verdict
  /** Of its cheapest model with that verdict. */
  cost: Cost
  models: readonly ModelFit[]
}

export interface Fit {
  needs: Needs | null
  /** `null`: the site named no needs, or nothing is enough. */
  recommended: Recommendation | null
  ais: readonly AiFit[]
}

/** Judges every candidate against what the site needs. Keeps their order. */
export function fit(needs: Needs | undefined, candidates: readonly FitCandidate[]): Fit {
  const judged = candidates.map((ai) => ({ ai, options: optionsOf(ai, needs ?? {}) }))
  const options = judged.flatMap((each) => each.options)
  return {
    needs: needs ?? null,
    recommended: needs === undefined ? null : recommend(needs, options),
    ais: judged.map((each) => aiFit(each.ai, each.options)),
  }
}

const ORDER: readonly Verdict[] = ['fits', 'more', 'short']

function aiFit(ai: FitCandidate, options: readonly FitOption[]): AiFit {
  const [best] = [...options].sort(
    (a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict) || COSTS.indexOf(a.cost) - COSTS.indexOf(b.cost),
  )
  return {
    id: ai.id,
    verdict: best?.verdict ?? 'short',
    cost: best?.cost ?? costOf(ai, null),
    models: options.flatMap(({ model, modelName, verdict, cost, missing }) =>
      model === null ? [] : [{ id: model.id, name: modelName ?? model.id, verdict, cost, missing }],
    ),
  }
}
