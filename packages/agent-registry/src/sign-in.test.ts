/** What is known of who is signed in, and the methods for a terminal. */
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fakeClock } from '@leuria/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSignIns, type RunnableAgent, terminalSignIn } from './index.js'
import { type RegistryScene, registryScene } from './registry-scene.fixture.js'

let scene: RegistryScene

beforeEach(async () => {
  scene = await registryScene()
  await scene.open()
})
afterEach(async () => {
  await scene.close()
})

describe('a sign-in', () => {
  it('is known without starting the agent, also to the next program', async () => {
    const clock = fakeClock()
    const first = await openSignIns({ home: scene.home, clock })
    expect(first.get('codex-acp')).toBeNull()
    await first.note('codex-acp', { state: 'signed_in', method: 'chatgpt', version: '1.0.0' })
    await first.close()
    const second = await openSignIns({ home: scene.home, clock })
    const seen = { state: 'signed_in', at: '2026-01-01T00:00:00.000Z', method: 'chatgpt', version: '1.0.0' }
    expect(second.get('codex-acp')).toEqual(seen)
    await second.note('codex-acp', { state: 'signed_out' })
    expect(second.get('codex-acp')).toEqual({ state: 'signed_out', at: '2026-01-01T00:00:00.000Z' })
    await second.forget('codex-acp')
    await second.forget('codex-acp')
    expect(second.get('codex-acp')).toBeNull()
    await second.close()
  })

  it('seen again is written at most once a day, and keeps how it was made', async () => {
    const clock = fakeClock()
    const store = await openSignIns({ home: scene.home, clock })
    const path = join(scene.home, 'sign-ins.json')
    await store.note('a', { state: 'signed_in', method: 'm' })
    const written = (await stat(path)).mtimeMs
    clock.advance(86_399_999)
    await store.note('a', { state: 'signed_in' })
    expect((await stat(path)).mtimeMs).toBe(written)
    clock.advance(1)
    await store.note('a', { state: 'signed_in' })
    expect(store.get('a')).toEqual({ state: 'signed_in', method: 'm', at: '2026-01-02T00:00:00.000Z' })
    await store.close()
  })

  it('that can not be read costs no other, nor itself', async () => {
    const path = join(scene.home, 'sign-ins.json')
    const good = { state: 'signed_out', at: 'x' }
    await writeFile(path, JSON.stringify({ agents: { odd: { state: 'new' }, good }, more: 1 }), { mode: 0o600 })
    const store = await openSignIns({ home: scene.home })
    expect([store.get('odd'), store.get('good'), store.get('toString')]).toEqual([null, good, null])
    await store.note('other', { state: 'signed_in' })
    await store.close()
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ agents: { odd: { state: 'new' }, good }, more: 1 })
  })
})

describe('terminalSignIn', () => {
  const agent: RunnableAgent = {
    id: 'a',
    name: 'A',
    version: '1.0.0',
    origin: 'installed',
    command: process.execPath,
    args: ['/agents/cli.js', '--acp'],
    env: { A: '1', B: '1' },
    readable: [],
  }

  it('runs the same program with what the method adds', () => {
    const method = { id: 'login', name: 'Sign in', type: 'terminal', args: ['login'], env: { B: '2' } }
    expect(terminalSignIn(agent, method)).toEqual({
      command: process.execPath,
      args: ['/agents/cli.js', '--acp', 'login'],
      env: { A: '1', B: '2' },
    })
  })

  const older = (command: string, ...args: string[]): unknown => ({ _meta: { 'terminal-auth': { command, args } } })

  it("reads the older form when it names a program of the agent's own", () => {
    const ours = { ...agent, readable: ['/agents/a'] }
    expect(terminalSignIn(ours, older('node', '/agents/a/cli.js', '/login'))).toMatchObject({
      command: process.execPath,
      args: ['/agents/a/cli.js', '/login'],
    })
    expect(terminalSignIn(ours, older('/agents/a/copilot', 'login'))).toMatchObject({ command: '/agents/a/copilot' })
  })

  it.each([
    older('/bin/sh', '-c', 'x'),
    older('sh', '-c', 'x'),
    older('node', '-e', 'x'),
    older('node', '/agents/ab/cli.js'),
    older('node', '/agents/a/../b/cli.js'),
    older('/agents/a/../../bin/sh'),
    older('node'),
  ])('starts nothing else: %j', (method) => {
    expect(terminalSignIn({ ...agent, readable: ['/agents/a'] }, method)).toBeNull()
  })

  it.each([null, 'x', {}, { id: 'a', type: 'agent' }, { type: 'env_var' }, { type: 'terminal', args: 'x' }])(
    'takes nothing else for one: %j',
    (method) => {
      expect(terminalSignIn(agent, method)).toBeNull()
    },
  )
})
