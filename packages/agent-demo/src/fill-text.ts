/** Free text for string slots: quoted, announced by a marker, a preposition or the slot's name, or what is left over. */
import { afterConnectors, fill, type Filling, isApart, isOpen, mentions, roleHint } from './filling.js'
import type { Span } from './question.js'
import type { Slot } from './slot.js'
import { isIdSlot, isWeakIdSlot, textKind } from './slot-kind.js'
import { isStopWord } from './word-lists.js'
import { contentTokens, isContentToken, isValueToken, likeliestName, nameRuns, passages, runText } from './text-run.js'

/** Announces text that follows as it stands: "a note saying …", "a list called …". */
const MARKERS = new Set(
  'saying says say called named titled reading entitled namens genannt dass lautet appele appelee intitule intitulee nomme nommee disant llamado llamada titulado'.split(
    ' ',
  ),
)

/** Longest text that is passed on, in characters: as much of a question as is read. */
const MAX_VALUE_LENGTH = 4_000

export function isTextSlot(slot: Slot): boolean {
  return slot.shape.kind === 'string' || slot.shape.kind === 'any'
}

/** Slots whose text the question announces. */
export function fillNamedTexts(filling: Filling): void {
  const slots = filling.slots.filter((slot) => isTextSlot(slot) && !isIdSlot(slot))
  const wanting = slots.filter((slot) => isOpen(filling, slot) && textKind(slot) !== 'query')
  fillMarked(filling, wanting)
  for (const slot of wanting) {
    const hint = isOpen(filling, slot) ? roleHint(filling, slot) : undefined
    if (hint !== undefined) fillAnnounced(filling, slot, 'from' in hint ? hint.from : hint.until - 1)
  }
  for (const slot of slots) {
    if (!isOpen(filling, slot)) continue
    const starts = mentions(filling, slot).map((mention) => ({ mention, start: afterConnectors(filling, mention) }))
    // The tool's own noun ("add a note …") announces nothing: what follows is found as what is left over.
    const announced = starts.find(
      ({ mention, start }) => !filling.toolTokens.has(mention) && isValueToken(filling, start),
    )
    if (announced === undefined) continue
    const mention = filling.question.tokens[announced.mention]
    if (fillAnnounced(filling, slot, announced.start) && mention !== undefined) filling.question.take(mention)
  }
}

/** Text after a marker goes, as it stands, to the one slot that takes texts or names. */
function fillMarked(filling: Filling, slots: readonly Slot[]): void {
  const { tokens, text } = filling.question
  const marker = tokens.find((token) => MARKERS.has(token.word))
  const slot = slots.find((one) => textKind(one) === 'content') ?? slots[0]
  if (marker === undefined || slot === undefined) return
  const quote = filling.question.quotes.find(({ start }) => start >= marker.end)
  const end = passageEnd(filling, marker.end)
  const value = quote?.value ?? trimMarks(text.slice(marker.end, end))
  if (value !== '') fillString(filling, slot, { value, spans: [quote ?? { start: marker.start, end }, marker] })
}

/** Where a passage ends: at the text's end, or before what is used already and the small words that lead there. */
function passageEnd({ question }: Filling, from: number): number {
  const used = question.tokens.findIndex((token) => token.start > from && !question.isFree(token))
  if (used === -1) return question.text.length
  let last = used - 1
  while (isStopWord(question.tokens[last]?.word ?? '')) last -= 1
  return Math.max(from, question.tokens[last]?.end ?? from)
}

