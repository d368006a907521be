/** Agents that die, hang or won't go (FC-17): told at once, in words, and nothing stays behind. */
import { AgentError } from '@leuria/agent'
import { systemClock } from '@leuria/clock'

import { type AcpScript, collectTurn } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import { isAlive, plainLaunch, scriptedProgram } from './process.fixture.js'
import { scene } from './scripted.fixture.js'

const never = (): AbortSignal => new AbortController().signal

async function failureOf(work: Promise<unknown>): Promise<AgentError> {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof AgentError)) throw new Error('It did not fail with an AgentError.')
  return error
}

/** A scene with a real program. */
function program(script: AcpScript) {
  const plain = plainLaunch()
  return { ...scene({}, { ...scriptedProgram(script), launch: plain.launch, clock: systemClock }), pids: plain.pids }
}

describe('an agent that dies', () => {
  // FC-17, A1 and A2
  it.each([
    [1, "Scripted agent's program ended unexpectedly (code 1)."],
    [0, "Scripted agent's program ended."],
  ])('in a turn, with code %i, fails the turn and says so', async (code, message) => {
    const { open } = program({ prompts: [[{ say: 'half' }, { exit: code }, { noAnswer: true }]] })
    const session = await open()
    expect(await failureOf(collectTurn(session.prompt({ text: 'hi' }, never())))).toMatchObject({
      code: 'crashed',
      message,
    })
    expect(await session.exited).toEqual({ clean: code === 0, reason: message })
  })

  // FC-17, B
  it('while nothing is asked is told at once, and answers nothing afterwards', async () => {
    const { open, pids } = program({})
    const session = await open()
    process.kill(pids[0] ?? 0, 'SIGKILL')
    const reason = "Scripted agent's program was stopped (SIGKILL)."
    expect(await session.exited).toEqual({ clean: false, reason })
    expect(await failureOf(collectTurn(session.prompt({ text: 'hi' }, never())))).toMatchObject({ code: 'crashed' })
  })

  // FC-17, C
  it('before it began: no such program', async () => {
    const { open } = scene({}, { command: '/nowhere/agent', launch: plainLaunch().launch })
    expect((await failureOf(open())).code).toBe('unavailable')
  })

  it('while it starts', async () => {
    const { open, started } = scene({ start: [{ exit: 3 }] })
    expect(await failureOf(open())).toMatchObject({
      code: 'crashed',
      message: "Scripted agent's program ended unexpectedly (code 3).",
    })
    expect(started.running).toBe(0)
  })

  it('with questions of its own open, or having closed its output and stayed', async () => {
    const ask = { raw: '{"jsonrpc":"2.0","id":"q","method":"session/request_permission","params":{}}\n' }
    const { turn, pids } = program({ prompts: [[ask, { closeOutput: true }, { wait: 'ever' }]], clings: true })
    expect((await failureOf(turn())).code).toBe('crashed')
    await expect.poll(() => pids.some(isAlive), { timeout: 20_000 }).toBe(false)
  })
})

describe('an agent that hangs', () => {
  it.each<[string, AcpScript]>([
    ['initialize', { initialize: { hang: true } }],
    ['session/new', { newSession: [{ hang: true }] }],
  ])('in %s is given 30 seconds, then it is ended', async (method, script) => {
    const { open, clock, started, agent } = scene(script)
    const failed = failureOf(open())
    await expect.poll(() => started.agents.length).toBe(1)
    await agent().until(method)
    await clock.advanceAsync(29_999)
    expect(started.running).toBe(1)
    await clock.advanceAsync(1)
    expect((await failed).code).toBe('timed_out')
    expect(started.running).toBe(0)
  })

  it('is ended when the session ends while it starts', async () => {
    const end = new AbortController()
    const { open, started, agent } = scene({ newSession: [{ hang: true }] })
    const failed = failureOf(open({ signal: end.signal }))
    await expect.poll(() => started.agents.length).toBe(1)
    await agent().until('session/new')
    end.abort()
    expect((await failed).message).toBe('The session ended before its AI had started.')
    expect(started.running).toBe(0)
  })

  it('at its close is ended by force, with what it started', async () => {
    const { open, pids } = program({ clings: true, prompts: [[{ child: 'same_group' }, { report: true }]] })
    const session = await open()
    const events = await collectTurn(session.prompt({ text: 'hi' }, never()))
    const child = Number(/"pid":(\d+)/.exec(JSON.stringify(events).replaceAll('\\', ''))?.[1])
    expect([...pids, child].map(isAlive)).toEqual([true, true])
    await session.close()
    await expect.poll(() => [...pids, child].some(isAlive), { timeout: 20_000 }).toBe(false)
  })
})

it('an agent that reads nothing can be closed', async () => {
  const { open, pids } = program({})
  const session = await open()
  process.kill(pids[0] ?? 0, 'SIGSTOP')
  const turn = collectTurn(session.prompt({ text: 'x'.repeat(5_000_000) }, never()))
  await session.close()
  expect((await turn).at(-1)).toEqual({ type: 'turn_end', stopReason: 'cancelled' })
})

it('two hundred sessions one after the other leave no program behind', async () => {
  const { open, adapter, started } = scene()
  for (let n = 0; n < 200; n += 1) {
    const session = await open({ sessionId: `s${n}` })
    await collectTurn(session.prompt({ text: 'hi' }, never()))
    await session.close()
  }
  expect([started.running, adapter.running, started.agents.length]).toEqual([0, 0, 200])
})
