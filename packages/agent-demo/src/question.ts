/**
 * A question taken apart: words, numbers, quotes and dates, each with its place, and which of them have been used up.
 * Knows nothing of tools; whoever fills an argument takes what it used.
 */
import { type Token, tokenise } from './words.js'
import { actionOf, isAsking, isStopWord, numberOf, ordinalOf, type Action } from './word-lists.js'

/** A piece of the question, from `start` up to but without `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface Found<T> extends Span {
  readonly value: T
}

export interface Question {
  readonly text: string
  readonly tokens: readonly Token[]
  readonly numbers: readonly Found<number>[]
  readonly quotes: readonly Found<string>[]
  /** Calendar days (`2026-05-01`), times (`18:30`) and both together, as written. */
  readonly stamps: readonly Found<string>[]
  /** What it wants done, if a verb says so; `asks` when only a question word does. */
  readonly intent: { action: Action; token: number } | { asks: boolean }
  /** Marks a piece as used. */
  readonly take: (span: Span) => void
  /** True while no part of the piece has been used. */
  readonly isFree: (span: Span) => boolean
}

/** Longest question that is looked at, in characters. */
const MAX_QUESTION_LENGTH = 4_000

const QUOTES =
  /"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«\s*([^»]+?)\s*»|「([^」]+)」|『([^』]+)』|`([^`]+)`|(?<!\S)'([^']+)'(?!\w)/gu
const STAMPS = /\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})?)?|(?<!\d)\d{1,2}:\d{2}(?!\d)/gu
/** A number that doesn't belong to a code such as "A-12" or "x2"; a unit may follow at once ("5kg", "5分"). */
const NUMBERS = /(?<![\p{L}\d_.,:-])[-−]?\d+(?:[.,]\d+)*(?![\d_:-])/gu

/** Nouns as often as verbs: they name an action only where a sentence begins. */
const NOUN_VERBS = new Set(
  'note notes log logs record records book books plan plans mail mails email emails post posts count play plays list lists end ends query display liste such start run mute register post'.split(
    ' ',
  ),
)
/** What may stand before a verb at the beginning of a sentence. */
const BEFORE_VERB = new Set('please and then to you i now bitte und dann jetzt et puis y me us'.split(' '))

export function readQuestion(source: string): Question {
  const text = source.slice(0, MAX_QUESTION_LENGTH)
  const tokens = tokenise(text)
  const taken: Span[] = []
  const quotes = findAll(
    text,
    QUOTES,
    (match) => match.slice(1).find((group: string | undefined) => group !== undefined) ?? '',
  )
  const stamps = findAll(text, STAMPS, (match) => match[0])
  const isOutside = (span: Span): boolean => ![...quotes, ...stamps].some((other) => overlaps(span, other))
  const digits = findAll(text, NUMBERS, (match) => parseNumber(match[0])).filter(isOutside)
  const written = writtenNumbers(tokens).filter(isOutside)
  return {
    text,
    tokens,
    quotes,
    stamps,
    numbers: [...digits, ...written].sort((a, b) => a.start - b.start),
    intent: readIntent(tokens.filter((token) => !quotes.some((quote) => overlaps(token, quote)))),
    take: (span) => taken.push({ start: span.start, end: span.end }),
    isFree: (span) => !taken.some((used) => overlaps(span, used)),
  }
}

export function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end
}

function findAll<T>(text: string, pattern: RegExp, read: (match: RegExpMatchArray) => T): Found<T>[] {
  return [...text.matchAll(pattern)].map((match) => ({
    value: read(match),
    start: match.index,
    end: match.index + match[0].length,
  }))
}

/** "1,200.5", "1.200,5", "2,5": the last separator is the decimal one unless three digits follow a lone comma. */
export function parseNumber(source: string): number {
  const text = source.replace('−', '-')
  const lastDot = text.lastIndexOf('.')
  const lastComma = text.lastIndexOf(',')
  if (lastComma === -1) return Number(lastDot === text.indexOf('.') ? text : text.replaceAll('.', ''))
  const isGrouping = lastDot > lastComma || (lastDot === -1 && /,\d{3}$/u.test(text))
  if (isGrouping) return Number(text.replaceAll(',', ''))
  return Number(`${text.slice(0, lastComma).replace(/[.,]/gu, '')}.${text.slice(lastComma + 1)}`)
}

/** Numbers in words. "one" is one only when it counts something: "the blue one" points back. */
function writtenNumbers(tokens: readonly Token[]): Found<number>[] {
  return tokens.flatMap((token, index) => {
    const value = numberOf(token.word)
    if (value === undefined) return []
    const next = tokens[index + 1]
    const before = tokens[index - 1]
    const counts = next !== undefined && !['is', 'that', 'which', 'with', 'from', 'to'].includes(next.word)
    const startsFresh = before === undefined || isStopWord(before.word) || actionOf(before.word) !== undefined
    const points = before !== undefined && /^(?:the|this|that|which|each)$/u.test(before.word)
    if (value === 1 && (!counts || !startsFresh || points)) return []
    return [{ value, start: token.start, end: token.end }]
  })
}

function readIntent(tokens: readonly Token[]): Question['intent'] {
  for (const [index, token] of tokens.entries()) {
    const action = actionOf(token.word)
    if (action === undefined || ordinalOf(token.word) !== undefined) continue
    const before = tokens[index - 1]
    const begins = before === undefined || BEFORE_VERB.has(before.word)
    if (NOUN_VERBS.has(token.word) && !begins) continue
    return { action, token: index }
  }
  return { asks: tokens.some((token) => isAsking(token.word)) }
}
