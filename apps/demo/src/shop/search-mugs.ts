/** Finds mugs by words, as people and AIs write them. Pure. */
import { CATALOGUE, type Colour, type Mug } from './catalogue.js'

export interface MugFilter {
  /** Free words; empty for all. */
  readonly query?: string
  readonly colour?: Colour
  /** In euros, inclusive. */
  readonly maxPrice?: number
  readonly onlyInStock?: boolean
}

export interface MugSearch {
  /** Best first; among equals the catalogue's own sequence. */
  readonly mugs: readonly Mug[]
  /** False: nothing has all the words; these have some. */
  readonly isExact: boolean
}

/** Words that every mug answers to, and words that say nothing. */
const NOISE = new Set(
  'mug mugs cup cups all any the a an and or of for in on with to me my i please show something everything products product shop one ones nice good some from'.split(
    ' ',
  ),
)

/** Other words for what the catalogue says. */
const SAME_WORDS: Readonly<Record<string, string>> = {
  gray: 'grey',
  navy: 'blue',
  teal: 'blue',
  cream: 'white',
  orange: 'red',
  gold: 'yellow',
  big: 'large',
  tiny: 'small',
  little: 'small',
}

export function searchMugs(filter: MugFilter, catalogue: readonly Mug[] = CATALOGUE): MugSearch {
  const allowed = catalogue.filter((mug) => passes(mug, filter))
  const words = queryWords(filter.query ?? '')
  if (words.length === 0) return { mugs: allowed, isExact: true }
  const scored = allowed.map((mug) => ({ mug, ...scoreOf(mug, words) })).filter(({ hits }) => hits > 0)
  const full = scored.filter(({ hits }) => hits === words.length)
  const kept = full.length > 0 ? full : scored
  const mugs = kept.sort((a, b) => b.hits - a.hits || b.score - a.score).map(({ mug }) => mug)
  return { mugs, isExact: full.length > 0 || scored.length === 0 }
}

function passes(mug: Mug, { colour, maxPrice, onlyInStock }: MugFilter): boolean {
  if (colour !== undefined && mug.colour !== colour) return false
  if (maxPrice !== undefined && mug.priceCents > maxPrice * 100) return false
  return onlyInStock !== true || mug.stock > 0
}

function queryWords(query: string): string[] {
  const words = query.toLowerCase().match(/[\p{L}\d]+/gu) ?? []
  return words.filter((word) => !NOISE.has(word)).map((word) => SAME_WORDS[word] ?? word)
}

/** How many words fit, and how well: the name counts most, then the colour, then the sentence. */
function scoreOf(mug: Mug, words: readonly string[]): { hits: number; score: number } {
  const fields: [string, number][] = [
    [mug.name, 3],
    [`${mug.colour} ${sizeOf(mug)} ${mug.look.pattern}`, 2],
    [mug.about, 1],
  ]
  let hits = 0
  let score = 0
  for (const word of words) {
    const best = Math.max(0, ...fields.map(([text, weight]) => (hasWord(text, word) ? weight : 0)))
    if (best > 0) hits += 1
    score += best
  }
  return { hits, score }
}

function sizeOf({ volumeMl }: Mug): string {
  return volumeMl >= 400 ? 'large' : volumeMl <= 150 ? 'small' : 'medium'
}

function hasWord(text: string, word: string): boolean {
  const stem = word.length > 3 ? word.replace(/s$/u, '') : word
  return (text.toLowerCase().match(/[\p{L}\d]+/gu) ?? []).some((one) => one.startsWith(stem))
}
