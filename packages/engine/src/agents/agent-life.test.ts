/** What the engine does with agents around sessions: one stands ready, programs are shared, versions and sign-ins are kept. */
import { execFileSync } from 'node:child_process'
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { noAudit } from '@leuria/agent'
import { openAgentRegistry } from '@leuria/agent-registry'
import { systemClock } from '@leuria/clock'
import type { AcpScript, AcpStep } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import { openTestEngine } from '../engine.fixture.js'
import { connectSite, type TestSession, type TestSite } from '../site.fixture.js'
import { createAcpAgents } from './acp-agents.js'
import { AGENT_ID, type BoxedAgentWorld, boxedAgentWorld } from './boxed-agent.fixture.js'

/** Starts and ends of programs on a busy machine. */
const PATIENCE = { timeout: 40_000, interval: 20 }
const LIMIT_MS = 120_000

const agentFolder = ({ visitorHome }: BoxedAgentWorld): string => join(dirname(visitorHome), 'agent')
const homeOf = ({ visitorHome }: BoxedAgentWorld): string => join(visitorHome, '.leuria')

/** Process ids of the agent's programs; the sandbox's own have its command line, too, behind theirs. */
function programs(world: BoxedAgentWorld): number[] {
  const lines = execFileSync('ps', ['-axww', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n')
  return lines.flatMap((line) => {
    const [, pid, args = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? []
    return args.startsWith(`${process.execPath} ${dirname(world.visitorHome)}`) ? [Number(pid)] : []
  })
}

async function untilPrograms(world: BoxedAgentWorld, count: number): Promise<number[]> {
  await expect.poll(() => programs(world), PATIENCE).toHaveLength(count)
  return programs(world)
}

/** A session whose AI is up and waits. */
async function standing(site: TestSite): Promise<TestSession> {
  const session = await site.prepare()
  await session.act('approve')
  await expect.poll(() => session.events.map(({ event }) => event), PATIENCE).toContain('ready')
  return session
}

async function setConfig(world: BoxedAgentWorld, change: object): Promise<void> {
  const path = join(homeOf(world), 'config.json')
  const config = JSON.parse(await readFile(path, 'utf8')) as object
  await writeFile(path, JSON.stringify({ ...config, ...change }))
}

async function signInNotes(world: BoxedAgentWorld): Promise<unknown> {
  const text = await readFile(join(homeOf(world), 'sign-ins.json'), 'utf8').catch(() => '{}')
  return (JSON.parse(text) as { agents?: unknown }).agents
}

/** As `leuria agents install` leaves it. */
async function install(world: BoxedAgentWorld, id: string, version: string): Promise<void> {
  const folder = join(homeOf(world), 'agents', `${id}@${version}`)
  await mkdir(folder, { recursive: true })
  await copyFile(join(agentFolder(world), 'agent.mjs'), join(folder, 'agent.mjs'))
  await writeFile(join(folder, 'script.json'), JSON.stringify({ tools: 'http' } satisfies AcpScript))
  const manifest = { id, name: id, version, runtime: 'node', entry: 'agent.mjs', args: [join(folder, 'script.json')] }
  await writeFile(join(folder, 'leuria-agent.json'), JSON.stringify(manifest))
}

describe('the default agent', { timeout: LIMIT_MS }, () => {
  it('stands ready before a session, which takes it; another one stands then, and all are gone at the end', async () => {
    const world = await boxedAgentWorld({ warm: true })
    const [first] = await untilPrograms(world, 1)
    const site = await connectSite(world.test)
    const session = await standing(site)
    const both = await untilPrograms(world, 2)
    expect(both).toContain(first)
    await session.act('close')
    expect(await untilPrograms(world, 1)).toEqual(both.filter((pid) => pid !== first))
    await world[Symbol.asyncDispose]()
    expect(programs(world)).toEqual([])
    expect(world.test.warnings).toEqual([])
  })

  it('stands no more when the visitor wants it not or has another, and its sessions go on', async () => {
    await using world = await boxedAgentWorld({ warm: undefined, defaultAgent: undefined })
    expect(programs(world)).toEqual([])
    await setConfig(world, { agent: AGENT_ID })
    await untilPrograms(world, 1)
    const session = await standing(await connectSite(world.test))
    await untilPrograms(world, 2)
    await setConfig(world, { warm: false })
    await untilPrograms(world, 1)
    expect(await session.info()).toMatchObject({ status: 'idle' })
    await setConfig(world, { warm: true })
    await untilPrograms(world, 2)
    // Its sessions end by the rule for changed defaults.
    await setConfig(world, { agent: 'demo' })
    await untilPrograms(world, 0)
  })

  it('makes way for one that sees the sign-in that has come since', async () => {
    await using world = await boxedAgentWorld()
    await install(world, 'gemini', '0.61.0')
    await using test = await openTestEngine({ home: homeOf(world), defaultAgent: 'gemini', warm: true })
    const [before] = await untilPrograms(world, 1)
    const site = await connectSite(test)
    const folder = join(world.visitorHome, '.gemini')
    await mkdir(folder)
    // As `leuria login` brings it home.
    await writeFile(join(folder, 'oauth_creds.json'), '{}')
    const session = await standing(site)
    await expect.poll(() => programs(world), PATIENCE).not.toContain(before)
    await untilPrograms(world, 2)
    await session.act('close')
    const kept = await untilPrograms(world, 1)
    // Another site's, so that nothing is shared: what stands ready is taken as it is.
    await standing(await connectSite(test, 'https://other.example'))
    expect(await untilPrograms(world, 2)).toEqual(expect.arrayContaining(kept))
  })

  it('is another program when its version is another, and none when it is gone or signed out', async () => {
    await using world = await boxedAgentWorld()
    const lines: string[] = []
    const home = homeOf(world)
    const agents = createAcpAgents({
      ...{ home, clock: systemClock, audit: noAudit, engineVersion: '0', trusted: () => [AGENT_ID] },
      log: (line) => void lines.push(line),
    })
    const registry = await openAgentRegistry({ home })
    const program = join(agentFolder(world), 'agent.mjs')
    const commandLine = `${process.execPath} ${program} ${join(agentFolder(world), 'script.json')}`
    await agents.keepWarm(AGENT_ID)
    const [before] = programs(world)
    await agents.keepWarm(AGENT_ID)
    expect(programs(world)).toEqual([before])
    await registry.addOwn({ id: AGENT_ID, commandLine, env: { V: '2' }, readable: [agentFolder(world)] })
    const kept = async (): Promise<number[]> => {
      await agents.keepWarm(AGENT_ID)
      return programs(world)
    }
    // Word of a changed file takes a moment.
    await expect.poll(kept, PATIENCE).not.toContain(before)
    expect(await kept()).toHaveLength(1)
    await agents.note(AGENT_ID, { ok: false })
    expect(await kept()).toEqual([])
    await agents.note(AGENT_ID, { ok: true })
    expect(await kept()).toHaveLength(1)
    await registry.remove(AGENT_ID)
    await expect.poll(kept, PATIENCE).toEqual([])
    await Promise.all([registry.close(), agents.close()])
    expect(lines.filter((line) => /could not|not started/.test(line))).toEqual([])
  })
})

it(
  'sessions of one site share a program of an agent that keeps them apart; another site has its own',
  async () => {
    await using world = await boxedAgentWorld()
    // One whose profile says so, in a version that was checked.
    await install(world, 'gemini', '0.61.0')
    await using test = await openTestEngine({ home: homeOf(world), defaultAgent: 'gemini' })
    const site = await connectSite(test)
    const [first, second] = [await standing(site), await standing(site)]
    expect(programs(world)).toHaveLength(1)
    await standing(await connectSite(test, 'https://other.example'))
    expect(programs(world)).toHaveLength(2)
    await first.act('close')
    await first.until('completed')
    await second.act('prompt', { prompt: 'hello' })
    await expect.poll(() => second.events.map(({ event }) => event), PATIENCE).toContain('turn_completed')
    await second.act('close')
    await untilPrograms(world, 1)
  },
  LIMIT_MS,
)

it(
  'old versions go when an engine starts, but not one that a session of another engine uses',
  async () => {
    await using world = await boxedAgentWorld()
    const home = homeOf(world)
    await install(world, 'gemini', '0.60.0')
    await setConfig(world, { trusted: ['gemini'] })
    const installed = async (): Promise<string[]> =>
      (await readdir(join(home, 'agents'))).filter((name) => !name.startsWith('.'))
    {
      await using first = await openTestEngine({ home, defaultAgent: 'gemini' })
      const session = await standing(await connectSite(first))
      await install(world, 'gemini', '0.61.0')
      await mkdir(join(home, 'agents', 'half@1.0.0'))
      await using second = await openTestEngine({ home, defaultAgent: 'gemini' })
      await expect.poll(installed, PATIENCE).toEqual(['gemini@0.60.0', 'gemini@0.61.0'])
      await session.act('prompt', { prompt: 'hello' })
      await expect.poll(() => session.events.map(({ event }) => event), PATIENCE).toContain('turn_completed')
      // That there is another one is all there is to say.
      expect(second.warnings.filter((line) => !line.startsWith('Another Leuria engine'))).toEqual([])
    }
    await using _third = await openTestEngine({ home, defaultAgent: 'gemini' })
    await expect.poll(installed, PATIENCE).toEqual(['gemini@0.61.0'])
  },
  LIMIT_MS,
)

describe('a sign-in', { timeout: LIMIT_MS }, () => {
  const wanted = { error: { code: -32000, message: 'Authentication required' } }

  it('is noted as sessions show it, and a way that was noted is used by itself', async () => {
    await using world = await boxedAgentWorld()
    const site = await connectSite(world.test)
    const run = async (script: AcpScript, end: string): Promise<void> => {
      await world.play(script)
      const session = await site.prepare({ prompt: 'hello' })
      await session.act('approve')
      await expect.poll(() => session.events.map(({ event }) => event), PATIENCE).toContain(end)
      await session.act('close')
    }
    const initialize = { result: { authMethods: [{ id: 'oauth' }], agentInfo: { name: 'mine', version: '3' } } }
    await run({ initialize, newSession: [wanted] }, 'failed')
    await expect.poll(() => signInNotes(world), PATIENCE).toMatchObject({ mine: { state: 'signed_out', version: '3' } })
    await run({ initialize }, 'turn_completed')
    await expect.poll(() => signInNotes(world), PATIENCE).toMatchObject({ mine: { state: 'signed_in' } })
    // As `leuria login` notes it.
    const at = new Date().toISOString()
    const agents = { mine: { state: 'signed_in', method: 'oauth', version: '3', at } }
    await writeFile(join(homeOf(world), 'sign-ins.json'), JSON.stringify({ version: 1, agents }))
    await run({ initialize, newSession: [wanted, { result: {} }] }, 'turn_completed')
    expect(await signInNotes(world)).toMatchObject({ mine: { state: 'signed_in', method: 'oauth' } })
    const fail = { code: -32603, message: 'Invalid API key · Please run /login' }
    await run({ initialize, prompts: [[{ fail }]] }, 'failed')
    await expect.poll(() => signInNotes(world), PATIENCE).toMatchObject({ mine: { state: 'signed_out' } })
  })
})

it(
  'a session whose program dies while it is idle has failed, whatever the agent could load again (FC-17)',
  async () => {
    await using world = await boxedAgentWorld()
    const agentCapabilities = {
      loadSession: true,
      sessionCapabilities: { resume: {} },
      mcpCapabilities: { http: true },
    }
    await world.play({ initialize: { result: { agentCapabilities } } })
    const session = await standing(await connectSite(world.test))
    for (const pid of programs(world)) process.kill(pid, 'SIGKILL')
    await session.until('failed')
    expect(await session.info()).toMatchObject({ status: 'failed', error: expect.stringContaining('Mine') as unknown })
    expect(await session.act('prompt', { prompt: 'hello' })).toMatchObject({ status: 400 })
    expect(await untilPrograms(world, 0)).toEqual([])
  },
  LIMIT_MS,
)

it(
  "an agent that reports none of its calls is held to the site's maxTurns where they arrive",
  async () => {
    await using world = await boxedAgentWorld()
    const call: AcpStep = { call: 'find_items', arguments: {}, silent: true }
    await world.play({ prompts: [[call, call, call, { say: 'never' }, { wait: 'cancel' }]] })
    const session = await (await connectSite(world.test)).prepare({ prompt: 'hello', maxTurns: 2 })
    const page = await session.page({ tools: { find_items: { run: () => 'a mug' } } })
    await session.act('approve')
    await expect.poll(() => session.events.map(({ event }) => event), PATIENCE).toContain('turn_completed')
    expect((await session.until('turn_completed')).data).toMatchObject({ stopReason: 'max_turns' })
    expect(page.calls).toHaveLength(2)
  },
  LIMIT_MS,
)

it(
  'what stands ready on the word of the visitor goes with it, at once',
  async () => {
    await using world = await boxedAgentWorld({ warm: true })
    const [before] = await untilPrograms(world, 1)
    await setConfig(world, { trusted: [] })
    // In a sandbox another one takes its place; without one, none.
    await expect.poll(() => programs(world), PATIENCE).not.toContain(before)
  },
  LIMIT_MS,
)

it(
  "ends its sessions when the visitor takes their word for it back, and none else's",
  async () => {
    await using world = await boxedAgentWorld()
    const session = await standing(await connectSite(world.test))
    await setConfig(world, { trusted: [AGENT_ID, 'other'] })
    await setConfig(world, { trusted: [AGENT_ID] })
    await setConfig(world, { trusted: [] })
    await session.until('cancelled')
    expect(await session.info()).toMatchObject({
      status: 'cancelled',
      error: 'The visitor no longer lets this AI run without a sandbox.',
    })
  },
  LIMIT_MS,
)
