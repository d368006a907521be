/** `leuria agents trust`, `untrust` and `warm`: what the visitor says about agents, kept in `config.json`. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type AgentWorld, npmEntry, openAgentWorld } from './agent-world.js'
import { CLI, type Finished, runCli, startEngine } from './cli-process.js'

const leuria = (world: AgentWorld, ...args: string[]): Promise<Finished> => runCli(args, world.options)

async function config(world: AgentWorld): Promise<unknown> {
  return JSON.parse(await readFile(join(world.home, 'config.json'), 'utf8').catch(() => '{}'))
}

/** A world in which one agent is installed that nobody has checked. */
async function withZebra(): Promise<AgentWorld> {
  const world = await openAgentWorld()
  world.serve(npmEntry('zebra'))
  expect((await leuria(world, 'agents', 'install', 'zebra')).code).toBe(0)
  return world
}

describe('leuria agents trust', () => {
  it('says what it means, wants a yes, and shows everywhere', async () => {
    await using world = await withZebra()
    const unsure = await leuria(world, 'agents', 'trust', 'zebra')
    expect(unsure).toMatchObject({ code: 1, stdout: '' })
    expect(unsure.stderr).toContain('The zebra 1.0.0 has not been checked with Leuria')
    expect(unsure.stderr).toContain('read and change your files')
    expect(unsure.stderr).toMatch(/Nothing was changed\. If you mean it: leuria agents trust zebra --yes/)
    expect(await config(world)).toEqual({})

    const sure = await leuria(world, 'agents', 'trust', 'zebra', '--yes')
    expect(sure).toMatchObject({ code: 0, stdout: expect.stringContaining('leuria agents untrust zebra') as unknown })
    expect(sure.stderr).toContain('read and change your files')
    expect(await config(world)).toMatchObject({ trusted: ['zebra'] })
    expect((await stat(join(world.home, 'config.json'))).mode & 0o077).toBe(0)
    expect((await leuria(world, 'agents', 'trust', 'zebra')).stdout).toBe('The zebra is trusted already.\n')

    expect((await leuria(world, 'agents')).stdout).toMatch(/^zebra .*trusted: runs without a sandbox, too/m)
    expect(JSON.parse((await leuria(world, 'agents', '--json')).stdout)).toMatchObject({
      agents: [{ id: 'zebra', trusted: true, installed: { checked: false } }],
    })
    expect((await leuria(world, 'doctor')).stdout).toMatch(/✓ The zebra: .*trusted: .*leuria agents untrust zebra/)

    const back = await leuria(world, 'agents', 'untrust', 'zebra')
    expect(back).toMatchObject({ code: 0, stdout: 'The zebra is trusted no more. Its sessions end.\n', stderr: '' })
    expect(await config(world)).toMatchObject({ trusted: [] })
    expect((await leuria(world, 'agents')).stdout).toMatch(/^zebra .*not checked: runs in a sandbox only/m)
  })

  it('asks on a terminal, and takes nothing but yes for a yes', async (context) => {
    if (!existsSync('/usr/bin/script')) return context.skip('there is no script(1) to make a terminal with')
    await using world = await withZebra()
    const env = { PATH: process.env.PATH, HOME: world.options.home, ...world.options.env }
    const line = `'${process.execPath}' '${CLI}' agents trust zebra`
    const answer = (input: string): string =>
      spawnSync('/usr/bin/script', ['-qec', line, '/dev/null'], { env, input, encoding: 'utf8', timeout: 30_000 })
        .stdout
    expect(answer('y\n')).toMatch(/Trust The zebra\? Type yes to do so: [^]*Nothing was changed\./)
    expect(await config(world)).toEqual({})
    expect(answer('yes\n')).toContain('The zebra is trusted from now on.')
    expect(await config(world)).toMatchObject({ trusted: ['zebra'] })
  })

  it("isn't meant for another program that comes under the same id", async () => {
    await using world = await openAgentWorld()
    const add = (...more: string[]): Promise<Finished> =>
      leuria(world, 'agents', 'add', 'mine', '--command', `node ${world.folder}/agent.js`, ...more)
    await add()
    await leuria(world, 'agents', 'trust', 'mine', '--yes', '--json')
    expect((await add('--env', 'A=1', '--read', world.folder)).stderr).toBe(
      'You trusted the one before. To trust this one, too: leuria agents trust mine\n',
    )
    expect(await config(world)).toMatchObject({ trusted: [] })
    await leuria(world, 'agents', 'trust', 'mine', '--yes')
    await leuria(world, 'agents', 'remove', 'mine')
    expect(await config(world)).toMatchObject({ trusted: [] })
  })

  it.each([
    [['trust', 'nope', '--yes'], 'nope is not on this computer. leuria agents lists those that are.'],
    [['untrust', 'zebra'], 'zebra is not trusted. leuria agents shows those that are.'],
    [['untrust', 'nope'], 'nope is not trusted.'],
    [['trust'], "missing required argument 'id'"],
    [['warm', 'hot'], "'hot' is invalid"],
  ])('answers a mistake in words and changes nothing: %j', async (args, words) => {
    await using world = await withZebra()
    const { code, stderr } = await leuria(world, 'agents', ...args)
    expect(code).toBe(1)
    expect(stderr).toContain(words)
    expect(stderr).not.toMatch(/^ +at /m)
    expect(await config(world)).toEqual({})
  })
})

