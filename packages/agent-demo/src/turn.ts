/**
 * One turn: choose a tool, fill its arguments, look up what is missing, call, tell. Every call is reported as it begins
 * and ends. The session gives the signal and keeps what outlives a turn.
 */
import type { PageTools, ToolOutcome, TurnEvent } from '@leuria/agent'
import { TOOL_NAME_PREFIX } from '@leuria/protocol'
import type { Clock } from '@leuria/clock'
import { chooseTool } from './choose-tool.js'
import { splitClauses } from './clauses.js'
import { fillArguments, type Filled } from './fill-arguments.js'
import { findLookup } from './find-lookup.js'
import { findSubmit, readAnswer } from './hand-in.js'
import { readQuestion } from './question.js'
import { resultValue, sayExtras, sayResult } from './say-result.js'
import { NO_TOOLS, OUT_OF_STEPS, sayAbilities, sayFailure, sayMissing, sayNothingFound, sayPicks } from './say-help.js'
import type { SessionMemory } from './session-memory.js'
import { profileTools, type ToolProfile } from './tool-profile.js'
import { isStopWord } from './word-lists.js'
import { tokenise } from './words.js'

/** A question that waits for an argument: the next one may bring it. */
export interface OpenQuestion {
  readonly toolName: string
  readonly text: string
}

/** What a turn works with; `open` and `calls` outlive it. */
export interface TurnState {
  readonly tools: PageTools
  readonly memory: SessionMemory
  readonly clock: Clock
  /** Calls that one turn may make. */
  readonly maxSteps: number
  open: OpenQuestion | undefined
  calls: number
}

interface Turn {
  readonly state: TurnState
  readonly profiles: readonly ToolProfile[]
  readonly signal: AbortSignal
  stepsLeft: number
}

/** A part of a question, and the tool that it is for where that is known. */
interface Clause {
  readonly text: string
  readonly profile?: ToolProfile
}

/** What a part of a turn ends with: something to say, and whether the steps ran out. */
export interface Said {
  readonly text: string
  readonly isOutOfSteps?: boolean
}

type Work<T> = AsyncGenerator<TurnEvent, T>

/** Works on a question, yielding calls as they happen, and returns what to say. Undefined: called off. */
export async function* workOn(state: TurnState, text: string, signal: AbortSignal): Work<Said | undefined> {
  const profiles = profileTools(state.tools.listTools())
  if (profiles.length === 0) return { text: NO_TOOLS }
  const turn: Turn = { state, profiles, signal, stepsLeft: state.maxSteps }
  const submit = findSubmit(profiles)
  if (submit !== undefined) return yield* handIn(turn, submit, text)
  const said: Said[] = []
  for (const clause of continueOpen(turn, text) ?? splitClauses(text, profiles).map((part) => ({ text: part }))) {
    const part = yield* workOnClause(turn, clause)
    if (part === undefined) return undefined
    said.push(part)
    if (part.isOutOfSteps === true || state.open !== undefined) break
  }
  return { text: said.map((part) => part.text).join('\n\n'), isOutOfSteps: said.at(-1)?.isOutOfSteps }
}

/** The page wants an answer of a given shape, and nothing else. */
async function* handIn(turn: Turn, submit: ToolProfile, text: string): Work<Said | undefined> {
  const answer = readAnswer(submit, text)
  const outcome = yield* call(turn, submit, answer.arguments)
  if (outcome === 'cancelled') return undefined
  if (outcome === 'out_of_steps') return { text: OUT_OF_STEPS, isOutOfSteps: true }
  return { text: outcome.ok ? answer.words : sayFailure(submit.title, outcome) }
}

/** An answer to what was asked back: both texts together. A question that plainly means something else stands alone. */
function continueOpen({ state, profiles }: Turn, text: string): Clause[] | undefined {
  const { open } = state
  state.open = undefined
  const profile = profiles.find((one) => one.tool.name === open?.toolName)
  if (open === undefined || profile === undefined) return undefined
  const { intent } = readQuestion(text)
  const choice = chooseTool(readQuestion(text), profiles)
  // What the visitor says now comes first: it is what a second number or name is for.
  const clause = { text: `${text}\n${open.text}`, profile }
  if ('action' in intent) return choice === undefined && intent.action === profile.action ? [clause] : undefined
  if (choice === undefined || choice.profile === profile) return [clause]
  const filled = fillArguments(profile, clause.text, { memory: state.memory, today: state.clock.date() })
  const isAnswer = !intent.asks && filled.missing.length === 0 && filled.unknown === undefined
  return isAnswer ? [clause] : undefined
}

