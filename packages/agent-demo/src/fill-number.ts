/** Numbers for number slots: the one beside the slot's name, an end of a range, or what is left over. */
import { afterConnectors, fill, type Filling, isOpen, mentions } from './filling.js'
import type { Found } from './question.js'
import type { NumberShape } from './schema-shape.js'
import type { Slot } from './slot.js'
import { isCountSlot, rangeEnd } from './slot-kind.js'

type NumberSlot = Slot & { shape: NumberShape }

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
const COMPARATORS = {
  max: words('under below less most max maximum until unter hochstens maximal bis moins maximum menos hasta'),
  min: words('over above more least min minimum uber mindestens minimal ab plus mas desde'),
} as const
/** Comparators stand this many words before their number at most ("less than about 30"). */
const COMPARATOR_REACH = 3
/** Units that say nothing beyond the number; they must not end up in a search text. */
const UNITS = words(
  'euro euros eur dollar dollars usd pound pounds gbp yen percent prozent pourcent degrees degree grad degres',
)

const isNumberSlot = (slot: Slot): slot is NumberSlot => slot.shape.kind === 'number'

function openNumbers(filling: Filling): Found<number>[] {
  return filling.question.numbers.filter((number) => filling.question.isFree(number))
}

/** Does the number fit the slot as it is? Nothing is rounded or pulled into bounds: that would change what was asked. */
export function fitsNumber(value: number, shape: NumberShape): boolean {
  if (!Number.isFinite(value) || (shape.isInteger && !Number.isInteger(value))) return false
  return value >= (shape.min ?? -Infinity) && value <= (shape.max ?? Infinity)
}

/** Numbers whose slot is named beside them: "size 40", "10 minutes", "under 30". */
export function fillNamedNumbers(filling: Filling): void {
  fillBetween(filling)
  for (const slot of filling.slots.filter(isNumberSlot)) {
    if (!isOpen(filling, slot)) continue
    const number = rangeEnd(slot) === undefined ? besideMention(filling, slot) : afterComparator(filling, slot)
    if (number !== undefined && fitsNumber(number.value, slot.shape)) takeNumber(filling, slot, number)
  }
}

/** Numbers that are left, for required slots and for counts. */
export function fillLeftoverNumbers(filling: Filling): void {
  const slots = filling.slots.filter(isNumberSlot)
  const wanting = slots.filter((slot) => slot.isRequired || (isCountSlot(slot) && rangeEnd(slot) === undefined))
  for (const slot of wanting.sort((a, b) => Number(b.isRequired) - Number(a.isRequired))) {
    if (!isOpen(filling, slot)) continue
    const number = openNumbers(filling).find(({ value }) => fitsNumber(value, slot.shape))
    if (number !== undefined) takeNumber(filling, slot, number)
  }
}

/** A number that was meant for the slot but lies outside its bounds, to say so. */
export function unfitNumber(filling: Filling, slot: Slot): number | undefined {
  return isNumberSlot(slot)
    ? openNumbers(filling).find(({ value }) => !fitsNumber(value, slot.shape))?.value
    : undefined
}

function takeNumber(filling: Filling, slot: NumberSlot, number: Found<number>): void {
  const { tokens } = filling.question
  const after = tokens.find((token) => token.start >= number.end)
  const spans = after !== undefined && UNITS.has(after.word) ? [number, after] : [number]
  fill(filling, slot, { value: number.value, spans })
}

function besideMention(filling: Filling, slot: NumberSlot): Found<number> | undefined {
  const { tokens } = filling.question
  const numbers = openNumbers(filling)
  for (const mention of mentions(filling, slot)) {
    const [token, before] = [tokens[mention], tokens[mention - 1]]
    const after = tokens[afterConnectors(filling, mention)]
    const following =
      after === undefined ? undefined : numbers.find(({ start, end }) => start <= after.start && after.start < end)
    // "10 minutes", "5分": the number right before its unit, in one token or two.
    const leading = numbers.find(
      ({ start, end }) =>
        (before !== undefined && start <= before.start && before.end <= end) ||
        (token !== undefined && end === token.start),
    )
    const found = leading ?? following
    if (found === undefined) continue
    if (token !== undefined) filling.question.take(token)
    return found
  }
  return undefined
}

function afterComparator(filling: Filling, slot: NumberSlot): Found<number> | undefined {
  const comparators = COMPARATORS[rangeEnd(slot) ?? 'max']
  const { tokens } = filling.question
  for (const number of openNumbers(filling)) {
    const at = tokens.findIndex((token) => token.end > number.start)
    const place = at === -1 ? tokens.length : at
    const lead = tokens.slice(Math.max(0, place - COMPARATOR_REACH), place)
    const comparator = lead.find((token) => comparators.has(token.word))
    if (comparator === undefined) continue
    const counted = mentions(filling, slot).flatMap((index) => (index === place + 1 ? (tokens[index] ?? []) : []))
    for (const token of [...lead.slice(lead.indexOf(comparator)), ...counted]) filling.question.take(token)
    return number
  }
  return undefined
}

/** "between 10 and 20" for a pair of range ends. */
function fillBetween(filling: Filling): void {
  const slots = filling.slots.filter(isNumberSlot)
  const low = slots.find((slot) => rangeEnd(slot) === 'min')
  const high = slots.find((slot) => rangeEnd(slot) === 'max')
  const opener = filling.question.tokens.find((token) => /^(?:between|zwischen|entre)$/u.test(token.word))
  if (low === undefined || high === undefined || opener === undefined) return
  const [first, second] = openNumbers(filling).filter((number) => number.start > opener.start)
  if (first === undefined || second === undefined) return
  filling.question.take(opener)
  takeNumber(filling, low, first)
  takeNumber(filling, high, second)
}
