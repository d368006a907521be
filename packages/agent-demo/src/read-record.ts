/**
 * Free text → the fields of a schema, by the words around them: "Label: value" lines, lists, numbers beside a name, dates
 * and addresses by their form. What isn't found is left out, never made up. Pure.
 */
import { parseNumber } from './question.js'
import type { ArrayShape, ObjectShape, Property, Shape } from './schema-shape.js'
import { isStopWord } from './word-lists.js'
import { foldText, nameWords, tokenise } from './words.js'

/** Longest text that is looked at, in characters. */
const MAX_TEXT_LENGTH = 20_000
/** "Deliver by: Friday": a short label, then its value. */
const LABELLED = /^\s*(?:[-*•]\s*)?([^:=]{1,40}?)\s*[:=]\s*(\S.*)$/u
/** "- 2 x pears", "1. Peel", "3 × plums". */
const BULLET = /^\s*(?:[-*•]|\d{1,2}[.)](?=\s)|(?=\d+(?:[.,]\d+)?\s*(?:[x×]\s|\p{L})))\s*(?=\S)/u
const NUMBER = /(?<![\p{L}\d])\d+(?:[.,]\d+)*/gu
const FORMATS: Readonly<Record<string, RegExp>> = {
  email: /[^\s<>()@,;:"]+@[^\s<>()@,;:"]+\.[^\s<>()@,;:".]+/u,
  date: /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/u,
  uri: /https?:\/\/[^\s<>"]+/u,
}

export function readRecord(shape: ObjectShape, source: string): Record<string, unknown> {
  const text = source.slice(0, MAX_TEXT_LENGTH)
  const entries = shape.properties.flatMap((property): [string, unknown][] => {
    const value = readProperty(property, text)
    return value === undefined ? [] : [[property.name, value]]
  })
  return Object.fromEntries(entries)
}

function readProperty({ name, shape }: Property, text: string): unknown {
  if (shape.kind === 'array') return readList(shape, text)
  if (shape.kind === 'object') {
    const inner = readRecord(shape, text)
    return Object.keys(inner).length === 0 ? undefined : inner
  }
  const words = nameWords(name)
  const labelled = labelledValue([...words, ...aboutWords(shape)], text)
  const fromLabel = labelled === undefined ? undefined : readScalar(shape, labelled)
  const telling = words.filter((word) => !isStopWord(word))
  return fromLabel ?? readAnywhere(shape, telling, text)
}

/** Words of the description: a page may say there what a text calls the field. */
function aboutWords({ about }: Shape): string[] {
  return tokenise(about)
    .map(({ word }) => word)
    .filter((word) => !isStopWord(word))
}

function labelledValue(words: readonly string[], text: string): string | undefined {
  for (const line of text.split('\n')) {
    const match = LABELLED.exec(line)
    const label = tokenise(match?.[1] ?? '').map(({ word }) => word)
    const telling = label.filter((word) => !isStopWord(word) || words.includes(word))
    if (telling.length > 0 && telling.every((word) => words.includes(word))) return match?.[2]?.trim()
  }
  return undefined
}

/** A value that stands where only this field's can. */
function readScalar(shape: Shape, text: string): unknown {
  switch (shape.kind) {
    case 'string': {
      const pattern = FORMATS[shape.format ?? '']
      if (pattern !== undefined) return pattern.exec(text)?.[0]
      return text.slice(0, shape.maxLength)
    }
    case 'number': {
      const number = firstNumber(text)
      return number === undefined || !fits(shape, number) ? undefined : number
    }
    case 'boolean':
      return !/^(?:no|not|none|false|nein|non)\b/iu.test(text)
    case 'choice':
      return choiceIn(shape.values, text)
    default:
      return undefined
  }
}

/** Without a label: by its form, by a name beside a number, by a choice's own words. Free words are left alone. */
function readAnywhere(shape: Shape, words: readonly string[], text: string): unknown {
  switch (shape.kind) {
    case 'string':
      return FORMATS[shape.format ?? '']?.exec(text)?.[0]
    case 'number':
      return numberBeside(shape, words, text)
    case 'boolean':
      return saidOrDenied(words, text)
    case 'choice':
      return choiceIn(shape.values, text)
    default:
      return undefined
  }
}

function firstNumber(text: string): number | undefined {
  const found = text.match(NUMBER)?.[0]
  return found === undefined ? undefined : parseNumber(found)
}

function fits(shape: Extract<Shape, { kind: 'number' }>, value: number): boolean {
  const isWhole = !shape.isInteger || Number.isInteger(value)
  return isWhole && value >= (shape.min ?? -Infinity) && value <= (shape.max ?? Infinity)
}

/** "Serves 4", "4 guests": a number with one of the field's own words right before or after it. */
function numberBeside(shape: Extract<Shape, { kind: 'number' }>, words: readonly string[], text: string): unknown {
  for (const match of text.matchAll(NUMBER)) {
    const before = tokenise(text.slice(Math.max(0, match.index - 40), match.index)).at(-1)?.word
    const after = tokenise(text.slice(match.index + match[0].length, match.index + 60))[0]?.word
    const value = parseNumber(match[0])
    const isNamed = [before, after].some((word) => word !== undefined && words.some((own) => isSameWord(own, word)))
    if (isNamed && fits(shape, value)) return value
  }
  return undefined
}

/** "guest" and "guests". */
function isSameWord(one: string, other: string): boolean {
  return one === other || `${one}s` === other || one === `${other}s`
}

/** `true` where all words of the name stand together, `false` where "no" stands before them. */
function saidOrDenied(words: readonly string[], text: string): boolean | undefined {
  if (words.length === 0) return undefined
  const all = tokenise(text)
  for (let at = 0; at + words.length <= all.length; at += 1) {
    if (!words.every((word, offset) => isSameWord(word, all[at + offset]?.word ?? ''))) continue
    return !all
      .slice(Math.max(0, at - 3), at)
      .some(({ word }) => /^(?:no|not|without|kein|keine|ohne|sans)$/u.test(word))
  }
  return undefined
}

function choiceIn(values: readonly unknown[], text: string): unknown {
  const all = new Set(tokenise(text).map(({ word }) => word))
  return values.find((value) => {
    const own = typeof value === 'string' ? tokenise(value).map(({ word }) => word) : []
    return own.length > 0 && own.every((word) => all.has(word) || all.has(`${word}s`))
  })
}

function readList(shape: ArrayShape, text: string): unknown[] | undefined {
  const lines = text.split('\n').filter((line) => BULLET.test(line) && !LABELLED.test(line))
  const items = lines.flatMap((line) => {
    const words = line.replace(BULLET, '').trim()
    if (shape.items.kind !== 'object') return [readScalar(shape.items, words)].filter((value) => value !== undefined)
    const item = readItem(shape.items, words)
    return Object.keys(item).length === 0 ? [] : [item]
  })
  return items.length === 0 ? undefined : items.slice(0, shape.maxItems)
}

/** One line of a list: its numbers in their sequence, its choices, and for the first free text what is left. */
function readItem(shape: ObjectShape, line: string): Record<string, unknown> {
  const item: Record<string, unknown> = {}
  let rest = line
  for (const { name, shape: own } of shape.properties) {
    if (own.kind === 'choice') {
      const value = choiceIn(own.values, rest)
      if (value === undefined) continue
      item[name] = value
      if (typeof value === 'string') rest = without(rest, value)
    } else if (own.kind === 'number') {
      const match = rest.match(NUMBER)?.[0]
      if (match === undefined || !fits(own, parseNumber(match))) continue
      item[name] = parseNumber(match)
      rest = rest.replace(match, ' ')
    }
  }
  const free = shape.properties.find(({ shape: own }) => own.kind === 'string')
  const text = rest.replace(/^[\s,;x×-]+(?=\s|$)|[\s,;.€$£-]+$/giu, '').trim()
  if (free !== undefined && text !== '') item[free.name] = text
  return item
}

function without(text: string, word: string): string {
  const at = foldText(text).indexOf(foldText(word))
  return at < 0 ? text : `${text.slice(0, at)} ${text.slice(at + word.length)}`
}
