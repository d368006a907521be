/** What this AI says when it has nothing to tell from a page: what it can do, what it lacks, what went wrong. */
import type { ToolFailure } from '@leuria/agent'
import type { Missing } from './fill-arguments.js'
import type { Pick } from './choose-record.js'
import { plainLabel, plainPhrase } from './plain-text.js'
import type { SessionMemory } from './session-memory.js'
import type { Slot } from './slot.js'
import { isIdSlot } from './slot-kind.js'
import type { ToolProfile } from './tool-profile.js'

/** Tools that are listed; the rest is counted. */
const MAX_LISTED_TOOLS = 8
/** Things that are offered when one must be chosen. */
const MAX_OFFERED = 6

export const NO_TOOLS =
  'This page offers me no tools, and I have no model to answer from, so there is nothing I can do here. I am a demo that only calls what a page offers.'

/** When no tool fits the words, or when there are no words to fit (a greeting, "what can you do?"). */
export function sayAbilities(profiles: readonly ToolProfile[], { isAsked = false } = {}): string {
  const lines = profiles.slice(0, MAX_LISTED_TOOLS).map(({ title, tool }) => {
    const about = firstSentence(plainPhrase(tool.description))
    return about === '' ? `• ${title}` : `• ${title}: ${about}`
  })
  const more = profiles.length > MAX_LISTED_TOOLS ? [`… and ${profiles.length - MAX_LISTED_TOOLS} more.`] : []
  return [
    `I am a demo without a model: I pick one of the page’s tools by the words of your question${isAsked ? '' : ', and none fits these words'}. Here I can:`,
    ...lines,
    ...more,
  ].join('\n')
}

const firstSentence = (text: string): string => /^.*?[.!?。！？](?=\s|$|[^\s.!?])/u.exec(text)?.[0] ?? text

/** When a required argument can't be found in the question. */
export function sayMissing(profile: ToolProfile, missing: readonly Missing[], memory: SessionMemory): string {
  const [unfit, open] = [
    missing.filter((one) => one.unfit !== undefined),
    missing.filter((one) => one.unfit === undefined),
  ]
  const refusals = unfit.map(
    (one) => `${one.unfit} does not fit: ${withBounds(one.slot)} is what “${profile.title}” takes.`,
  )
  const wanted = open.slice(0, 4).map(({ slot }) => withBounds(slot))
  const offered = missing.some(({ slot }) => isIdSlot(slot)) ? offer(memory) : ''
  const request =
    wanted.length === 0 ? '' : `To use “${profile.title}” I still need ${joinWords(wanted)}. Please tell me.`
  return `${[...refusals, request].filter((part) => part !== '').join(' ')}${offered}`
}

function withBounds(slot: Slot): string {
  const bounds = boundsOf(slot)
  return bounds === '' ? slotName(slot) : `${slotName(slot)} (${bounds})`
}

function offer(memory: SessionMemory): string {
  const labels =
    memory
      .lists()[0]
      ?.records.map(({ label }) => label)
      .filter((label) => label !== '') ?? []
  if (labels.length < 2) return ''
  return ` I know of ${joinWords(labels.slice(0, MAX_OFFERED).map((label) => `“${label}”`))}.`
}

function slotName(slot: Slot): string {
  const name = plainLabel(slot.words.join(' '))
  const around = plainLabel(slot.around.join(' '))
  return `the ${name === '' ? plainLabel(slot.path.at(-1) ?? '') : name}${around === '' ? '' : ` of the ${around}`}`
}

function boundsOf(slot: Slot): string {
  const { shape } = slot
  if (shape.kind === 'choice') {
    return joinWords(
      shape.values.slice(0, 12).map((value) => plainLabel(String(value))),
      'or',
    )
  }
  if (shape.kind !== 'number') return ''
  const kind = shape.isInteger ? 'a whole number' : 'a number'
  if (shape.min !== undefined && shape.max !== undefined) return `${kind} from ${shape.min} to ${shape.max}`
  if (shape.min !== undefined) return `${kind}, at least ${shape.min}`
  return shape.max === undefined ? kind : `${kind}, at most ${shape.max}`
}

export function joinWords(words: readonly string[], joiner = 'and'): string {
  const last = words.at(-1)
  return words.length < 2 || last === undefined ? (last ?? '') : `${words.slice(0, -1).join(', ')} ${joiner} ${last}`
}

/** Which of several things was taken, when the question left it open. */
export function sayPicks(picks: readonly Pick[]): string {
  return picks
    .filter(({ by, among, label }) => by === 'first' && among > 1 && label !== '')
    .map(({ among, label }) => `${among} things fit; I took the first, “${label}”.`)
    .join(' ')
}

const FAILURES: Readonly<Record<ToolFailure, (title: string, error: string) => string>> = {
  unknown_tool: (title) => `The page no longer offers “${title}”.`,
  invalid_arguments: (title, error) => `What I understood does not fit what “${title}” takes: ${error}`,
  over_budget: () => 'I have called as many tools as one answer may, so I stopped here.',
  not_connected: (title) => `I could not reach the page to call “${title}”. Is it still open?`,
  page_error: (title, error) => `“${title}” did not work. The page says: ${error}`,
  timed_out: (title) => `The page did not answer “${title}” in time.`,
  cancelled: (title) => `The call of “${title}” was called off.`,
  session_ended: () => 'The session with the page has ended.',
  too_large: (title) => `What “${title}” brought is too large for me to read.`,
}

/** A failed call, honestly. */
export function sayFailure(title: string, failure: { code: ToolFailure; error: string }): string {
  return FAILURES[failure.code](title, plainPhrase(failure.error))
}

export const sayNothingFound = (subject: string): string =>
  `I looked for “${plainPhrase(subject)}” first and found nothing of that name, so I went no further.`

export const OUT_OF_STEPS = 'I have used all the steps that one answer may take, so I stopped here.'
