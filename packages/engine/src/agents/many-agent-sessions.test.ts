/**
 * Sessions in a row with an agent that is a real program in its box, ended in every way: no process, no folder and no
 * descriptor stays. 200 of them: `pnpm --filter @leuria/engine test:agents` (LEURIA_TEST_ROUNDS=200).
 */
import { execFileSync } from 'node:child_process'
import { readdir, readlink } from 'node:fs/promises'
import type { AcpStep } from '@leuria/testing'
import { expect, it } from 'vitest'
import { connectSite, type TestSession, type TestSite } from '../site.fixture.js'
import { type BoxedAgentWorld, boxedAgentWorld, whyUnboxed } from './boxed-agent.fixture.js'

const ROUNDS = Number(process.env.LEURIA_TEST_ROUNDS ?? 20)
/** A cold start and an end of a program on a busy machine. */
const PATIENCE_MS = 40_000
/** A session takes about half a second. */
const LIMIT_MS = 60_000 + ROUNDS * 5_000
/** On each session: a call of a page tool over HTTP, and an answer. */
const ANSWER: readonly AcpStep[] = [{ call: 'find_items', arguments: {} }, { say: 'Found {{result}}' }]

/** How a session comes to its end, after it has answered (or not even that). */
type Ending = 'closed' | 'closed in a turn' | 'closed at the start' | 'died' | 'left a child'
const ENDINGS: Readonly<Record<Ending, readonly AcpStep[]>> = {
  closed: [{ say: 'Bye' }],
  'closed in a turn': [{ say: 'I think' }, { wait: 'ever' }],
  'closed at the start': [],
  died: [{ say: 'half' }, { exit: 1 }],
  'left a child': [{ child: 'same_group' }, { child: 'detached' }, { say: 'Bye' }],
}
const endings = Object.keys(ENDINGS) as Ending[]

/** What this process holds, in kinds that differ. */
interface Held {
  readonly processes: readonly string[]
  readonly folders: readonly string[]
  readonly descriptors: readonly string[]
}

/** All below this process but `ps` itself; what no longer runs and waits to be asked after counts too. */
function descendants(): string[] {
  const lines = execFileSync('ps', ['-axww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n')
  const rows = lines.map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [])
  const below = (parent: number): string[] =>
    rows.flatMap(([, pid, ppid, args = '']) => (Number(ppid) === parent ? [args, ...below(Number(pid))] : []))
  return below(process.pid).filter((args) => !args.startsWith('ps '))
}

async function descriptors(): Promise<string[]> {
  const names = await readdir('/proc/self/fd').catch(() => [])
  const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => null)))
  return targets.filter((target) => target !== null && !target.startsWith('/proc/')) as string[]
}

async function held({ scratch }: Pick<BoxedAgentWorld, 'scratch'>): Promise<Held> {
  const places = await readdir(scratch, { recursive: true, withFileTypes: true }).catch(() => [])
  const folders = places.filter((entry) => entry.isDirectory()).map(({ parentPath, name }) => `${parentPath}/${name}`)
  return { processes: descendants(), folders, descriptors: await descriptors() }
}

async function seen(session: TestSession, events: readonly string[]): Promise<void> {
  const isSeen = (): boolean => session.events.some(({ event }) => events.includes(event))
  await expect.poll(isSeen, { timeout: PATIENCE_MS, interval: 10 }).toBe(true)
}

/** One session from its question to its end. */
async function round(world: BoxedAgentWorld, site: TestSite, ending: Ending): Promise<void> {
  await world.play({ prompts: [ANSWER, ENDINGS[ending]] })
  const session = await site.prepare({ prompt: 'hello' })
  const page = await session.page({ tools: { find_items: { run: () => 'a mug' } } })
  await session.act('approve')
  if (ending !== 'closed at the start') {
    await seen(session, ['turn_completed', 'failed'])
    expect(session.events.filter(({ event }) => event === 'failed')).toEqual([])
    expect(page.calls).toHaveLength(1)
    await session.act('prompt', { prompt: 'end' })
    if (ending === 'died') await seen(session, ['failed'])
    else if (ending === 'closed in a turn') await expect.poll(() => JSON.stringify(session.events)).toContain('I think')
    else await expect.poll(() => JSON.stringify(session.events), { timeout: PATIENCE_MS }).toContain('Bye')
  }
  if (ending !== 'died') await session.act('close')
  await seen(session, ['completed', 'failed'])
  page.close()
}

const KINDS = ['processes', 'folders', 'descriptors'] as const
/** Kinds of which there are more than before, with all of them, so that a failure says what stayed. */
function more(now: Held, before: Held): Partial<Held> {
  const grown = KINDS.filter((kind) => now[kind].length > before[kind].length)
  return Object.fromEntries(grown.map((kind) => [kind, now[kind]]))
}

it(`${ROUNDS} sessions in a row leave no process, no folder and no descriptor`, { timeout: LIMIT_MS }, async () => {
  const startedAt = performance.now()
  const where = (await whyUnboxed()) === null ? 'in a box' : 'without a box'
  // What only the tests bring, a bundler's service for example, is there from now on.
  const first = await boxedAgentWorld()
  await first[Symbol.asyncDispose]()
  const nothing = await held(first)

  const world = await boxedAgentWorld()
  const site = await connectSite(world.test)
  // The first of each kind load code and open pools that stay as long as the engine.
  for (const ending of endings) await round(world, site, ending)
  const early = await held(world)
  for (let count = endings.length; count < ROUNDS; count += 1)
    await round(world, site, endings[count % endings.length] ?? 'closed')
  await expect.poll(async () => more(await held(world), early), { timeout: PATIENCE_MS, interval: 200 }).toEqual({})
  const late = await held(world)
  await world[Symbol.asyncDispose]()
  await expect.poll(async () => more(await held(world), nothing), { timeout: PATIENCE_MS, interval: 200 }).toEqual({})
  const figures = KINDS.map(
    (kind) => `${kind} ${nothing[kind].length}, then ${early[kind].length} to ${late[kind].length}`,
  )
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  console.log(`${ROUNDS} sessions ${where} in ${seconds} s: ${figures.join('; ')}`)
})
