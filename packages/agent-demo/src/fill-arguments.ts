/**
 * Arguments for one tool from one question: references first, then what the question names, then what is left, then
 * defaults. Tells what is missing instead of making something up.
 */
import { type Pick, idSubject, isNumbered, pickRecord, subjectTokens } from './choose-record.js'
import { fillChoices, fillFormats, fillSwitches } from './fill-choice.js'
import { fillLeftoverNumbers, fillNamedNumbers, unfitNumber } from './fill-number.js'
import { fillArrays, fillLeftoverTexts, fillNamedTexts, isTextSlot } from './fill-text.js'
import { fill, type Filling, isOpen } from './filling.js'
import { overlaps, readQuestion, type Span } from './question.js'
import type { SessionMemory } from './session-memory.js'
import { assemble, readSlots, type Slot } from './slot.js'
import { isCountSlot, isIdSlot, isSwitchSlot, isWeakIdSlot, textKind } from './slot-kind.js'
import { runText, toolTokensOf } from './text-run.js'
import type { ToolProfile } from './tool-profile.js'
import { isPointing, ordinalOf } from './word-lists.js'

export interface FillOptions {
  readonly memory: SessionMemory
  readonly today: Date
  /** No other tool can tell more: take the one record that has most of the words, even if it lacks some. */
  readonly isLastTry?: boolean
}

/** A required argument that the question doesn't give. */
export interface Missing {
  readonly slot: Slot
  /** A number that was given but lies outside the bounds. */
  readonly unfit?: number
}

export interface Filled {
  readonly arguments: Record<string, unknown>
  readonly missing: readonly Missing[]
  /** Records that were meant by name, place or pointing, for the answer. */
  readonly picks: readonly Pick[]
  /** An id that nothing known gives, and the words that name the thing: another tool may know it. */
  readonly unknown?: { readonly subject: string; readonly about: readonly string[] }
}

export function fillArguments(profile: ToolProfile, text: string, options: FillOptions): Filled {
  const question = readQuestion(text)
  const filling: Filling = {
    question,
    slots: readSlots(profile.shape),
    values: new Map(),
    toolTokens: toolTokensOf(question, profile),
    today: options.today,
    chosen: [],
  }
  fillNamedNumbers(filling)
  fillChoices(filling)
  const { picks, unknown } = fillReferences(filling, options)
  fillFormats(filling)
  fillSwitches(filling)
  fillNamedTexts(filling)
  fillLeftoverNumbers(filling)
  fillArrays(filling)
  if (unknown === undefined) fillLeftoverTexts(filling)
  if (unknown === undefined) fillSearchFromUsedWords(filling)
  fillDefaults(filling)
  const { arguments: args, missing } = assemble(profile.shape, filling.slots, filling.values)
  // A count that was said but lies out of bounds is never left out in silence.
  const unfit = filling.slots.filter((slot) => isCountSlot(slot) && !missing.includes(slot) && isUnfit(filling, slot))
  return {
    arguments: args,
    missing: [...missing, ...unfit].map((slot) => ({ slot, unfit: unfitNumber(filling, slot) })),
    picks,
    ...(unknown === undefined ? {} : { unknown }),
  }
}

function isUnfit(filling: Filling, slot: Slot): boolean {
  const isDefaulted = filling.values.get(slot) === slot.shape.fallback
  return (isOpen(filling, slot) || isDefaulted) && unfitNumber(filling, slot) !== undefined
}

/** Ids, and anything that the question points back to. */
function fillReferences(filling: Filling, options: FillOptions): Omit<Filled, 'arguments' | 'missing'> {
  const picks: Pick[] = []
  for (const slot of filling.slots) {
    if (!isOpen(filling, slot) || !canRefer(filling, slot)) continue
    const found = pickRecord(filling, slot, options.memory)
    const isGoodGuess = options.isLastTry === true && found?.among === 1 && found.coverage >= 0.5
    if (found !== undefined && (found.coverage === 1 || isGoodGuess)) {
      takePick(filling, slot, found)
      picks.push(found)
      continue
    }
    if (takeCode(filling, slot) || !isIdSlot(slot) || !slot.isRequired) continue
    const subject = subjectText(filling, slot)
    if (subject !== '') return { picks, unknown: { subject, about: idSubject(slot) } }
    if (found !== undefined) {
      takePick(filling, slot, found)
      picks.push(found)
    }
  }
  return { picks }
}