/** Those of Leuria's own folder; a sandbox's own process has their command line, too, behind its own. */
function programs(world: AgentWorld): string[] {
  const lines = execFileSync('ps', ['-axww', '-o', 'args='], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => line.startsWith(`${process.execPath} ${join(world.home, 'agents')}`))
}

describe('leuria agents warm', () => {
  it('is on unless it was turned off, and shows in the list', async () => {
    await using world = await withZebra()
    expect((await leuria(world, 'agents', 'warm')).stdout).toContain('To end that: leuria agents warm off')
    expect(await config(world)).toEqual({})
    expect(JSON.parse((await leuria(world, 'agents', 'warm', 'off', '--json')).stdout)).toEqual({ warm: false })
    expect(await config(world)).toMatchObject({ warm: false })
    const { stdout } = await leuria(world, 'agents')
    expect(stdout).toContain('To have your AI ready before: leuria agents warm on')
    expect(JSON.parse((await leuria(world, 'agents', '--json')).stdout)).toMatchObject({ warm: false })
    expect((await leuria(world, 'agents', 'warm', 'on')).code).toBe(0)
    expect(await config(world)).toMatchObject({ warm: true })
  })

  it('is followed by a running engine at once', { timeout: 60_000 }, async () => {
    await using world = await withZebra()
    const poll = { timeout: 20_000, interval: 50 }
    await leuria(world, 'agents', 'trust', 'zebra', '--yes')
    await leuria(world, 'ai', 'use', 'zebra')
    const engine = await startEngine(world.options)
    await expect.poll(() => programs(world), poll).toHaveLength(1)
    await leuria(world, 'agents', 'warm', 'off')
    await expect.poll(() => programs(world), poll).toEqual([])
    await leuria(world, 'agents', 'warm', 'on')
    await expect.poll(() => programs(world), poll).toHaveLength(1)
    await engine.stop()
    await expect.poll(() => programs(world), poll).toEqual([])
  })

  it('starts nothing that is known to be signed out', async () => {
    await using world = await withZebra()
    await leuria(world, 'ai', 'use', 'zebra')
    const agents = { zebra: { state: 'signed_out', at: new Date().toISOString() } }
    await writeFile(join(world.home, 'sign-ins.json'), JSON.stringify({ version: 1, agents }), { mode: 0o600 })
    const engine = await startEngine(world.options)
    // By then it would stand: the engine has read the file, and looked for the agent.
    await leuria(world, 'agents', 'warm', 'on')
    const { stdout } = await leuria(world, 'agents')
    expect(stdout).toMatch(/^zebra .*signed out/m)
    expect(programs(world)).toEqual([])
    await engine.stop()
  })
})
