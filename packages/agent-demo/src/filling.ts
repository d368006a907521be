/** What the steps of filling share: the question, the slots, the values so far, and where a slot is named in the question. */
import type { Question, Span } from './question.js'
import type { Slot, Values } from './slot.js'
import type { Token } from './words.js'
import { isSameWord } from './word-match.js'
import { isStopWord } from './word-lists.js'

export interface Filling {
  readonly question: Question
  readonly slots: readonly Slot[]
  readonly values: Values
  /** Places of tokens that only name the tool: no values, unless nothing else is left. */
  readonly toolTokens: ReadonlySet<number>
  /** For "tomorrow". */
  readonly today: Date
  /** Words that were taken as choices, for a search that would be left without any. */
  readonly chosen: Span[]
}

/** Words that may stand between a property's name and its value. */
const CONNECTORS = new Set(
  'is are be to of as at the a an equals equal auf ist als der die das den zu est sont a de du la le les es el の は を が に to'.split(
    ' ',
  ),
)

/** Prepositions that announce what a property of such a name wants. */
const ROLES: readonly { names: ReadonlySet<string>; before: ReadonlySet<string>; after: ReadonlySet<string> }[] = [
  {
    names: new Set(
      'to recipient destination target dest receiver an empfanger ziel nach destinataire vers destino para 宛先 目的地'.split(
        ' ',
      ),
    ),
    before: new Set('to into an nach für à vers para auf'.split(' ')),
    after: new Set('まで へ'.split(' ')),
  },
  {
    names: new Set(
      'from source origin sender departure von quelle absender de depuis depart origen desde 出発 出発地'.split(' '),
    ),
    before: new Set('from von ab aus de depuis desde'.split(' ')),
    after: new Set(['から']),
  },
  {
    names: new Set(
      'with participant participants guest guests attendee attendees mit teilnehmer avec invite invites con'.split(' '),
    ),
    before: new Set('with mit avec con'.split(' ')),
    after: new Set(['と']),
  },
]

export const isOpen = (filling: Filling, slot: Slot): boolean => !filling.values.has(slot)

/** Gives a slot its value and marks the words that it came from. */
export function fill(filling: Filling, slot: Slot, found: { value: unknown; spans?: readonly Span[] }): void {
  filling.values.set(slot, found.value)
  for (const span of found.spans ?? []) filling.question.take(span)
}

/** Places of the tokens that name the slot, in the question's sequence. Words that every slot shares don't count. */
export function mentions(filling: Filling, slot: Slot): number[] {
  const words = slot.words.filter((word) => !isStopWord(word) || slot.words.length === 1)
  const shared = (word: string): boolean =>
    filling.slots.some((other) => other !== slot && other.words.includes(word)) && slot.words.length > 1
  const own = words.filter((word) => !shared(word))
  return filling.question.tokens.flatMap((token, index) =>
    own.some((word) => isSameWord(token.word, word)) && !isStopWord(token.word) ? [index] : [],
  )
}

/** The token where the value that a preposition announces begins or (after a postposition) ends. */
export function roleHint(filling: Filling, slot: Slot): { from: number } | { until: number } | undefined {
  const role = ROLES.find(({ names }) => slot.words.some((word) => names.has(word)))
  if (role === undefined) return undefined
  const { tokens, isFree } = filling.question
  for (const [index, token] of tokens.entries()) {
    const plain = token.text.toLowerCase()
    const next = tokens[index + 1]
    const before = tokens[index - 1]
    if (role.before.has(plain) && next !== undefined && isFree(next) && !filling.toolTokens.has(index + 1)) {
      return { from: index + 1 }
    }
    if (role.after.has(plain) && before !== undefined && isFree(before)) return { until: index }
  }
  return undefined
}

/** The first token after a mention that can begin a value. */
export function afterConnectors(filling: Filling, mention: number): number {
  const { tokens } = filling.question
  let index = mention + 1
  while (index < tokens.length && CONNECTORS.has(tokens[index]?.word ?? '')) index += 1
  return index
}

/** True when a mark such as a comma or a full stop separates two neighbours. */
export function isApart(question: Question, left: Token, right: Token): boolean {
  return /[,;.!?、。！？\n()]/u.test(question.text.slice(left.end, right.start))
}

/** A piece of the question from token to token (`until` not included). */
export function spanOf(question: Question, from: number, until: number): Span {
  return { start: question.tokens[from]?.start ?? 0, end: question.tokens[until - 1]?.end ?? 0 }
}
