/**
 * Sessions on a bad network: a scripted AI, pages on real WebSockets, readers of real event streams, and a proxy in
 * between that cuts, stalls, delays, duplicates and reorders connections by chance from a seed. Whatever happens: every
 * turn ends, every tool call is answered once, the readers' text is the AI's text, and nothing is left in memory.
 *
 * 1,000 rounds: `pnpm --filter @leuria/engine test:faults`. Others: LEURIA_ROUNDS=200 LEURIA_SEED=7.
 */
import type { Origin } from '@leuria/protocol'
import { type ConnectionFault, faultProxy, type FaultProxy, seededRandom } from '@leuria/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FaultySession } from './faulty-session.fixture.js'
import { findAnswerFaults, findFaults } from './verdict.fixture.js'
import { NOTHING, World } from './world.fixture.js'

const ROUNDS = Number(process.env.LEURIA_ROUNDS ?? 50)
const SEED = Number(process.env.LEURIA_SEED ?? 1)
const SITES = 3
/** Engines that play rounds side by side: most of a round is waiting. */
const WORLDS = 3
/** Rounds in one test: small enough that a fault's seed is near. */
const BATCH = 12
const ROUND_LIMIT_MS = 30_000
/** A third of all connections live in peace: long lives have their own faults. */
const PERCENT: Readonly<Record<ConnectionFault, number>> = {
  cut_answer: 14,
  cut_request: 10,
  stall: 7,
  delay: 14,
  duplicate: 10,
  reorder: 12,
}

const worlds = Array.from({ length: WORLDS }, () => new World())
/** What all rounds together have met. */
const met = { turns: 0, whole: 0, calls: 0, answered: 0, connections: 0, sessions: 0, repeated: 0 }
const faults = new Map<string, number>()

beforeAll(() => Promise.all(worlds.map((world) => world.open(SITES))))
afterAll(async () => {
  await Promise.all(worlds.map((world) => world.close()))
  if (process.env.LEURIA_ROUNDS !== undefined)
    console.log(JSON.stringify({ ROUNDS, SEED, ...met, faults: [...faults] }))
})

/** Sites that live one session each, side by side, behind one proxy. */
async function liveTogether(world: World, proxy: FaultProxy, seed: number): Promise<FaultySession[]> {
  const { engine, ai } = world
  const land = world.fly()
  try {
    const living = world.sites.map(async ({ origin, token }: { origin: Origin; token: string }, at) => {
      const random = seededRandom(seed * SITES + at)
      const session = await FaultySession.prepare({ engine, proxy, ai, origin, token }, random)
      await session?.live()
      return session
    })
    return (await Promise.all(living)).filter((session) => session !== null)
  } finally {
    land()
  }
}

/** Connections and child processes of this process, whoever has them. */
function openHandles(): string[] {
  return process.getActiveResourcesInfo().filter((name) => ['TCPSocketWrap', 'ProcessWrap'].includes(name))
}

/** Turns that began, turns that ended, and those whose session has not. */
function countTurns(world: World): { started: number; ended: number } {
  const of = (kind: string): number => world.changes.filter((change) => change.kind === kind).length
  return { started: of('turn_started'), ended: of('turn_ended') }
}

function note(world: World, sessions: readonly FaultySession[], proxy: FaultProxy): void {
  met.sessions += sessions.length
  met.turns += world.ai.turns.length
  met.whole += world.ai.turns.filter(({ whole }) => whole).length
  met.calls += world.ai.calls.length
  met.answered += world.ai.calls.filter(({ outcomes: [outcome] }) => outcome?.ok === true).length
  met.repeated += sessions.flatMap(({ page }) => [...page.calls.values()]).filter(({ came }) => came > 1).length
  for (const [fault, count] of proxy.counts) {
    faults.set(fault, (faults.get(fault) ?? 0) + count)
    met.connections += count
  }
}

async function playRound(world: World, seed: number): Promise<void> {
  world.forget()
  const proxy = await faultProxy({ target: world.engine.port, random: seededRandom(seed), percent: PERCENT })
  const sessions = await liveTogether(world, proxy, seed).finally(() => proxy.close())
  const left = await world.leftovers()
  const { started, ended } = countTurns(world)
  expect(sessions.flatMap((session) => findFaults(session, world.ai))).toEqual([])
  expect(findAnswerFaults(world.ai)).toEqual([])
  expect(ended).toBe(started)
  expect(world.audit.filter(({ kind }) => kind === 'tool_called')).toHaveLength(world.ai.calls.length)
  expect(left).toEqual(NOTHING)
  expect(world.warnings).toEqual([])
  note(world, sessions, proxy)
}

const batches = Array.from({ length: Math.ceil(ROUNDS / BATCH) }, (_, batch) => batch * BATCH)

it.each(batches)(
  'on a bad network every turn ends, every call is answered once, every text is whole, and nothing is left: rounds from %i',
  { timeout: ROUND_LIMIT_MS * BATCH },
  async (from) => {
    const rounds = Array.from({ length: Math.min(BATCH, ROUNDS - from) }, (_, at) => from + at)
    const play = async (world: World): Promise<void> => {
      for (let round = rounds.shift(); round !== undefined; round = rounds.shift()) {
        const which = `In round ${round}, seed ${SEED}`
        await playRound(world, SEED * 100_000 + round).catch((cause: unknown) => {
          rounds.length = 0
          throw new Error(which, { cause })
        })
      }
    }
    const failed = (await Promise.allSettled(worlds.map(play))).filter(({ status }) => status === 'rejected')
    expect(failed).toEqual([])
    // What nobody counts by name: none may outlive its round.
    await expect.poll(openHandles).toEqual([])
  },
)

it('has met what it is for', () => {
  expect([...faults.keys()].sort()).toEqual([...Object.keys(PERCENT), 'none'].sort())
  expect(met.whole).toBeGreaterThan(ROUNDS / 2)
  expect(met.answered).toBeGreaterThan(ROUNDS / 2)
  expect(met.answered).toBeLessThan(met.calls)
})
