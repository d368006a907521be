/** Whether one model is enough for what a site says it needs, and why not. */
import type { Effort, Needs } from '@leuria/protocol'
import type { ModelTraits } from './model-traits.js'
import { TIERS, type Tier, tierOf } from './strength.js'

/** `short`: something needed is known to be missing. `more`: it is enough and costs more than it has to. */
export type Verdict = 'fits' | 'more' | 'short'

/** What using it costs: nothing, a plan the visitor has anyway, or money for each answer. From cheap to dear. */
export const COSTS = ['free', 'plan', 'paid'] as const
export type Cost = (typeof COSTS)[number]

/** The strength that each effort asks for. */
export const TIER_FOR: Readonly<Record<Effort, Tier>> = { light: 'small', standard: 'medium', deep: 'large' }

/** Where a tier stands; higher is stronger. */
export const rankOf = (tier: Tier): number => TIERS.indexOf(tier)

export interface Judgement {
  verdict: Verdict
  /** What is missing, in words for people; empty unless `short`. */
  missing: readonly string[]
}

/** Facts that aren't known never disqualify a model. */
export function judge(model: ModelTraits, needs: Needs, cost: Cost): Judgement {
  const missing = [
    ...(needs.tools === true && model.tools === false ? ["it can't use the page's tools"] : []),
    ...(needs.images === true && model.images === false ? ["it can't see images"] : []),
    ...contextMissing(model, needs),
    ...strengthMissing(model, needs),
  ]
  if (missing.length > 0) return { verdict: 'short', missing }
  return { verdict: cost !== 'free' && isStronger(model, needs) ? 'more' : 'fits', missing }
}

const count = (tokens: number): string => tokens.toLocaleString('en-US')

function contextMissing({ contextTokens }: ModelTraits, { context }: Needs): string[] {
  if (context === undefined || contextTokens === undefined || contextTokens >= context) return []
  return [`it takes ${count(contextTokens)} tokens at once and the site asks for ${count(context)}`]
}

const EFFORT_WORDS: Readonly<Record<Effort, string>> = {
  light: 'light work',
  standard: 'ordinary work',
  deep: 'demanding work',
}

function strengthMissing(model: ModelTraits, { effort }: Needs): string[] {
  const tier = tierOf(model)
  if (effort === undefined || tier === null || rankOf(tier) >= rankOf(TIER_FOR[effort])) return []
  return [`it is a ${tier === 'medium' ? 'medium-sized' : tier} model and the site asks for ${EFFORT_WORDS[effort]}`]
}

function isStronger(model: ModelTraits, { effort }: Needs): boolean {
  const tier = tierOf(model)
  return effort !== undefined && tier !== null && rankOf(tier) > rankOf(TIER_FOR[effort])
}