const trimMarks = (text: string): string => text.replace(/^[\s:,;'"„“«]+|[\s,;'"”»]+$/gu, '')

/** The quote or the run of words that begins at a token. */
function fillAnnounced(filling: Filling, slot: Slot, from: number): boolean {
  const { tokens, quotes, isFree } = filling.question
  const first = tokens[from]
  if (first === undefined) return false
  const quote = quotes.find((one) => isFree(one) && one.start <= first.start && first.end <= one.end)
  if (quote !== undefined) return fillString(filling, slot, { value: quote.value, spans: [quote] })
  if (!isContentToken(filling, from)) return false
  let until = from + 1
  while (isContentToken(filling, until) && !isBorder(filling, until)) until += 1
  const { text, spans } = runText(filling, [{ from, until }])
  return fillString(filling, slot, { value: text, spans })
}

function isBorder(filling: Filling, index: number): boolean {
  const [left, right] = [filling.question.tokens[index - 1], filling.question.tokens[index]]
  return left === undefined || right === undefined || isApart(filling.question, left, right)
}

/** What nobody used, for required texts; names first, so that passages and searches get the rest. */
export function fillLeftoverTexts(filling: Filling): void {
  const texts = filling.slots.filter(
    (slot) => isTextSlot(slot) && isOpen(filling, slot) && !isIdSlot(slot) && hasNoForm(slot),
  )
  const required = texts.filter((slot) => slot.isRequired)
  fillQuotes(filling, required.length > 0 ? required : texts.slice(0, 1))
  const rank = { name: 0, content: 1, query: 2 }
  for (const slot of required.sort((a, b) => rank[textKind(a)] - rank[textKind(b)])) {
    if (isOpen(filling, slot) && !isWeakIdSlot(slot)) fillLeftover(filling, slot)
  }
  const optional = texts.filter((slot) => !slot.isRequired && isOpen(filling, slot))
  const search = optional.find((slot) => textKind(slot) === 'query')
  if (search !== undefined && !required.some((slot) => textKind(slot) === 'query')) fillLeftover(filling, search)
  // "… in Oslo": the one place where a name can go, though it need not be said.
  const [only] = optional
  const name =
    only === undefined || filling.slots.length > 1 ? undefined : likeliestName(filling, { mustStandOut: true })
  if (only !== undefined && isOpen(filling, only) && name !== undefined) fillFrom(filling, only, [name])
}

/** A string in a known form is never filled with just any words. */
const hasNoForm = (slot: Slot): boolean => !(slot.shape.kind === 'string' && slot.shape.format !== undefined)

function fillQuotes(filling: Filling, slots: readonly Slot[]): void {
  const quotes = filling.question.quotes.filter((quote) => filling.question.isFree(quote))
  const bySuit = [...slots].sort((a, b) => Number(textKind(a) === 'name') - Number(textKind(b) === 'name'))
  const wanting = quotes.length < slots.length ? bySuit : slots
  for (const [index, quote] of quotes.entries()) {
    const slot = wanting[index]
    if (slot !== undefined) fillString(filling, slot, { value: quote.value, spans: [quote] })
  }
}

function fillLeftover(filling: Filling, slot: Slot): void {
  const kind = textKind(slot)
  if (kind === 'name') {
    const run = likeliestName(filling)
    if (run !== undefined) fillFrom(filling, slot, [run])
    return
  }
  if (kind === 'content') {
    fillFrom(filling, slot, passages(filling))
    return
  }
  fillFrom(
    filling,
    slot,
    contentTokens(filling).map((from) => ({ from, until: from + 1 })),
  )
}

function fillFrom(filling: Filling, slot: Slot, runs: readonly { from: number; until: number }[]): void {
  const { text, spans } = runText(filling, runs)
  if (text !== '') fillString(filling, slot, { value: text, spans })
}

function fillString(filling: Filling, slot: Slot, found: { value: string; spans: readonly Span[] }): boolean {
  const { shape } = slot
  const value =
    shape.kind === 'string' ? found.value.slice(0, Math.min(shape.maxLength, MAX_VALUE_LENGTH)) : found.value
  if (value === '' || (shape.kind === 'string' && value.length < shape.minLength)) return false
  fill(filling, slot, { value, spans: found.spans })
  return true
}

/** Lists: every number, every choice that is said, or what is left split at commas and "and". */
export function fillArrays(filling: Filling): void {
  for (const slot of filling.slots) {
    if (slot.shape.kind !== 'array' || !isOpen(filling, slot) || isIdSlot(slot)) continue
    const { items, minItems, maxItems } = slot.shape
    const found =
      items.kind === 'number' ? listNumbers(filling) : items.kind === 'choice' ? listChoices(filling, items.values) : []
    const listed = found.length > 0 || items.kind !== 'string' || !slot.isRequired ? found : listTexts(filling)
    if (listed.length < Math.max(1, minItems)) continue
    const kept = listed.slice(0, maxItems)
    fill(filling, slot, { value: kept.map(({ value }) => value), spans: kept })
  }
}

function listNumbers(filling: Filling): readonly (Span & { value: unknown })[] {
  return filling.question.numbers.filter((number) => filling.question.isFree(number))
}

function listChoices(filling: Filling, values: readonly unknown[]): (Span & { value: unknown })[] {
  return filling.question.tokens.flatMap((token) => {
    const value = values.find((one) => typeof one === 'string' && one.toLowerCase() === token.text.toLowerCase())
    return value === undefined || !filling.question.isFree(token) ? [] : [{ value, start: token.start, end: token.end }]
  })
}

function listTexts(filling: Filling): (Span & { value: unknown })[] {
  const quotes = filling.question.quotes.filter((quote) => filling.question.isFree(quote))
  if (quotes.length > 0) return [...quotes]
  return nameRuns(filling).map((run) => {
    const { text, spans } = runText(filling, [run])
    return { value: text, start: spans[0]?.start ?? 0, end: spans[0]?.end ?? 0 }
  })
}
