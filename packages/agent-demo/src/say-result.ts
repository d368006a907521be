/** A tool's result as sentences and short lines, by its shape alone. Says what the page said and claims nothing more. */
import type { ToolOutcome } from '@leuria/agent'
import { amountText } from './say-amount.js'
import { cutText, plainBlock, plainLabel, plainPhrase } from './plain-text.js'
import { isFields, isScalar, type Scalar } from './schema-shape.js'
import { labelOf, nameOf, plainFields } from './session-memory.js'
import { nameWords } from './words.js'

type Fields = Readonly<Record<string, unknown>>

/** Items of a list that are told; the rest is counted. */
const MAX_ITEMS = 8
/** Details told of one thing. */
const MAX_DETAILS = 8
/** Shorter texts with a full stop are abbreviations rather than sentences. */
const MIN_SENTENCE_LENGTH = 16
/** Longest text of a page that is passed on as it is, in characters. */
const MAX_TEXT_LENGTH = 4_000
/** How deep objects inside objects are told. */
const MAX_DEPTH = 3

/** Properties in which pages say things for people. */
const MESSAGE_KEYS = ['message', 'answer', 'summary', 'note', 'notice', 'nachricht', 'mensaje', 'text']

/** What a successful call brought, read: JSON where it is JSON. */
export function resultValue(outcome: Extract<ToolOutcome, { ok: true }>): unknown {
  if (outcome.structuredContent !== undefined) return outcome.structuredContent
  const text = outcome.text.trim()
  if (!/^[[{"]|^(?:-?\d|true$|false$|null$)/u.test(text)) return outcome.text
  try {
    return JSON.parse(text)
  } catch {
    return outcome.text
  }
}

/** The answer to a call, one paragraph or a line and a list. */
export function sayResult(value: unknown, title: string): string {
  if (isFields(value)) return sayObject(value, title)
  if (Array.isArray(value)) return sayList(value, { title, name: '' })
  if (value === null || value === '') return `I called “${title}”. The page gave no answer beyond that.`
  if (typeof value === 'string') return plainBlock(value, MAX_TEXT_LENGTH)
  return `“${title}” answers: ${sayScalar(value as Scalar)}.`
}

/** Rich parts of a result that can't be told in words. */
export function sayExtras(outcome: Extract<ToolOutcome, { ok: true }>): string {
  const images = outcome.content?.filter((part) => part.type === 'image').length ?? 0
  if (images === 0) return ''
  return images === 1 ? 'The page also sent an image.' : `The page also sent ${images} images.`
}

function sayObject(value: Fields, title: string): string {
  const message = MESSAGE_KEYS.map((key) => value[key]).find((text) => typeof text === 'string' && text.trim() !== '')
  const amount = amountText(value)
  const failure = sayFailureField(value)
  const opening = failure ?? (typeof message === 'string' ? plainBlock(message, MAX_TEXT_LENGTH) : '')
  const rest = Object.entries(value).filter(([key, part]) => part !== message && !isNoise(key, part))
  const lists = rest.flatMap(([key, part]) => (Array.isArray(part) ? [sayList(part, { title, name: key })] : []))
  const plain = rest.filter(([, part]) => !Array.isArray(part))
  const details = amount ?? detailsOf(Object.fromEntries(withoutCounts(plain, value)))
  const intro = opening === '' && lists.length === 0 ? `“${title}” answers: ` : ''
  const sentence = details === '' ? '' : `${intro}${intro === '' ? capitalise(details) : details}.`
  const parts = [
    opening,
    ...(opening === '' || lists.length > 0 ? lists : []),
    ...(isWorthTelling(opening, rest) ? [sentence] : []),
  ]
  const text = parts.filter((part) => part !== '').join('\n')
  return text === '' ? `I called “${title}”. The page gave no answer beyond that.` : text
}

/** A page's own sentence says it all, unless something stands beside it that isn't a mere flag or id. */
function isWorthTelling(opening: string, rest: readonly [string, unknown][]): boolean {
  return opening === '' || rest.some(([, part]) => typeof part === 'number' || isFields(part) || Array.isArray(part))
}

/** `ok: false`, `success: false` or a text in `error`: the page says that it did not work. */
function sayFailureField(value: Fields): string | undefined {
  const error = isFields(value.error) ? value.error.message : value.error
  if (typeof error === 'string' && error.trim() !== '')
    return `The page says that it did not work: ${plainPhrase(error)}`
  const failed = value.ok === false || value.success === false
  if (!failed) return undefined
  const message = MESSAGE_KEYS.map((key) => value[key]).find((text) => typeof text === 'string')
  return `The page says that it did not work${typeof message === 'string' ? `: ${plainPhrase(message)}` : '.'}`
}

/** Flags of success and empty values say nothing to a person. */
function isNoise(key: string, part: unknown): boolean {
  if (part === null || part === undefined || part === '') return true
  return (key === 'ok' || key === 'success' || key === 'error') && (typeof part === 'boolean' || key === 'error')
}

/** A count beside its list repeats what the list says. */
function withoutCounts(entries: readonly [string, unknown][], value: Fields): [string, unknown][] {
  const lengths = Object.values(value).flatMap((part) => (Array.isArray(part) ? [part.length] : []))
  return entries.filter(([, part]) => !(typeof part === 'number' && lengths.includes(part)))
}

function sayList(items: readonly unknown[], { title, name }: { title: string; name: string }): string {
  const what = plainLabel(nameWords(name).join(' ')) || 'results'
  if (items.length === 0) return name === '' ? `“${title}” found nothing.` : `There are no ${what}.`
  const lines = items.slice(0, MAX_ITEMS).map((item) => `• ${sayItem(item, 0)}`)
  const more = items.length > MAX_ITEMS ? [`… and ${items.length - MAX_ITEMS} more.`] : []
  const heading = items.length === 1 ? 'There is one:' : `There are ${items.length} ${what}:`
  return [heading, ...lines, ...more].join('\n')
}

/** A thing of a list: its name, then its details. */
function sayItem(item: unknown, depth: number): string {
  if (isScalar(item)) return sayScalar(item)
  if (Array.isArray(item))
    return item
      .slice(0, MAX_ITEMS)
      .map((part) => sayItem(part, depth + 1))
      .join(', ')
  if (!isFields(item) || depth > MAX_DEPTH) return '…'
  const amount = amountText(item)
  if (amount !== undefined) return amount
  const label = depth === 0 ? labelOf(plainFields(item)) : nameOf(plainFields(item))
  const details = detailsOf(item, { label, depth })
  const sentences = Object.values(item).filter(isSentence).map(plainPhrase)
  const named = [label, details].filter((part) => part !== '').join(': ')
  if (sentences.length === 0) return named || 'nothing'
  return [...(named === '' ? [] : [`${named}.`]), ...sentences].join(' ')
}

/** A text that stands by itself: its property's name before it would only disturb. */
function isSentence(part: unknown): part is string {
  return typeof part === 'string' && part.length > MIN_SENTENCE_LENGTH && /[.!?…。！？]$/u.test(part.trim())
}

/** "size 3, open yes, place (city Oslo, …)": ids stay out where there is a name. */
function detailsOf(item: Fields, { label = '', depth = 0 } = {}): string {
  const entries = Object.entries(item).filter(([key, part]) => {
    if (isNoise(key, part) || (typeof part === 'string' && plainLabel(part) === label)) return false
    return label === '' || !/(?:^|[_-])(?:id|uuid|guid)$|Id$/u.test(key)
  })
  const told = entries
    .filter(([, part]) => !isSentence(part))
    .slice(0, MAX_DETAILS)
    .map(([key, part]) => {
      const name = plainLabel(nameWords(key).join(' ')) || plainLabel(key)
      const value = isScalar(part) ? sayScalar(part) : sayItem(part, depth + 1)
      return `${name} ${isFields(part) && amountText(part) === undefined ? `(${value})` : value}`
    })
  return told.join(', ')
}

function sayScalar(value: Scalar): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return String(Math.round(value * 1e6) / 1e6)
  return value === null ? 'nothing' : plainPhrase(value)
}

const capitalise = (text: string): string => cutText(text.charAt(0).toUpperCase() + text.slice(1), 2_000)
