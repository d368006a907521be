/** A hostile agent, a real program in its real box, gets nothing out of a whole engine: every bypass by its name. */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  type AcpOutcome,
  type AcpStep,
  type FakePage,
  gainsOf,
  hostileAttempts,
  type HostileAttempt,
  hostileReach,
  type ReachTargets,
} from '@leuria/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { EVIL, freshNonce, SHOP } from '../engine.fixture.js'
import { connectSite, type TestSession, type TestSite } from '../site.fixture.js'
import { type BoxedAgentWorld, boxedAgentWorld, whyUnboxed } from './boxed-agent.fixture.js'

const unboxed = await whyUnboxed()
const TOOL = { inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] } }
const targets = { tool: 'find_items', arguments: { query: 'mug' } }
const OTHER = 'https://other.example'
/** A cold start on a busy machine. */
const PATIENCE_MS = 40_000
const LIMIT_MS = 60_000

let world: BoxedAgentWorld
let site: TestSite
beforeAll(async () => {
  world = await boxedAgentWorld()
  site = await connectSite(world.test)
}, LIMIT_MS)
afterAll(() => world[Symbol.asyncDispose]())

interface Played {
  readonly session: TestSession
  readonly page: FakePage
  readonly outcomes: readonly AcpOutcome[]
}

/** Turns that have ended, whatever way. */
const turnsOf = ({ events }: TestSession): number => events.filter(({ event }) => event === 'turn_completed').length

async function turn(session: TestSession, prompt: string): Promise<string> {
  const before = turnsOf(session)
  expect(await session.act('prompt', { prompt })).toMatchObject({ status: 200 })
  await expect.poll(() => turnsOf(session), { timeout: PATIENCE_MS, interval: 20 }).toBe(before + 1)
  const { data } = session.events.findLast(({ event }) => event === 'turn_completed') ?? {}
  return typeof data === 'object' && data !== null && 'text' in data ? String(data.text) : ''
}

/** A session of `at` in which the agent does these steps, then says what it got. Open still. */
async function play(steps: readonly AcpStep[], at: TestSite = site): Promise<Played> {
  await world.play({ prompts: [steps, [{ pauseMs: 100 }, { report: true }]] })
  const session = await at.prepare()
  const page = await session.page({ tools: { find_items: { ...TOOL, run: () => 'A mug' } } })
  await session.act('approve')
  await expect.poll(() => session.events.map(({ event }) => event), { timeout: PATIENCE_MS }).toContain('ready')
  await turn(session, 'Do it.')
  return { session, page, outcomes: JSON.parse(await turn(session, 'What did you get?')) as AcpOutcome[] }
}

async function end({ session, page }: Played): Promise<void> {
  await session.act('close')
  page.close()
}

describe(`through a whole engine${unboxed === null ? ', in its box' : ` (not in a box: ${unboxed})`}`, () => {
  it.each(hostileAttempts(targets).map((attempt) => [attempt.name, attempt] as const))(
    'a hostile agent gets nothing by %s',
    async (_, attempt) => {
      const played = await play(attempt.steps)
      const tried = attempt.steps.filter((step) => 'ask' in step || 'request' in step).length
      expect(played.outcomes).toHaveLength(tried)
      expect(gainsOf(attempt, played.outcomes)).toEqual([])
      expect(played.page.calls).toEqual([])
      await end(played)
    },
    LIMIT_MS,
  )
})

interface Targets extends ReachTargets {
  readonly victim: TestSession
  readonly victimPage: FakePage
  readonly approveUrl: URL
}

/** Everything that it may reach for, there. */
async function openTargets(): Promise<Targets> {
  const files = ['.ssh/id_ed25519', 'diary.txt', '.leuria/config.json'].map((name) => join(world.visitorHome, name))
  await mkdir(join(world.visitorHome, '.ssh'), { recursive: true })
  for (const file of files.slice(0, 2)) await writeFile(file, randomUUID())
  const victim = await (await connectSite(world.test, OTHER)).prepare()
  const victimPage = await victim.page({ tools: { place_order: { run: () => 'ordered' } } })
  const nonce = freshNonce()
  const approveUrl = await askedBy(EVIL, nonce)
  const requestId = approveUrl.pathname.split('/').at(-1) ?? ''
  return {
    ...{ home: world.visitorHome, files, grants: join(world.visitorHome, '.leuria', 'grants.json') },
    question: { requestId, origin: EVIL, nonce },
    other: {
      ...{ sessionId: victim.id, origin: OTHER, tool: 'place_order' },
      registrationToken: victim.registrationToken,
    },
    mark: `leuria-child-${randomUUID()}`,
    ...{ victim, victimPage, approveUrl },
  }
}