async function* workOnClause(turn: Turn, { text, ...clause }: Clause): Work<Said | undefined> {
  const profile = clause.profile ?? chooseTool(readQuestion(text), turn.profiles)?.profile
  if (profile === undefined) {
    const isAsked = tokenise(text).every(({ word }) => isStopWord(word))
    return { text: sayAbilities(turn.profiles, { isAsked }) }
  }
  const today = turn.state.clock.date()
  let filled = fillArguments(profile, text, { memory: turn.state.memory, today })
  if (filled.unknown !== undefined) {
    const lookup = yield* lookUp(turn, profile, filled.unknown)
    if (lookup === undefined || lookup.text !== '') return lookup
    filled = fillArguments(profile, text, { memory: turn.state.memory, today, isLastTry: true })
  }
  if (filled.missing.length > 0) {
    turn.state.open = { toolName: profile.tool.name, text }
    return { text: sayMissing(profile, filled.missing, turn.state.memory) }
  }
  const outcome = yield* call(turn, profile, filled.arguments)
  return outcome === 'cancelled' ? undefined : tell(profile, outcome, filled)
}

function tell(profile: ToolProfile, outcome: ToolOutcome | 'out_of_steps', filled: Filled): Said {
  if (outcome === 'out_of_steps') return { text: OUT_OF_STEPS, isOutOfSteps: true }
  if (!outcome.ok) return { text: sayFailure(profile.title, outcome) }
  const parts = [sayPicks(filled.picks), sayResult(resultValue(outcome), profile.title), sayExtras(outcome)]
  return { text: parts.filter((part) => part !== '').join('\n') }
}

/** Asks another tool for a thing's id. An empty text: there is something new to choose from, or nobody to ask. */
async function* lookUp(
  turn: Turn,
  profile: ToolProfile,
  unknown: NonNullable<Filled['unknown']>,
): Work<Said | undefined> {
  const { memory, clock } = turn.state
  const lookup = findLookup({ profiles: turn.profiles, memory, clock }, profile, unknown)
  if (lookup === undefined) return { text: '' }
  const before = memory.lists()[0]
  const outcome = yield* call(turn, lookup.profile, lookup.arguments)
  if (outcome === 'cancelled') return undefined
  if (outcome === 'out_of_steps') return { text: OUT_OF_STEPS, isOutOfSteps: true }
  if (!outcome.ok) return { text: sayFailure(lookup.profile.title, outcome) }
  return { text: memory.lists()[0] === before ? sayNothingFound(unknown.subject) : '' }
}

/** Calls a tool and reports it. What it brings is remembered. */
async function* call(
  turn: Turn,
  { tool, title, nameWords }: ToolProfile,
  args: Record<string, unknown>,
): Work<ToolOutcome | 'cancelled' | 'out_of_steps'> {
  if (turn.signal.aborted) return 'cancelled'
  if (turn.stepsLeft === 0) return 'out_of_steps'
  turn.stepsLeft -= 1
  turn.state.calls += 1
  const report = {
    type: 'tool_call',
    toolCallId: `demo-${turn.state.calls}`,
    title,
    toolName: TOOL_NAME_PREFIX + tool.name,
  } as const
  yield { ...report, status: 'in_progress' }
  const outcome = await untilAborted(
    turn.state.tools.call({ name: tool.name, arguments: args, signal: turn.signal }),
    turn.signal,
  )
  yield { ...report, status: outcome !== undefined && outcome.ok ? 'completed' : 'failed' }
  if (outcome === undefined) return 'cancelled'
  if (outcome.ok) turn.state.memory.remember({ toolWords: nameWords, value: resultValue(outcome) })
  return outcome
}

/** The work's result, or `undefined` as soon as the signal aborts: a page that never answers must not hold a turn. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      resolve(undefined)
    }
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', stop)
    })
  })
}
