/** An agent of the visitor's own, from its command line to a page's answer, through a whole engine. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAgentRegistry } from '@leuria/agent-registry'
import { noAudit } from '@leuria/agent'
import { fakeClock } from '@leuria/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openTestEngine } from '../engine.fixture.js'
import { connectSite, type TestSession } from '../site.fixture.js'
import { createAcpAgents } from './acp-agents.js'

/** The smallest agent that speaks ACP: it introduces itself to the page's tools and answers every question with the question. */
const AGENT = `
const lines = require('node:readline').createInterface({ input: process.stdin })
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
lines.on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') send({ id, result: { protocolVersion: 1, agentCapabilities: { mcpCapabilities: { http: true } } } })
  if (method === 'session/new') {
    const [{ url, headers }] = params.mcpServers
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'parrot', version: '1' } }
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...Object.fromEntries(headers.map(({ name, value }) => [name, value])),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello }),
    }).then(() => send({ id, result: { sessionId: 's1' } }))
  }
  if (method !== 'session/prompt') return
  const text = 'You said: ' + params.prompt.map((block) => block.text).join('')
  send({ method: 'session/update', params: { sessionId: 's1', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } } })
  send({ id, result: { stopReason: 'end_turn' } })
})
`

let folder = ''
let home = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leuria-own-agent-'))
  home = join(folder, 'home')
  await writeFile(join(folder, 'agent.cjs'), AGENT)
  await addParrot()
  // Where the machine has no sandbox, an agent that nobody checked runs only with the visitor's word for it.
  await writeFile(join(home, 'config.json'), JSON.stringify({ version: 1, trusted: ['parrot'] }))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

/** Adds the agent, or another version of it. */
async function addParrot(env: Record<string, string> = {}): Promise<void> {
  const registry = await openAgentRegistry({ home })
  const script = join(folder, 'agent.cjs')
  const commandLine = `${process.execPath} ${script}`
  await registry.addOwn({ id: 'parrot', name: 'Parrot', commandLine, env, readable: [script] })
  await registry.close()
}

/** Asks once, and waits for the answer or the failure. */
async function answerOf(session: TestSession): Promise<string> {
  const isOver = ({ event }: { event: string }): boolean => event === 'turn_completed' || event === 'failed'
  const before = session.events.filter(isOver).length
  await session.act(before === 0 ? 'approve' : 'prompt', { prompt: 'hello' })
  await expect.poll(() => session.events.filter(isOver).length, { timeout: 40_000 }).toBe(before + 1)
  return JSON.stringify(session.events.filter(isOver).at(-1))
}

it('answers a page, tells its name, and leaves no program behind', { timeout: 60_000 }, async () => {
  const test = await openTestEngine({ home, defaultAgent: 'parrot' })
  expect(test.engine.agentName).toBe('Parrot')
  const session = await (await connectSite(test)).prepare({ prompt: 'hello' })
  await session.act('approve')
  await expect.poll(() => session.events.map(({ event }) => event), { timeout: 40_000 }).toContain('turn_completed')
  expect((await session.until('turn_completed')).data).toMatchObject({
    text: expect.stringContaining('hello') as unknown,
  })
  await test[Symbol.asyncDispose]()
  expect(test.warnings).toEqual([])
})

it('is refused by name when there is no such agent', async () => {
  await expect(openTestEngine({ home, defaultAgent: 'cockatoo' })).rejects.toMatchObject({ code: 'not_found' })
})

it('goes on with its own sessions when another version has come', { timeout: 90_000 }, async () => {
  await using test = await openTestEngine({ home, defaultAgent: 'parrot' })
  const site = await connectSite(test)
  const old = await site.prepare({ prompt: 'hello' })
  expect(await answerOf(old)).toContain('You said')
  await addParrot({ PARROT_VERSION: '2' })
  expect(await answerOf(await site.prepare({ prompt: 'hello' }))).toContain('You said')
  expect(await answerOf(old)).toContain('You said')
})

it("unchecked and without a sandbox, runs only with the visitor's word", { timeout: 90_000 }, async () => {
  await writeFile(join(home, 'config.json'), JSON.stringify({ version: 1 }))
  // No bubblewrap is found on an empty PATH.
  vi.stubEnv('PATH', '')
  {
    await using test = await openTestEngine({ home, defaultAgent: 'parrot' })
    expect(await answerOf(await (await connectSite(test)).prepare({ prompt: 'hello' }))).toContain('--trust parrot')
  }
  await using test = await openTestEngine({ home, defaultAgent: 'parrot', trustedAgents: ['parrot'] })
  const session = await (await connectSite(test, 'https://other.example')).prepare({ prompt: 'hello' })
  expect(await answerOf(session)).toContain('You said')
})

it('that is gone is not looked for at every request, and is found again later', async () => {
  const clock = fakeClock()
  const lines: string[] = []
  const agents = createAcpAgents({
    ...{ home, clock, audit: noAudit, engineVersion: '0', trusted: () => [] },
    log: (line) => void lines.push(line),
  })
  await agents.load()
  expect(agents.find('cockatoo')).toBeNull()
  const registry = await openAgentRegistry({ home })
  await registry.addOwn({ id: 'cockatoo', commandLine: process.execPath })
  await registry.close()
  clock.advance(9_999)
  expect(agents.find('cockatoo')).toBeNull()
  clock.advance(1)
  await expect.poll(() => agents.find('cockatoo'), { timeout: 20_000 }).toMatchObject({ id: 'cockatoo', kind: 'agent' })
  await agents.close()
  expect(lines).toEqual([])
})

it('whose files can not be read costs a line in the log, and the engine still stops', async () => {
  await writeFile(join(home, 'own-agents.json'), JSON.stringify({ version: 99, agents: [] }))
  const lines: string[] = []
  const agents = createAcpAgents({
    ...{ home, clock: fakeClock(), audit: noAudit, engineVersion: '0', trusted: () => [] },
    log: (line) => void lines.push(line),
  })
  await agents.load()
  expect(agents.known()).toEqual([])
  expect(lines).toEqual([expect.stringContaining('could not be looked for')])
  await agents.close()
})
