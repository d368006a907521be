/** `leuria login` with an agent that is signed in when its file is in the visitor's home. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AgentWorld, npmEntry, openAgentWorld } from './agent-world.js'
import { CLI, type Finished, runCli } from './cli-process.js'

let world: AgentWorld
const leuria = (...args: string[]): Promise<Finished> => runCli(args, world.options)

beforeAll(async () => {
  world = await openAgentWorld()
  world.serve(npmEntry('codex-acp'), npmEntry('other'))
  expect((await leuria('agents', 'install', 'codex-acp')).code).toBe(0)
})
afterAll(() => world[Symbol.asyncDispose]())

async function states(): Promise<unknown> {
  return JSON.parse(await readFile(join(world.home, 'sign-ins.json'), 'utf8'))
}

/** In this order: each goes on from where the one before left the agent. */
describe.sequential('leuria login', () => {
  it('asks which way where there is more than one, and notes that one is signed out', async () => {
    const { code, stderr } = await leuria('login')
    expect(code).toBe(1)
    expect(stderr).toMatch(/^leuria: Choose a way to sign in: leuria login codex-acp --method <method>$/m)
    expect(stderr).toMatch(/^ {2}chatgpt {2}ChatGPT$/m)
    expect(await states()).toMatchObject({ agents: { 'codex-acp': { state: 'signed_out', version: '1.0.0' } } })
    const doctor = await leuria('doctor')
    expect(doctor.code).toBe(1)
    expect(doctor.stdout).toMatch(/✗ The codex-acp: It asks you to sign in\.\n +leuria login codex-acp/)
  })

  it.each([
    [['login', 'codex-acp', '--method', 'magic'], /has no sign-in method "magic"\. It has:/],
    [['login', 'codex-acp', '--method', 'in-terminal'], /Terminal has to be done in a terminal\. Run this in one\./],
    [['login', 'codex-acp', '--method', 'broken'], /The codex-acp still asks for a sign-in\./],
    [['login', 'nope'], /There is no agent "nope" on this computer\. Install it/],
    [['login', 'demo'], /demo needs no sign-in\./],
  ])('answers in words: %j', async (args, words) => {
    const { code, stderr } = await leuria(...args)
    expect(code).toBe(1)
    expect(stderr).toMatch(words)
    expect(stderr).not.toMatch(/^ +at /m)
  })

  it("is done by the agent's own method, shows what it says meanwhile, and lasts", async () => {
    const { code, stdout, stderr } = await leuria('login', '--method', 'chatgpt')
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'You are signed in to The codex-acp.\n' })
    expect(stderr).toContain('https://sign-in.example/code')
    const file = join(world.options.home, '.codex', 'auth.json')
    expect((await stat(file)).mode & 0o077).toBe(0)
    expect(await states()).toMatchObject({ agents: { 'codex-acp': { state: 'signed_in', method: 'chatgpt' } } })
    expect((await leuria('login')).stdout).toMatch(/is ready: it asks for no sign-in\.\nTo sign in anew: .*chatgpt, /)
    expect((await leuria('doctor')).stdout).toMatch(/✓ The codex-acp: 1\.0\.0; signed in/)
    expect((await leuria('agents')).stdout).toMatch(/^codex-acp .* signed in /m)
  })

  it("is done in the visitor's terminal where the method needs one", async (context) => {
    if (!existsSync('/usr/bin/script')) return context.skip('there is no script(1) to make a terminal with')
    const env = { PATH: process.env.PATH, HOME: world.options.home, ...world.options.env }
    const line = `'${process.execPath}' '${CLI}' login codex-acp --method in-terminal`
    const output = execFileSync('/usr/bin/script', ['-qec', line, '/dev/null'], {
      env,
      encoding: 'utf8',
      timeout: 55_000,
    })
    expect(output).toContain('You are signed in to The codex-acp.')
    expect(await states()).toMatchObject({ agents: { 'codex-acp': { method: 'in-terminal' } } })
  })

  it('is forgotten with the agent', async () => {
    await leuria('agents', 'remove', 'codex-acp')
    expect(await states()).toMatchObject({ agents: {} })
    expect((await leuria('login')).stderr).toBe(
      'leuria: No agent is installed. leuria agents lists those that can be.\n',
    )
  })
})
