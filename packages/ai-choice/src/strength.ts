/** How strong a model is likely to be: by its size, else by the words of its name. A guess, for advice only. */
import type { ModelTraits } from './model-traits.js'

/** From weak to strong. */
export const TIERS = ['small', 'medium', 'large'] as const
export type Tier = (typeof TIERS)[number]

/** Below this many billions of parameters a model is small: it answers, but plans poorly. */
const MEDIUM_FROM = 9
/** Above this many it is large. */
const MEDIUM_UP_TO = 40

const SIZE = /(?:(\d{1,3})\s*x\s*)?(\d{1,6}(?:\.\d{1,6})?)\s*([bmt])/

/** Millions, billions and trillions, in billions. */
const UNITS: Readonly<Record<string, number>> = { m: 0.001, b: 1, t: 1_000 }

/** Billions of parameters in a whole text such as "27B", "8x7B" (their product), "500M", "1.5 b". `null`: it isn't one. */
export function parseBillions(text: string): number | null {
  const match = new RegExp(`^\\s*${SIZE.source}\\s*$`, 'i').exec(text)
  return match === null ? null : billionsOf(match)
}

/** The first such size inside a name: `qwen2.5-coder:32b-instruct`, `gemma3n:e4b` ("effective" billions). */
function sizeIn(text: string): number | null {
  const match = new RegExp(`(?<![a-z0-9.])e?${SIZE.source}(?![a-z0-9])`, 'i').exec(text)
  return match === null ? null : billionsOf(match)
}

function billionsOf([, times, number, unit]: RegExpExecArray): number | null {
  const billions = Number(times ?? 1) * Number(number) * (UNITS[unit?.toLowerCase() ?? ''] ?? 0)
  return billions > 0 ? billions : null
}

/** In the order they are looked for: "pro-mini" is small, whatever else its name says. */
const NAMES: readonly (readonly [Tier, RegExp])[] = [
  ['small', /\b(haiku|mini|nano|lite|small|tiny|fast|fastest|instant)\b/],
  ['large', /\b(opus|ultra|max|pro|large|heavy|most capable)\b/],
  ['medium', /\b(sonnet|flash|medium|balanced)\b/],
]

/** `null`: nothing tells. */
export function tierOf(model: ModelTraits): Tier | null {
  const name = `${model.name ?? ''} ${model.id}`.toLowerCase()
  const billions = model.billions ?? sizeIn(name)
  if (billions !== null) return billions < MEDIUM_FROM ? 'small' : billions <= MEDIUM_UP_TO ? 'medium' : 'large'
  for (const text of [name, model.description?.toLowerCase() ?? '']) {
    const found = NAMES.find(([, words]) => words.test(text))
    if (found !== undefined) return found[0]
  }
  return null
}
