// Seeded faults on the AI's side: it hangs, dies, talks late, doesn't stop, while the page does whatever comes to mind.
// Whatever happens, every turn and every session ends exactly once, and nothing is left in memory.
import fc from 'fast-check'
import { AgentError } from '@leuria/agent'
import { EngineError, isLive, STOP_REASONS } from '@leuria/protocol'
import { type FakeSink, type ScriptedAgentOptions, settle } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import { NOTHING, Scene, type SessionScene } from './scene.fixture.js'

const PAGE_STEPS = ['approve', 'prompt', 'cancelTurn', 'cancel', 'close', 'read', 'leave', 'prepare'] as const
const AI_STEPS = ['start', 'failStart', 'text', 'end', 'fail', 'finish', 'exit', 'crash', 'log'] as const
const WAITS = [0, 400, 1_000, 10_000, 60_000, 31 * 60_000] as const

const plan = fc.record({
  start: fc.constantFrom<ScriptedAgentOptions['start']>(
    'at_once',
    'by_hand',
    new AgentError('unavailable', 'Not there.'),
  ),
  onCancel: fc.constantFrom('obey' as const, 'ignore' as const),
  onClose: fc.constantFrom<ScriptedAgentOptions['onClose']>('obey', 'hang', new Error('stuck')),
  withPrompt: fc.boolean(),
  steps: fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.record({ who: fc.constantFrom(...PAGE_STEPS) }) },
      { weight: 6, arbitrary: fc.record({ who: fc.constantFrom(...AI_STEPS) }) },
      { weight: 2, arbitrary: fc.record({ who: fc.constantFrom(...WAITS) }) },
    ),
    { minLength: 5, maxLength: 40 },
  ),
})
type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never

/** Refusals are answers; anything else that is thrown is a fault. */
function attempt(act: () => unknown): void {
  try {
    act()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
  }
}

class Chaos {
  readonly scene: Scene
  readonly streams: { sink: FakeSink; detach: () => void }[] = []
  session: SessionScene

  constructor({ withPrompt, ...behaviour }: Plan) {
    this.scene = new Scene(behaviour)
    this.session = this.scene.prepare(withPrompt ? { prompt: 'hello' } : {})
  }

  page(step: (typeof PAGE_STEPS)[number]): void {
    const { session, streams } = this
    if (step === 'prompt') session.prompt('go')
    else if (step === 'read') streams.push(session.read())
    else if (step === 'leave') streams.pop()?.detach()
    else if (step === 'prepare') this.session = this.scene.prepare()
    else session[step]()
  }

  ai(step: (typeof AI_STEPS)[number]): void {
    const { agent, requests } = this.scene
    const ai = agent.sessions.at(-1)
    const turn = ai?.turns.at(-1)
    if (step === 'start') agent.openings.shift()?.succeed()
    else if (step === 'failStart') agent.openings.shift()?.fail(new Error('no'))
    else if (step === 'exit') ai?.exit()
    else if (step === 'crash') ai?.exit({ clean: false, reason: 'Crashed.' })
    else if (step === 'log') requests.at(-1)?.log('line')
    else if (step === 'text') turn?.text('word ')
    else if (step === 'end') turn?.end(STOP_REASONS[turn.prompt.text.length % STOP_REASONS.length])
    else if (step === 'fail') turn?.fail(new AgentError('failed', 'Broken.'))
    else turn?.finish()
  }
}

/** Turns begin and end one after the other; a session's end is the last word, and there is at most one. */
function expectOrder({ names, state }: FakeSink): void {
  const ends = names.filter((name) => ['completed', 'cancelled', 'failed'].includes(name))
  expect(ends.length).toBeLessThanOrEqual(1)
  if (ends.length === 1) expect([names.at(-1), state]).toEqual([ends[0], 'ended'])
  let inTurn: boolean | null = null
  for (const name of names) {
    if (name === 'turn_start') {
      expect(inTurn).not.toBe(true)
      inTurn = true
    } else if (name === 'turn_completed') {
      expect(inTurn).not.toBe(false)
      inTurn = false
    } else if (name === 'chunk') expect(inTurn).not.toBe(false)
  }
}

async function play(options: Plan): Promise<void> {
  const chaos = new Chaos(options)
  const { scene } = chaos
  for (const { who } of options.steps) {
    if (typeof who === 'number') await scene.clock.advanceAsync(who)
    else if ((PAGE_STEPS as readonly string[]).includes(who)) attempt(() => chaos.page(who as 'read'))
    else chaos.ai(who as 'text')
    if (who !== 'text') await settle()
  }
  const all = chaos.streams.map(({ sink }) => sink)
  const left = scene.leftovers()
  await scene.clock.advanceAsync(20_000)
  for (const opening of scene.agent.openings) opening.succeed()
  await scene.clock.advanceAsync(20_000)
  expect(await left).toMatchObject({
    ...NOTHING,
    agents: expect.any(Number) as number,
    timers: expect.any(Number) as number,
  })
  expect(scene.agent.running).toBe(0)
  expect(scene.clock.pending).toBe(0)
  for (const sink of all) expectOrder(sink)
  expect(all.every(({ state, names }) => state === 'ended' || !names.some((name) => name === 'completed'))).toBe(true)
  expect([...scene.channels.values()].every(({ closed }) => closed !== null)).toBe(true)
  const statuses = scene.changes.flatMap((change) => (change.kind === 'status' ? [change] : []))
  const ended = statuses.filter(({ status }) => !isLive(status)).map(({ sessionId }) => sessionId)
  expect(ended).toHaveLength(scene.channels.size)
  expect(new Set(ended).size).toBe(ended.length)
}

/** More rounds, or other ones: LEURIA_ROUNDS=1000 LEURIA_SEED=7. */
const ROUNDS = Number(process.env.LEURIA_ROUNDS ?? 60)
const SEED = Number(process.env.LEURIA_SEED ?? 1)

describe('an AI that misbehaves', () => {
  it(
    'never keeps a session from its one end, and leaves nothing behind',
    { timeout: 60_000 + 5_000 * ROUNDS },
    async () => {
      await fc.assert(fc.asyncProperty(plan, play), { numRuns: ROUNDS, seed: SEED })
    },
  )
})
