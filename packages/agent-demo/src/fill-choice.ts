/** Values that are chosen, not written: enums, switches (true or false), days, times and addresses in a known form. */
import { fill, type Filling, isOpen, mentions, roleHint } from './filling.js'
import type { Span } from './question.js'
import type { ChoiceShape, Scalar } from './schema-shape.js'
import type { Slot } from './slot.js'
import { isDaySlot, isMailSlot, isSwitchSlot, isTimeSlot } from './slot-kind.js'
import { relativeDay, toDay } from './relative-day.js'
import { isSameWord } from './word-match.js'
import { nameWords } from './words.js'

type ChoiceSlot = Slot & { shape: ChoiceShape }
const isChoiceSlot = (slot: Slot): slot is ChoiceSlot => slot.shape.kind === 'choice'

interface Match {
  value: Scalar
  from: number
  until: number
}

/** Enums that a preposition or their own name announces ("to EUR", "size m"), then those whose value is simply said. */
export function fillChoices(filling: Filling): void {
  const slots = filling.slots.filter(isChoiceSlot)
  for (const slot of slots) {
    const hint = roleHint(filling, slot)
    const near = mentions(filling, slot)
    const match = matchesOf(filling, slot).find(
      ({ from, until }) =>
        (hint !== undefined && ('from' in hint ? hint.from === from : hint.until === until)) ||
        near.some((place) => from > place && from - place <= 3),
    )
    if (match !== undefined) takeMatch(filling, slot, match)
  }
  for (const slot of slots) {
    const match = isOpen(filling, slot) ? matchesOf(filling, slot)[0] : undefined
    if (match !== undefined) takeMatch(filling, slot, match)
  }
}

function takeMatch(filling: Filling, slot: ChoiceSlot, { value, from, until }: Match): void {
  const spans = filling.question.tokens.slice(from, until)
  filling.chosen.push(...spans)
  fill(filling, slot, { value, spans })
}

/** Where values of the choice are said, the longest first: "dark blue" before "blue". */
function matchesOf(filling: Filling, slot: ChoiceSlot): Match[] {
  const { tokens, isFree } = filling.question
  return slot.shape.values
    .flatMap((value) => {
      const words = typeof value === 'string' ? nameWords(value) : typeof value === 'number' ? [String(value)] : []
      if (words.length === 0) return []
      return tokens.flatMap((_, from): Match[] => {
        const part = tokens.slice(from, from + words.length)
        const says =
          part.length === words.length && part.every((token, index) => isSaid(token.word, words[index] ?? ''))
        return says && part.every(isFree) ? [{ value, from, until: from + words.length }] : []
      })
    })
    .sort((a, b) => b.until - b.from - (a.until - a.from) || a.from - b.from)
}

/** Short values ("s", "on", "eur") must be said exactly. */
const isSaid = (word: string, wanted: string): boolean =>
  word === wanted || (wanted.length > 3 && isSameWord(word, wanted))

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
const NEGATIONS = words('not no without dont never nicht kein keine keinen ohne sans pas sin なし ない')
const OFF_WORDS = words('off false disable disabled deactivate aus falsch eteins eteindre apaga apagado オフ 消し 消す')
const ON_WORDS = words('on true enable enabled activate ein an wahr allume allumer enciende encendido オン つけ 付け')
/** Words around the thing itself in names of switches: "include_archived", "isPublic". */
const SWITCH_FRAME = words('is has have with include includes only should enable enabled allow')

/** True or false, when the slot's subject is said ("archived", "without sugar") or it is a plain switch ("on", "off"). */
export function fillSwitches(filling: Filling): void {
  const { tokens } = filling.question
  for (const slot of filling.slots) {
    if (slot.shape.kind !== 'boolean' || !isOpen(filling, slot)) continue
    if (isSwitchSlot(slot)) {
      const token = tokens.find(({ word }) => OFF_WORDS.has(word)) ?? tokens.findLast(({ word }) => ON_WORDS.has(word))
      if (token !== undefined) fill(filling, slot, { value: !OFF_WORDS.has(token.word), spans: [token] })
      continue
    }
    const subject = slot.words.filter((word) => !SWITCH_FRAME.has(word))
    const place = tokens.findIndex((token) => subject.some((word) => isSameWord(token.word, word)))
    if (place === -1) continue
    const around = tokens.slice(Math.max(0, place - 2), place + 3)
    const negation = around.find(({ word }) => NEGATIONS.has(word) || OFF_WORDS.has(word))
    const said = tokens.slice(place, place + 1)
    fill(filling, slot, { value: negation === undefined, spans: negation === undefined ? said : [...said, negation] })
  }
}

const MAIL = /[^\s@"'<>(),;:]+@[^\s@"'<>(),;:]+\.\p{L}{2,}/u
const LINK = /https?:\/\/[^\s"'<>]+/u

/** Strings in a known form: mail addresses, links, days and times. */
export function fillFormats(filling: Filling): void {
  for (const slot of filling.slots) {
    if (slot.shape.kind !== 'string' || !isOpen(filling, slot)) continue
    const { format } = slot.shape
    if (format === 'email' || isMailSlot(slot)) fillPattern(filling, slot, MAIL)
    else if (format === 'uri' || format === 'url') fillPattern(filling, slot, LINK)
    else if (format === 'date-time') fillMoment(filling, slot)
    else if (format === 'time' || (format === undefined && isTimeSlot(slot))) fillTime(filling, slot)
    else if (format === 'date' || (format === undefined && isDaySlot(slot))) fillDay(filling, slot)
  }
}

function fillPattern(filling: Filling, slot: Slot, pattern: RegExp): void {
  const match = pattern.exec(filling.question.text)
  if (match === null) return
  const span = { start: match.index, end: match.index + match[0].length }
  if (filling.question.isFree(span)) fill(filling, slot, { value: match[0], spans: [span] })
}

function fillDay(filling: Filling, slot: Slot): void {
  const found = findDay(filling)
  if (found !== undefined) fill(filling, slot, { value: found.day, spans: [found.span] })
}

function fillTime(filling: Filling, slot: Slot): void {
  const found = findTime(filling)
  if (found !== undefined) fill(filling, slot, { value: found.time, spans: [found.span] })
}

function fillMoment(filling: Filling, slot: Slot): void {
  const whole = filling.question.stamps.find((stamp) => /T\d/u.test(stamp.value) && filling.question.isFree(stamp))
  if (whole !== undefined) {
    fill(filling, slot, { value: whole.value, spans: [whole] })
    return
  }
  const [day, time] = [findDay(filling), findTime(filling)]
  if (day === undefined && time === undefined) return
  const value = `${day?.day ?? toDay(filling.today)}T${time?.time ?? '00:00'}:00Z`
  fill(filling, slot, { value, spans: [day?.span, time?.span].filter((span) => span !== undefined) })
}

function findDay(filling: Filling): { day: string; span: Span } | undefined {
  const { stamps, tokens, isFree } = filling.question
  const stamp = stamps.find(({ value, ...span }) => value.includes('-') && isFree(span))
  if (stamp !== undefined) return { day: stamp.value.slice(0, 10), span: stamp }
  for (const token of tokens) {
    const day = relativeDay(token.word, filling.today)
    if (day !== undefined && isFree(token)) return { day, span: token }
  }
  return undefined
}

function findTime(filling: Filling): { time: string; span: Span } | undefined {
  const stamp = filling.question.stamps.find(
    ({ value, ...span }) => !value.includes('-') && filling.question.isFree(span),
  )
  return stamp === undefined ? undefined : { time: stamp.value.padStart(5, '0'), span: stamp }
}
