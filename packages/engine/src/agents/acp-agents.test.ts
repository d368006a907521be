/** An agent of the visitor's own, from its command line to a page's answer, through a whole engine. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAgentRegistry } from '@leuria/agent-registry'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openTestEngine } from '../engine.fixture.js'
import { connectSite } from '../site.fixture.js'

/** The smallest agent that speaks ACP: it answers every question with the question. */
const AGENT = `
const lines = require('node:readline').createInterface({ input: process.stdin })
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
lines.on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') send({ id, result: { protocolVersion: 1, agentCapabilities: { mcpCapabilities: { http: true } } } })
  if (method === 'session/new') send({ id, result: { sessionId: 's1' } })
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
  const registry = await openAgentRegistry({ home })
  const script = join(folder, 'agent.cjs')
  await registry.addOwn({
    id: 'parrot',
    name: 'Parrot',
    commandLine: `${process.execPath} ${script}`,
    readable: [script],
  })
  await registry.close()
  // Where the machine has no sandbox, an agent that nobody checked runs only with the visitor's word for it.
  await writeFile(join(home, 'config.json'), JSON.stringify({ version: 1, trusted: ['parrot'] }))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

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
