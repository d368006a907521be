/** Which remembered record a question means for a slot: by its id, its place in a list, its words, or by pointing back. */
import type { Filling } from './filling.js'
import { mentions } from './filling.js'
import type { Span } from './question.js'
import { isRelativeDay } from './relative-day.js'
import type { Scalar } from './schema-shape.js'
import type { KnownList, KnownRecord, SessionMemory } from './session-memory.js'
import type { Slot } from './slot.js'
import { contentTokens } from './text-run.js'
import { isPointing, ordinalOf } from './word-lists.js'
import { isSameWord } from './word-match.js'
import { nameWords } from './words.js'

export interface Pick {
  readonly value: Scalar
  readonly label: string
  /** How it was found; `first`: several fitted and the first was taken. */
  readonly by: 'id' | 'place' | 'words' | 'pointing' | 'first'
  /** How many fitted. */
  readonly among: number
  readonly spans: readonly Span[]
  /** Part of the question's own words that the record has, 0 to 1; 1 when no word had to fit. */
  readonly coverage: number
}

interface Candidate {
  readonly record: KnownRecord
  readonly value: Scalar
}

/** Words that an id's name has beside the thing it names. */
const ID_WORDS = new Set('id ids uuid guid key ref reference code slug handle number nr no identifier'.split(' '))

/** The record that the question means, or `undefined` when nothing remembered fits. */
export function pickRecord(filling: Filling, slot: Slot, memory: SessionMemory): Pick | undefined {
  const lists = memory
    .lists()
    .map((list) => candidatesOf(list, slot))
    .filter((list) => list.length > 0)
  if (lists.length === 0) return undefined
  return (
    byId(filling, slot, lists) ??
    byPlace(filling, lists) ??
    byWords(filling, slot, lists) ??
    byPointing(filling, slot, lists)
  )
}

/** The places of words that may name a thing: whatever is left, without words that name the slot or its kind of thing. */
export function subjectTokens(filling: Filling, slot: Slot): number[] {
  const named = new Set(mentions(filling, slot))
  return contentTokens(filling).filter((index) => {
    const token = filling.question.tokens[index]
    const isNumber = filling.question.numbers.some(
      (number) => token !== undefined && number.start <= token.start && token.start < number.end,
    )
    const word = token?.word ?? ''
    return !named.has(index) && !isNumber && !isPointing(word) && !isRelativeDay(word)
  })
}

/** The things an id slot is about: "ticket" for `ticketId`. */
export function idSubject(slot: Slot): string[] {
  return [...slot.words, ...slot.around].filter((word) => !ID_WORDS.has(word))
}

function candidatesOf(list: KnownList, slot: Slot): Candidate[] {
  return list.records.flatMap((record) => {
    const value = fieldFor(record, slot, list)
    return value === undefined ? [] : [{ record, value }]
  })
}

/** The record's value for the slot: a property of the same name, `id` for `ticketId`, `ticketId` for `id`. */
function fieldFor(record: KnownRecord, slot: Slot, list: KnownList): Scalar | undefined {
  const wanted = slot.words.join(' ').replace(/\bids\b/u, 'id')
  const keys = [...record.fields].map(([key, value]) => ({ words: nameWords(key), value }))
  const same = keys.find(({ words }) => words.join(' ') === wanted)
  if (same !== undefined) return fitting(same.value, slot)
  const ids = keys.filter(({ words }) => words.at(-1) === 'id' || words.at(-1) === 'uuid')
  const bare = ids.find(({ words }) => words.length === 1)
  const subject = idSubject(slot)
  const isForeign = ids.find(({ words }) => words.length > 1 && words.some((word) => subject.includes(word)))
  if (isForeign !== undefined) return fitting(isForeign.value, slot)
  if (!ID_WORDS.has(slot.words.at(-1) ?? '')) return undefined
  const isOfKind = subject.length === 0 || list.about.some((word) => subject.some((one) => isSameWord(one, word)))
  const chosen = bare ?? (subject.length === 0 ? ids[0] : undefined)
  // A bare `id` fits best where the list is about the slot's kind of thing; else it is a guess worth making only alone.
  return chosen !== undefined && (isOfKind || ids.length === 1) ? fitting(chosen.value, slot) : undefined
}