/** The address, key and all, at which the visitor could allow this site. */
function askedBy(origin: string, nonce: string): Promise<URL> {
  const asked = new Promise<URL>((resolve) => {
    const undo = world.test.engine.subscribe((event) => {
      if (event.event !== 'pairing' || event.origin !== origin) return
      undo()
      resolve(new URL(event.approveUrl))
    })
  })
  void world.test.call('/connect/claim', { origin, body: { nonce, app: 'Evil' } }).catch(() => undefined)
  return asked
}

function running(mark: string): number {
  const list = execFileSync('ps', ['-axww', '-o', 'stat=,args='], { encoding: 'utf8' }).split('\n')
  return list.filter((line) => line.includes(mark) && !line.startsWith('Z') && !line.includes('bwrap')).length
}

describe('past the adapter', () => {
  let all: Targets
  beforeAll(async () => {
    all = await openTargets()
  }, LIMIT_MS)
  const attempt = (name: string): HostileAttempt =>
    hostileReach(all).find((one) => one.name === name) ?? expect.fail(`nobody tries ${name}`)
  /** Plays it to its end; what it got. */
  const gains = async (name: string): Promise<string[]> => {
    const played = await play(attempt(name).steps)
    expect(played.outcomes.length).toBeGreaterThan(0)
    expect(played.page.calls).toEqual([])
    await end(played)
    return gainsOf(attempt(name), played.outcomes)
  }

  it.skipIf(unboxed !== null)(
    'a hostile agent gets nothing by reading the home folder',
    { timeout: LIMIT_MS },
    async () => {
      expect(await gains('reading the home folder')).toEqual([])
    },
  )

  it.skipIf(unboxed !== null)('a hostile agent gets nothing by writing a grant', { timeout: LIMIT_MS }, async () => {
    expect(await gains('writing a grant')).toEqual([])
    expect(await readFile(all.grants, 'utf8')).not.toContain(EVIL)
    expect(world.test.engine.grants.has(EVIL)).toBe(false)
  })

  it('a hostile agent gets nothing by approving a site', { timeout: LIMIT_MS }, async () => {
    expect(await gains('approving a site')).toEqual([])
    expect(world.test.engine.grants.has(EVIL)).toBe(false)
    // Nor has it spoilt the question for the visitor, who can still answer it.
    const body = { allow: false, key: all.approveUrl.searchParams.get('key') }
    const decided = await world.test.call(`${all.approveUrl.pathname}/decide`, { origin: world.test.engine.url, body })
    expect(decided.json).toMatchObject({ decision: 'denied' })
  })

  it('a hostile agent gets nothing by the admin API', { timeout: LIMIT_MS }, async () => {
    expect(await gains('the admin API')).toEqual([])
    expect(world.test.engine.grants.has(SHOP)).toBe(true)
  })

  it('a hostile agent gets nothing by another session’s tools', { timeout: LIMIT_MS }, async () => {
    const seen = all.victim.events.length
    expect(await gains('another session’s tools')).toEqual([])
    expect(all.victimPage.calls).toEqual([])
    expect(all.victim.events.slice(seen)).toEqual([])
    expect(await all.victim.info()).toMatchObject({ status: 'pending_approval' })
  })

  it('a hostile agent gets nothing by keeping a child alive', { timeout: LIMIT_MS }, async () => {
    const played = await play(attempt('keeping a child alive').steps)
    await expect.poll(() => running(all.mark), { timeout: PATIENCE_MS }).toBe(2)
    await end(played)
    await expect.poll(() => running(all.mark), { timeout: PATIENCE_MS }).toBe(0)
  })
})

// What the attempts are worth: without walls they do get at files, and the engine holds all the same.
describe('outside a box, an agent that the visitor trusts all the same', () => {
  it('reads the home folder, approves no site, and keeps no child', { timeout: LIMIT_MS }, async () => {
    await world[Symbol.asyncDispose]()
    // No bubblewrap is found on an empty PATH.
    vi.stubEnv('PATH', '')
    world = await boxedAgentWorld()
    site = await connectSite(world.test)
    const all = await openTargets()
    const [home, , approving, , other, child] = hostileReach(all)
    for (const [attempt, isGain] of [
      [home, true],
      [approving, false],
      [other, false],
      [child, false],
    ] as const) {
      // prettier-ignore
      const played = await play(attempt?.steps ?? [])
      if (attempt !== undefined) expect(gainsOf(attempt, played.outcomes).length > 0).toBe(isGain)
      await end(played)
    }
    expect(world.test.engine.grants.has(EVIL)).toBe(false)
    expect(all.victimPage.calls).toEqual([])
    vi.stubEnv('PATH', dirname('/usr/bin/ps'))
    await expect.poll(() => running(all.mark), { timeout: PATIENCE_MS }).toBe(0)
  })
})