/** Ids always; other required texts only when the question points back instead of saying them. */
function canRefer(filling: Filling, slot: Slot): boolean {
  if (isIdSlot(slot)) return true
  if (slot.shape.kind !== 'string' || !slot.isRequired) return false
  const { tokens } = filling.question
  const points = tokens.some(({ word }) => isPointing(word) || ordinalOf(word) !== undefined)
  return (points || isWeakIdSlot(slot)) && subjectTokens(filling, slot).length === 0
}

function takePick(filling: Filling, slot: Slot, { value, spans }: Pick): void {
  fill(filling, slot, { value: slot.shape.kind === 'array' ? [value] : value, spans })
}

/** A code said in the question itself: "AB-123", "ticket 12". */
function takeCode(filling: Filling, slot: Slot): boolean {
  if (!isIdSlot(slot) && !isWeakIdSlot(slot)) return false
  const { question } = filling
  const shape = slot.shape.kind === 'array' ? slot.shape.items : slot.shape
  const wrap = (value: unknown): unknown => (slot.shape.kind === 'array' ? [value] : value)
  if (shape.kind === 'number') {
    const number = question.numbers.find((one) => isNumbered(filling, String(one.value)) && question.isFree(one))
    if (number !== undefined) fill(filling, slot, { value: wrap(number.value), spans: [number] })
    return number !== undefined
  }
  for (const match of question.text.matchAll(/[\p{L}\d]+(?:[-_][\p{L}\d]+)+|\p{L}+\d[\p{L}\d]*|\d+/gu)) {
    const span = { start: match.index, end: match.index + match[0].length }
    const isCode = /\d/u.test(match[0]) && (/\D/u.test(match[0]) || isNumbered(filling, match[0]))
    if (!isCode || !question.isFree(span)) continue
    fill(filling, slot, { value: wrap(match[0]), spans: [span] })
    return true
  }
  const quote = question.quotes.find((one) => question.isFree(one) && !/\s/u.test(one.value))
  if (quote !== undefined && isIdSlot(slot) && /[\d_-]/u.test(quote.value)) {
    fill(filling, slot, { value: wrap(quote.value), spans: [quote] })
    return true
  }
  return false
}

function subjectText(filling: Filling, slot: Slot): string {
  return runText(
    filling,
    subjectTokens(filling, slot).map((from) => ({ from, until: from + 1 })),
  ).text
}

/**
 * A search must have words. "Something green", with green taken as a choice: the choice's words; "show me the films":
 * the kind of thing that the tool is named after.
 */
function fillSearchFromUsedWords(filling: Filling): void {
  const search = filling.slots.find((slot) => slot.isRequired && isTextSlot(slot) && textKind(slot) === 'query')
  if (search === undefined || !isOpen(filling, search)) return
  const { question } = filling
  const verb = 'action' in question.intent ? [question.intent.token] : []
  const isFree = (span: Span): boolean => question.isFree(span) || filling.chosen.some((one) => overlaps(one, span))
  const again = { ...filling, question: { ...question, isFree }, slots: [search] }
  for (const toolTokens of [filling.toolTokens, new Set(verb)]) {
    if (isOpen(filling, search)) fillLeftoverTexts({ ...again, toolTokens })
  }
}

/** What a page says counts when nothing is said; one of a countable thing; and no for a plain yes-or-no question. */
function fillDefaults(filling: Filling): void {
  for (const slot of filling.slots) {
    if (!slot.isRequired || !isOpen(filling, slot)) continue
    const { shape } = slot
    if (shape.fallback !== undefined) fill(filling, slot, { value: shape.fallback })
    else if (shape.kind === 'choice' && shape.values.length === 1) fill(filling, slot, { value: shape.values[0] })
    else if (shape.kind === 'boolean' && !isSwitchSlot(slot)) fill(filling, slot, { value: false })
    else if (shape.kind === 'array' && shape.minItems === 0 && !isIdSlot(slot)) fill(filling, slot, { value: [] })
    else if (shape.kind === 'number' && isCountSlot(slot) && unfitNumber(filling, slot) === undefined) {
      fill(filling, slot, { value: Math.max(1, shape.min ?? 1) })
    }
  }
}