/** Numbers may be written as text and the other way round; schemas decide. */
function fitting(value: Scalar, slot: Slot): Scalar | undefined {
  const { kind } = slot.shape.kind === 'array' ? slot.shape.items : slot.shape
  if (value === null) return undefined
  if (kind === 'number') {
    const number = Number(value)
    return Number.isFinite(number) && value !== '' && typeof value !== 'boolean' ? number : undefined
  }
  return kind === 'string' ? String(value) : value
}

function byId(filling: Filling, slot: Slot, lists: readonly Candidate[][]): Pick | undefined {
  const text = filling.question.text.toLowerCase()
  for (const { record, value } of lists.flat()) {
    const id = String(value).toLowerCase()
    if (id.length < 3 && !isNumbered(filling, id)) continue
    const start = findWhole(text, id)
    const span = { start, end: start + id.length }
    if (start === -1 || !filling.question.isFree(span)) continue
    return { value, label: record.label, by: 'id', among: 1, spans: [span], coverage: 1 }
  }
  return undefined
}

function findWhole(text: string, part: string): number {
  const start = text.indexOf(part)
  if (start === -1) return -1
  const isWordLike = (character: string | undefined): boolean => character !== undefined && /[\p{L}\d]/u.test(character)
  return isWordLike(text[start - 1]) || isWordLike(text[start + part.length]) ? -1 : start
}

/** "note 3", "#3": a number that names a thing rather than counts things. */
export function isNumbered(filling: Filling, digits: string): boolean {
  const { tokens, text } = filling.question
  const place = tokens.findIndex((token) => token.text === digits)
  const [token, before] = [tokens[place], tokens[place - 1]]
  if (token === undefined) return false
  if (text[token.start - 1] === '#') return true
  return (
    before !== undefined &&
    text.slice(before.end, token.start) === ' ' &&
    (contentTokens(filling).includes(place - 1) || filling.toolTokens.has(place - 1)) &&
    place > 1
  )
}

function byPlace(filling: Filling, lists: readonly Candidate[][]): Pick | undefined {
  for (const token of filling.question.tokens) {
    const place = ordinalOf(token.word)
    if (place === undefined || !filling.question.isFree(token)) continue
    const list = lists.find((one) => one.length > Math.max(1, place)) ?? lists.find((one) => one.length > place)
    const found = list?.at(place)
    if (found === undefined) continue
    return { value: found.value, label: found.record.label, by: 'place', among: 1, spans: [token], coverage: 1 }
  }
  return undefined
}

function byWords(filling: Filling, slot: Slot, lists: readonly Candidate[][]): Pick | undefined {
  const places = subjectTokens(filling, slot)
  if (places.length === 0) return undefined
  const tokens = places.flatMap((place) => filling.question.tokens[place] ?? [])
  const scored = lists.flat().map((candidate) => ({
    ...candidate,
    said: tokens.filter((token) => candidate.record.words.some((word) => isSameWord(token.word, word))),
  }))
  const most = Math.max(...scored.map(({ said }) => said.length))
  const [best, ...others] = scored.filter(({ said }) => said.length === most)
  if (best === undefined || most === 0) return undefined
  const rivals = others.filter(({ value }) => value !== best.value)
  return {
    value: best.value,
    label: best.record.label,
    by: rivals.length === 0 ? 'words' : 'first',
    among: rivals.length + 1,
    spans: best.said,
    coverage: best.said.length / tokens.length,
  }
}

/** "It", or nothing at all that would name another thing: the newest list. */
function byPointing(filling: Filling, slot: Slot, lists: readonly Candidate[][]): Pick | undefined {
  const points = filling.question.tokens.some((token) => isPointing(token.word))
  const [newest] = lists
  const first = newest?.[0]
  if (newest === undefined || first === undefined) return undefined
  const rest = subjectTokens(filling, slot)
  if (rest.length > 0 && !points) return undefined
  return {
    value: first.value,
    label: first.record.label,
    by: newest.length === 1 ? 'pointing' : 'first',
    among: newest.length,
    spans: [],
    coverage: rest.length === 0 ? 1 : 0,
  }
}
