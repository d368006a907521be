/** Judges a round: compares what the readers of a session have with what the AI has really said. */
import { FINAL_EVENTS, type TurnCompletedData } from '@leuria/protocol'
import type { SseEvent } from '@leuria/testing'
import type { FaultySession } from './faulty-session.fixture.js'
import type { RecordedAi, SpokenTurn } from './recorded-ai.fixture.js'

const finals: ReadonlySet<string> = new Set(FINAL_EVENTS)

/** What is wrong with a session that has lived; empty is what a test wants to see. */
export function findFaults(session: FaultySession, ai: RecordedAi): string[] {
  const [resuming, forgetful] = session.readers
  const heard = new Map(resuming.events.map((event) => [event.id ?? '', event]))
  const strange = [...forgetful.byId].filter(([id, event]) => {
    const same = heard.get(id)
    // A reader that was told to leave may have left before the other one.
    return same === undefined ? session.ending !== 'abandon' : JSON.stringify(same) !== JSON.stringify(event)
  })
  return [
    ...resuming.faults,
    ...forgetful.faults,
    ...strange.map(([id]) => `event ${id} is another one for the forgetful reader`),
    ...findTurnFaults(resuming.events, ai.turns),
    ...findEndFaults(session),
    ...findCallFaults(session),
  ]
}

/** The turn that a text belongs to: each begins with its number. */
function turnOf(text: string, turns: readonly SpokenTurn[]): SpokenTurn | undefined {
  return turns[Number(/^<(\d+)>/.exec(text)?.[1] ?? -1)]
}

function findTurnFaults(events: readonly SseEvent[], turns: readonly SpokenTurn[]): string[] {
  const faults: string[] = []
  let chunks: string | null = null
  for (const { event, data } of events) {
    if (event === 'turn_start') {
      if (chunks !== null) faults.push('a turn began before the last one had ended')
      chunks = ''
    } else if (event === 'chunk') {
      if (chunks === null) faults.push('a chunk outside a turn')
      chunks = (chunks ?? '') + String(data)
    } else if (event === 'turn_completed') {
      const { text, stopReason } = data as TurnCompletedData
      if (text !== chunks) faults.push(`turn_completed says "${text}" after the chunks "${String(chunks)}"`)
      faults.push(...judgeText(text, turns, stopReason === 'cancelled'))
      chunks = null
    }
  }
  if (chunks !== null) faults.push(...judgeText(chunks, turns, true))
  return faults
}

/** A whole answer is the AI's to the letter; one that was cut short is how the AI began. */
function judgeText(text: string, turns: readonly SpokenTurn[], cutShort: boolean): string[] {
  if (text === '' && cutShort) return []
  const turn = turnOf(text, turns)
  if (turn === undefined) return [`nobody said "${text}"`]
  if (cutShort) return turn.text.startsWith(text) ? [] : [`"${text}" is no beginning of "${turn.text}"`]
  return turn.whole && turn.text === text ? [] : [`"${text}" is not all of "${turn.text}"`]
}

function findEndFaults({ readers: [resuming], ending }: FaultySession): string[] {
  const ends = resuming.events.filter(({ event }) => finals.has(event)).length
  const expected = ending === 'abandon' ? 'at most once' : 'once'
  const fits = ending === 'abandon' ? ends <= 1 : ends === 1 && finals.has(resuming.events.at(-1)?.event ?? '')
  return fits ? [] : [`the session's end came ${ends} times instead of ${expected}`]
}

/** The engine sends a call again once, to a page that came back. */
function findCallFaults({ page }: FaultySession): string[] {
  return [...page.calls].flatMap(([id, { came }]) => (came <= 2 ? [] : [`call ${id} came ${came} times`]))
}

/** What is wrong with how the AI's calls were answered. */
export function findAnswerFaults({ calls }: RecordedAi): string[] {
  return calls.flatMap(({ n, outcomes }) => {
    const [outcome] = outcomes
    if (outcome === undefined || outcomes.length > 1) return [`call ${n} was answered ${outcomes.length} times`]
    if (!outcome.ok) return outcome.error === '' ? [`call ${n} failed without a word`] : []
    return outcome.text === JSON.stringify({ echo: n }) ? [] : [`call ${n} got the answer ${outcome.text}`]
  })
}
