/** Of the ways that are enough, the one to name, and why in words. */
import type { Needs } from '@leuria/protocol'
import { abilitiesOf, type FitOption } from './fit-option.js'
import { plainName } from './plain-name.js'
import { tierOf } from './strength.js'
import { type Cost, COSTS, rankOf, TIER_FOR } from './verdict.js'

export interface Recommendation {
  /** The AI's id. */
  agent: string
  /** `null`: the AI chooses by itself. */
  model: string | null
  modelName: string | null
  isDefault: boolean
  cost: Cost
  /** One sentence for people. */
  reason: string
}

/** How far a model whose strength isn't known counts as being off: more than one tier, less than two. */
const UNKNOWN_DISTANCE = 1.5

/** `null`: none is enough. Of equals the first one given wins. */
export function recommend(needs: Needs, options: readonly FitOption[]): Recommendation | null {
  const enough = options.filter(({ verdict, ai }) => verdict !== 'short' && ai.kind !== 'demo')
  const [best] = [...enough].sort((a, b) => compare(ranking(a, needs), ranking(b, needs)))
  if (best === undefined) return null
  const { ai, model, modelName, cost } = best
  return {
    agent: ai.id,
    model: model?.id ?? null,
    modelName,
    isDefault: ai.isDefault === true,
    cost,
    reason: reasonFor(best, needs),
  }
}

/** Smaller is better, the first difference decides: cost, strength, loaded, the visitor's own model, their default AI. */
function ranking({ ai, model, cost }: FitOption, needs: Needs): number[] {
  const no = (value: boolean): number => (value ? 0 : 1)
  return [
    COSTS.indexOf(cost),
    distance(model, needs),
    no(model?.loaded === true),
    no(model !== null && model.id === ai.currentModel),
    no(ai.isDefault === true),
  ]
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [at, value] of a.entries()) {
    const difference = value - (b[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

function distance(model: FitOption['model'], { effort }: Needs): number {
  if (effort === undefined) return 0
  const tier = model === null ? null : tierOf(model)
  return tier === null ? UNKNOWN_DISTANCE : Math.abs(rankOf(tier) - rankOf(TIER_FOR[effort]))
}

const COST_WORDS: Readonly<Record<Cost, string>> = {
  free: 'it runs on this computer and costs nothing',
  plan: 'it is covered by a plan you have',
  paid: 'it is the cheapest that is enough, and each answer is paid for',
}

function reasonFor({ ai, model, modelName, cost }: FitOption, needs: Needs): string {
  const name = plainName(ai.name, modelName ?? undefined)
  const known = abilitiesOf(ai, model)
  const can = [
    ...(needs.tools === true ? [ability("use the page's tools", known.tools)] : []),
    ...(needs.images === true ? [ability('see images', known.images)] : []),
  ]
  const strength = strengthWords(model, needs)
  return `${name}: ${[COST_WORDS[cost], ...can, ...strength].join(', ')}.`
}

const ability = (what: string, known: boolean | undefined): string =>
  known === true ? `it can ${what}` : `it may be able to ${what}`

function strengthWords(model: FitOption['model'], { effort }: Needs): string[] {
  if (effort === undefined || model === null) return []
  const tier = tierOf(model)
  return tier === null
    ? []
    : [rankOf(tier) > rankOf(TIER_FOR[effort]) ? 'it is stronger than needed' : 'it is strong enough']
}
