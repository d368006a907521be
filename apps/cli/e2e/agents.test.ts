/** `leuria agents` with a list on loopback and an npm without a network. */
import { spawn } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type AgentWorld, npmEntry, openAgentWorld, uncheckedEntry } from './agent-world.js'
import { CLI, type Finished, runCli } from './cli-process.js'

const leuria = (world: AgentWorld, ...args: string[]): Promise<Finished> => runCli(args, world.options)
const containing = (text: string): unknown => expect.stringContaining(text)

/** A mistake is one plain message and exit code 1; where in the program it was noticed is nobody's business. */
function expectPlain({ code, stderr }: Finished, words: RegExp | string): void {
  expect(code).toBe(1)
  expect(stderr).toMatch(words)
  expect(stderr).not.toMatch(/^ +at /m)
}

describe('leuria agents list', () => {
  it('shows those that are here first, then what can be installed', async () => {
    await using world = await openAgentWorld()
    world.serve(npmEntry('aardvark'), npmEntry('zebra'), { ...npmEntry('odd'), distribution: {} })
    await leuria(world, 'agents', 'install', 'zebra')
    world.serve(npmEntry('aardvark'), npmEntry('zebra', '1.1.0'), { ...npmEntry('odd'), distribution: {} })
    const { code, stdout, stderr } = await leuria(world, 'agents')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [, first, second] = stdout.split('\n')
    expect(first).toMatch(/^zebra +The zebra +1\.0\.0 +1\.1\.0 .*leuria agents update zebra; not checked/)
    expect(second).toMatch(/^aardvark +The aardvark +1\.0\.0/)
    expect(stdout).toMatch(/^odd .*can't be installed here/m)
    const json: unknown = JSON.parse((await leuria(world, 'agents', '--json')).stdout)
    expect(json).toMatchObject({
      agents: [
        { id: 'aardvark', version: '1.0.0', ways: ['npm'], installed: null, found: null, own: null, signIn: null },
        { id: 'zebra', version: '1.1.0', installed: { version: '1.0.0', checked: false } },
        { id: 'odd', ways: [] },
      ],
      list: { from: 'network', message: null },
    })
  })

  it('says without a network that what is installed keeps working, and shows it', async () => {
    await using world = await openAgentWorld()
    world.serve(npmEntry('zebra'))
    await leuria(world, 'agents', 'install', 'zebra')
    await world.goOffline()
    const { code, stdout, stderr } = await leuria(world, 'agents', 'list')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^zebra +The zebra +1\.0\.0/m)
    expect(stderr).toMatch(/can't be fetched .*Agents that are installed keep working\./)
    expectPlain(
      await leuria(world, 'agents', 'update'),
      /Nothing was updated\..*Agents that are installed keep working/,
    )
    expect(JSON.parse((await leuria(world, 'agents', '--json')).stdout)).toMatchObject({ list: { from: 'cache' } })
  })

  it('refuses an address of a list that is none', async () => {
    await using world = await openAgentWorld()
    const options = { ...world.options, env: { ...world.options.env, ACP_REGISTRY_URL: 'file:///etc/passwd' } }
    expectPlain(await runCli(['agents'], options), /ACP_REGISTRY_URL is "file:/)
  })
})

describe('leuria agents install, update, remove', () => {
  it('goes from nothing to the newest and back, with a plain line for each step', async () => {
    await using world = await openAgentWorld()
    world.serve(npmEntry('zebra'))
    const installed = await leuria(world, 'agents', 'install', 'zebra')
    expect(installed).toMatchObject({ code: 0, stdout: containing('The zebra 1.0.0 is installed.') })
    expect(installed.stdout).toContain('leuria login zebra')
    expect(installed.stderr.trim().split('\n').length).toBeGreaterThan(1)
    expect(installed.stderr).not.toContain('\u001b')
    expect((await stat(join(world.home, 'agents', 'zebra@1.0.0', 'leuria-agent.json'))).mode & 0o077).toBe(0)

    expect((await leuria(world, 'agents', 'update')).stdout).toBe('zebra is the newest already.\n')
    world.serve(npmEntry('zebra', '1.1.0'))
    expect((await leuria(world, 'agents', 'update', 'zebra')).stdout).toBe('The zebra 1.1.0 is installed.\n')

    expect((await leuria(world, 'agents', 'remove', 'zebra')).stdout).toBe('Removed The zebra.\n')
    expect(await readdir(join(world.home, 'agents'))).toEqual([])
    expectPlain(await leuria(world, 'agents', 'remove', 'zebra'), 'zebra is not on this computer')
  })

  it('takes what has no checksum only from a visitor who insists', async () => {
    await using world = await openAgentWorld()
    world.serve(uncheckedEntry('bare'))
    expectPlain(await leuria(world, 'agents', 'install', 'bare'), /no checksum .*add --insist\./)
    // Then it is fetched, from where nobody answers.
    const insisted = await leuria(world, 'agents', 'install', 'bare', '--insist')
    expectPlain(insisted, /leuria: /)
    expect(insisted.stderr).not.toContain('checksum')
  })

  it('is called off by Ctrl+C and leaves nothing', async () => {
    await using world = await openAgentWorld()
    world.serve(npmEntry('slow'))
    const env = { PATH: process.env.PATH, HOME: world.options.home, ...world.options.env }
    const child = spawn(process.execPath, [CLI, 'agents', 'install', 'slow'], { env, stdio: 'pipe' })
    let errors = ''
    const code = await new Promise<number | null>((resolve) => {
      child.stderr.on('data', (chunk: Buffer) => {
        // Once: a second one would end the program at once.
        if (errors === '') child.kill('SIGINT')
        errors += chunk.toString()
      })
      child.on('close', resolve)
    })
    expectPlain({ code, stderr: errors, stdout: '', signal: null }, 'The installation was called off.')
    expect(await readdir(join(world.home, 'agents')).catch(() => [])).toEqual([])
  })

  it.each([
    [['install', 'nope'], 'There is no agent "nope" in the list.'],
    [['install', '../zebra'], 'There is no agent "../zebra" in the list.'],
    [['install', 'odd'], 'has nothing that fits this computer'],
    [['update', 'zebra'], 'zebra is not installed. Install it: leuria agents install zebra'],
    [['remove', 'zebra'], 'zebra is not on this computer'],
    [['install'], "missing required argument 'id'"],
  ])('answers a mistake in words: %j', async (args, words) => {
    await using world = await openAgentWorld()
    world.serve(npmEntry('zebra'), { ...npmEntry('odd'), distribution: {} })
    expectPlain(await leuria(world, 'agents', ...args), words)
  })
})

describe('leuria agents add', () => {
  it("keeps one of the visitor's own; values of its variables are never shown", async () => {
    await using world = await openAgentWorld()
    const script = join(world.folder, 'agent.js')
    const add = ['agents', 'add', 'mine', '--name', 'My agent', '--command', `node ${script} --acp`]
    const variables = ['--env', 'MODEL_KEY=sk-secret', '--env', 'EMPTY=']
    const { code, stdout, stderr } = await leuria(world, ...add, ...variables)
    expect({ code, stdout }).toEqual({ code: 0, stdout: containing('Added My agent (mine)') })
    expect(stderr).toContain(`does not show ${script}`)
    expect((await leuria(world, ...add, ...variables, '--read', world.folder)).stderr).toBe('')
    const list = await leuria(world, 'agents', '--json')
    expect(JSON.parse(list.stdout)).toMatchObject({
      agents: [{ id: 'mine', name: 'My agent', own: { args: [script, '--acp'], env: ['MODEL_KEY', 'EMPTY'] } }],
    })
    expect(`${stdout}${list.stdout}`).not.toContain('sk-secret')
    const file = join(world.home, 'own-agents.json')
    expect(await readFile(file, 'utf8')).toContain('sk-secret')
    expect((await stat(file)).mode & 0o077).toBe(0)
    expectPlain(await leuria(world, 'agents', 'update', 'mine'), 'is your own')
    expect((await leuria(world, 'agents', 'remove', 'mine')).stdout).toBe('Removed My agent.\n')
  })

  it.each([
    [['zebra', '--command', 'node'], /"zebra" is another agent's id/],
    [['Mine', '--command', 'node'], /"Mine" can't be an id/],
    [['mine', '--command', 'no-such-program --acp'], /There is no program "no-such-program"/],
    [['mine', '--command', 'node | tee x'], /needs a shell/],
    [['mine', '--command', 'node', '--env', 'sk-secret'], /--env takes NAME=VALUE\.$/m],
    [['mine', '--command', 'node', '--env', 'A=1', '--env', 'A=2'], /--env A is given twice/],
    [['mine', '--command', 'node', '--env', 'LEURIA_ADMIN_TOKEN=1'], /variable of Leuria's own/],
    [['mine', '--command', 'node', '--read', 'relative'], /--read takes a whole path/],
    [['mine', '--command', 'node', '--read', '/no/such/folder'], /There is nothing at/],
    [['mine'], /required option '--command <line>' not specified/],
  ])('refuses %j and keeps nothing', async (args, words) => {
    await using world = await openAgentWorld()
    world.serve(npmEntry('zebra'))
    const finished = await leuria(world, 'agents', 'add', ...args)
    expectPlain(finished, words)
    expect(finished.stderr).not.toContain('sk-secret')
    expect(JSON.parse((await leuria(world, 'agents', '--json')).stdout)).toMatchObject({ agents: [{ own: null }] })
  })
})
