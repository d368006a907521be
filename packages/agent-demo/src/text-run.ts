/** Runs of words in a question that nobody has used: the raw material for text values. */
import type { Filling } from './filling.js'
import { isApart } from './filling.js'
import type { Span } from './question.js'
import { WEIGHT } from './tool-profile.js'
import { isRelativeDay } from './relative-day.js'
import { bestLikeness, isSameWord, SAME_STEM } from './word-match.js'
import { actionOf, isStopWord, ordinalOf } from './word-lists.js'

/** Tokens from `from` up to but without `until`. */
export interface Run {
  readonly from: number
  readonly until: number
}

/** Can this token be part of a value? Words that name the tool and verbs at the beginning can't. */
export function isValueToken(filling: Filling, index: number): boolean {
  const token = filling.question.tokens[index]
  return token !== undefined && filling.question.isFree(token) && !filling.toolTokens.has(index)
}

/** A value token that says something by itself. */
export function isContentToken(filling: Filling, index: number): boolean {
  const word = filling.question.tokens[index]?.word ?? ''
  return isValueToken(filling, index) && !isStopWord(word) && ordinalOf(word) === undefined
}

/** The places of everything left that says something. */
export function contentTokens(filling: Filling): number[] {
  return filling.question.tokens.flatMap((_, index) => (isContentToken(filling, index) ? [index] : []))
}

/** Runs of neighbouring content tokens, broken by marks, stop words and days near today. */
export function nameRuns(filling: Filling): Run[] {
  const { tokens } = filling.question
  const runs: Run[] = []
  for (const index of contentTokens(filling)) {
    if (isRelativeDay(tokens[index]?.word ?? '')) continue
    const last = runs.at(-1)
    const [left, right] = [tokens[index - 1], tokens[index]]
    const joins = last !== undefined && left !== undefined && right !== undefined && last.until === index
    if (joins && !isApart(filling.question, left, right)) runs.splice(-1, 1, { from: last.from, until: index + 1 })
    else runs.push({ from: index, until: index + 1 })
  }
  return runs
}

/** Announces a name: "in Lyon", "for Anna", "nach Bonn". */
const ANNOUNCING = new Set(
  'in at for of from to with near by about on im bei nach für von aus mit über à pour chez en avec para con'.split(' '),
)

/** The run that most likely is a name: announced by a preposition, written with a capital, else the first. */
export function likeliestName(filling: Filling, { mustStandOut = false } = {}): Run | undefined {
  const { tokens } = filling.question
  const rank = ({ from }: Run): number => {
    const before = tokens[from - 1]
    const announced = before !== undefined && ANNOUNCING.has(before.text.toLowerCase()) ? 1 : 0
    const capital = from > 0 && /^\p{Lu}/u.test(tokens[from]?.text ?? '') ? 2 : 0
    return announced + capital
  }
  const runs = nameRuns(filling).filter((run) => !mustStandOut || rank(run) > 0)
  return runs.reduce<Run | undefined>(
    (best, run) => (best === undefined || rank(run) > rank(best) ? run : best),
    undefined,
  )
}

/** What is left as one passage: from the first content token to the last, stop words between them kept. */
export function passages(filling: Filling): Run[] {
  const { tokens } = filling.question
  const runs: Run[] = []
  let open: { from: number; until: number } | undefined
  for (const index of tokens.keys()) {
    if (!isValueToken(filling, index)) {
      if (open !== undefined) runs.push(open)
      open = undefined
    } else if (isContentToken(filling, index)) {
      open = { from: open?.from ?? index, until: index + 1 }
    }
  }
  if (open !== undefined) runs.push(open)
  return runs
}

/** The text of runs as the question has it, joined by a space. */
export function runText(filling: Filling, runs: readonly Run[]): { text: string; spans: Span[] } {
  const { tokens, text } = filling.question
  const spans = runs.map(({ from, until }) => ({ start: tokens[from]?.start ?? 0, end: tokens[until - 1]?.end ?? 0 }))
  return { text: spans.map(({ start, end }) => text.slice(start, end)).join(' '), spans }
}

/** Where something is kept or found: "… in the library", "… im Lager". */
const PLACING = new Set('in at on from within im am aus dans sur en'.split(' '))

/**
 * Places of the tokens that only say which tool is meant: the verb, the first of each word of the name, and the place
 * that the description speaks of too.
 */
export function toolTokensOf(
  question: Filling['question'],
  { nameWords, weights }: { nameWords: readonly string[]; weights: ReadonlyMap<string, number> },
): Set<number> {
  const { tokens } = question
  const places = new Set<number>()
  if ('action' in question.intent) places.add(question.intent.token)
  for (const word of nameWords) {
    const place = tokens.findIndex((token, index) => !places.has(index) && isSameWord(token.word, word))
    if (place !== -1) places.add(place)
  }
  // Verbs before the first thing that is named: "can you look and tell me".
  for (const [index, token] of tokens.entries()) {
    if (places.has(index) || isStopWord(token.word)) continue
    if (actionOf(token.word) === undefined || index > 3) break
    places.add(index)
  }
  // Not words of properties and choices: those are values.
  const described = [...weights].flatMap(([word, weight]) => (weight <= WEIGHT.description ? [word] : []))
  for (const [index, token] of tokens.entries()) {
    const before = isStopWord(tokens[index - 1]?.word ?? '') ? [tokens[index - 1], tokens[index - 2]] : []
    const isPlace = before.some((one) => one !== undefined && PLACING.has(one.word))
    if (isPlace && bestLikeness(token.word, described) >= SAME_STEM) places.add(index)
  }
  return places
}
