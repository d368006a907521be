/**
 * The part of the adapter contract that is about AIs at their worst: gone, deaf, hanging, flooding, talking nonsense.
 * Whatever they do, a turn ends, a start ends, a close ends, and people are told in words.
 */
import { AgentError, type AgentSession, type TurnEvent } from '@leuria/agent'
import { expect, it } from 'vitest'
import {
  type AdapterContractOptions,
  type AdapterScene,
  collectTurn,
  expectNextTurn,
  expectOneEnd,
  FLOOD,
  GARBAGE,
  LIMIT_MS,
  openOptions,
  type Stage,
  textOf,
} from './agent-adapter-contract.js'

export function faultTests(stage: Stage, { without = [], hanging }: AdapterContractOptions): void {
  const plays = (scene: AdapterScene): boolean => !without.includes(scene)
  if (hanging !== undefined) hangingStart(stage, hanging)
  if (plays('flood')) floodTests(stage)
  if (plays('garbage')) garbageTest(stage)
  if (plays('die')) deathTest(stage)
  if (plays('deaf')) deafTests(stage)
  if (plays('leave')) leaveTest(stage)
}

/** A failure in words for people, and never anything else. */
function expectWords(error: unknown): void {
  expect(error).toBeInstanceOf(AgentError)
  if (error instanceof AgentError) expect(error.message).toMatch(/ .*\.$/)
}

/** Everything that the turn said before it failed, and how. `error` is null when it ended in order. */
async function outcomeOf(turn: AsyncIterable<TurnEvent>): Promise<{ events: TurnEvent[]; error: unknown }> {
  const events: TurnEvent[] = []
  try {
    for await (const event of turn) events.push(event)
    return { events, error: null }
  } catch (error) {
    return { events, error }
  }
}

/** Cancels as soon as something was said; the turn must end all the same. */
async function stopAtFirstWord(stage: Stage, session: AgentSession, scene: AdapterScene) {
  const cancel = new AbortController()
  const turn = session.prompt(stage.subject.play(scene), cancel.signal)[Symbol.asyncIterator]()
  const events: TurnEvent[] = []
  try {
    for (let next = await turn.next(); next.done !== true; next = await turn.next()) {
      events.push(next.value)
      if (next.value.type === 'text') cancel.abort()
    }
    return { events, error: null }
  } catch (error: unknown) {
    return { events, error }
  }
}

function hangingStart(stage: Stage, hanging: NonNullable<AdapterContractOptions['hanging']>): void {
  it('ends a start that hangs when the session ends', async () => {
    const subject = await hanging()
    const ending = new AbortController()
    const opened = subject.adapter.open({ ...openOptions(stage.tools), signal: ending.signal }).then(
      async (session) => session.close(),
      (error: unknown) => {
        expectWords(error)
      },
    )
    await new Promise((resolve) => setTimeout(resolve, 50))
    ending.abort()
    await opened
    await subject.close?.()
  })
}

function floodTests(stage: Stage): void {
  it('loses nothing of an answer in thousands of pieces', async () => {
    const session = await stage.open()
    const events = await collectTurn(session.prompt(stage.subject.play('flood'), AbortSignal.timeout(LIMIT_MS)))
    expectOneEnd(events, 'end_turn')
    expect(textOf(events)).toBe(FLOOD.text.repeat(FLOOD.count))
  })

  it('stops a flood, and hears nothing of it afterwards', async () => {
    const session = await stage.open()
    const { events, error } = await stopAtFirstWord(stage, session, 'flood')
    expect(error).toBeNull()
    expectOneEnd(events, 'cancelled')
    const next = await collectTurn(session.prompt(stage.subject.play('answer'), AbortSignal.timeout(LIMIT_MS)))
    expectOneEnd(next, 'end_turn')
    expect(textOf(next)).not.toContain(FLOOD.text.repeat(2))
  })
}

function garbageTest(stage: Stage): void {
  it('passes nonsense on to nobody, and goes on afterwards', async () => {
    const session = await stage.open()
    const turn = session.prompt(stage.subject.play('garbage'), AbortSignal.timeout(LIMIT_MS))
    const { events, error } = await outcomeOf(turn)
    expect(textOf(events)).not.toContain(GARBAGE)
    if (error === null) expectOneEnd(events, 'end_turn')
    else expectWords(error)
    await expectNextTurn(stage, session)
  })
}

function deathTest(stage: Stage): void {
  it('fails a turn in which its AI dies, with words for people', async () => {
    const session = await stage.open()
    const turn = session.prompt(stage.subject.play('die'), AbortSignal.timeout(LIMIT_MS))
    const { events, error } = await outcomeOf(turn)
    expect(events.filter(({ type }) => type === 'turn_end')).toEqual([])
    expectWords(error)
    await session.close()
  })
}

function deafTests(stage: Stage): void {
  it('ends a turn although its AI takes no notice of the cancel', async () => {
    const session = await stage.open()
    const { events, error } = await stopAtFirstWord(stage, session, 'deaf')
    if (error === null) expectOneEnd(events, 'cancelled')
    else expectWords(error)
  })

  it('closes although its AI takes no notice', async () => {
    const session = await stage.open()
    const turn = outcomeOf(session.prompt(stage.subject.play('deaf'), AbortSignal.timeout(LIMIT_MS)))
    await new Promise((resolve) => setImmediate(resolve))
    await session.close()
    await turn
  })
}

function leaveTest(stage: Stage): void {
  it('tells when its AI ends by itself, and answers nothing afterwards', async () => {
    const session = await stage.open()
    const events = await collectTurn(session.prompt(stage.subject.play('leave'), AbortSignal.timeout(LIMIT_MS)))
    expectOneEnd(events, 'end_turn')
    const exit = await session.exited
    expect(exit.clean).toBe(true)
    expect(exit.reason).toMatch(/ .*\.$/)
    const next = await outcomeOf(session.prompt(stage.subject.play('answer'), AbortSignal.timeout(LIMIT_MS)))
    expectWords(next.error)
  })
}
