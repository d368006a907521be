/** The list of agents: read from outside, kept for times without a network, joined with what is on the computer. */
import { chmod, mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fakeClock } from '@leuria/testing'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { npmAgent, type RegistryScene, registryScene } from './registry-scene.fixture.js'

const LIST = 'https://list.example/registry.json'
let scene: RegistryScene

beforeEach(async () => {
  scene = await registryScene()
})
afterEach(async () => {
  await scene.close()
})

describe('the list', () => {
  it('is asked again when it is ten minutes old', async () => {
    const clock = fakeClock()
    scene.serve(npmAgent('one'))
    const registry = await scene.open({ clock })
    expect((await registry.list()).list).toEqual({
      from: 'network',
      fetchedAt: '2026-01-01T00:00:00.000Z',
      message: null,
    })
    clock.advance(599_999)
    await Promise.all([registry.list(), registry.list()])
    expect(scene.asked).toHaveLength(1)
    clock.advance(1)
    await Promise.all([registry.list(), registry.list()])
    expect(scene.asked).toHaveLength(2)
    await registry.list({ again: true })
    expect(scene.asked).toHaveLength(3)
  })

  it('without a network is the one from before, and says so', async () => {
    scene.serve(npmAgent('one'))
    const before = await scene.open({ clock: fakeClock() })
    await before.list()
    await before.close()
    scene.network.clear()
    const clock = fakeClock()
    const registry = await scene.open({ clock })
    const { agents, list } = await registry.list()
    expect(agents.map(({ id }) => id)).toEqual(['one'])
    expect(list).toMatchObject({ from: 'cache', fetchedAt: '2026-01-01T00:00:00.000Z' })
    expect(list.message).toMatch(/ENOTFOUND.*2026-01-01.*keep working/)
    await registry.list()
    expect(scene.asked).toHaveLength(2)
    clock.advance(60_000)
    await registry.list()
    expect(scene.asked).toHaveLength(3)
  })

  it('without a network and without one from before is empty, and what is installed still starts', async () => {
    scene.serve(npmAgent('one'))
    await (await scene.open()).install('one')
    scene.network.clear()
    await writeFile(join(scene.home, 'registry.json'), '{ damaged')
    const registry = await scene.open({ log: () => undefined })
    const { agents, list } = await registry.list()
    expect(list).toMatchObject({ from: 'none', fetchedAt: null })
    expect(agents).toMatchObject([{ id: 'one', version: null, installed: { version: '1.0.0' } }])
    expect(await registry.find('one')).not.toBeNull()
    await expect(registry.install('two')).rejects.toMatchObject({ code: 'offline' })
  })

  it('of another address is not used', async () => {
    scene.serve(npmAgent('one'))
    await (await scene.open()).list()
    const other = await scene.open({ url: 'https://other.example/' })
    expect((await other.list()).list.from).toBe('none')
  })

  it('waits for nobody longer than five seconds', async () => {
    const clock = fakeClock()
    scene.network.set(LIST, () => new Promise<Response>(() => undefined))
    const registry = await scene.open({ clock })
    const listed = registry.list()
    await clock.advanceAsync(4_999)
    await clock.advanceAsync(1)
    expect((await listed).list.from).toBe('none')
  })

  it.each([
    ['an error', () => new Response('no', { status: 500 }), /500/],
    ['no JSON', () => new Response('<html>'), /JSON/],
    ['no list', () => Response.json({ hello: 1 }), /no list/],
    ['too much', () => new Response(new Uint8Array(8 * 1_048_576 + 1)), /too long/],
  ])('that comes as %s is no list', async (_, answer, says) => {
    scene.network.set(LIST, answer)
    const { list } = await (await scene.open()).list()
    expect(list.from).toBe('none')
    expect(list.message).toMatch(says)
  })

  it('of nearly too much is one', async () => {
    const filling = ' '.repeat(8 * 1_048_576 - 13)
    scene.network.set(LIST, () => new Response(`{"agents":[]}${filling}`))
    expect((await (await scene.open()).list()).list.from).toBe('network')
  })
})

describe('an entry', () => {
  const good = npmAgent('good') as Record<string, unknown>
  const npx = (spec: string): unknown => ({ ...good, distribution: { npx: { package: spec } } })

  it('that can not be read costs no other', async () => {
    scene.serve(
      null,
      'x',
      {},
      { ...good, id: '../x' },
      { ...good, id: 'A' },
      { ...good, id: 'no-way', distribution: 1 },
      good,
    )
    expect((await (await scene.open()).list()).agents.map(({ id }) => id)).toEqual(['good'])
  })

  it.each(['../1', '1/2', '1..2', '', '.1', ' 1', 'a'.repeat(65), '1@2'])(
    'with the version "%s" is left out',
    async (version) => {
      scene.serve({ ...good, version })
      expect((await (await scene.open()).list()).agents).toEqual([])
    },
  )

  it.each([
    'name',
    'name@latest',
    'name@^1.0.0',
    'git+https://x/y@1.0.0',
    'file:../x@1.0.0',
    '--registry=http://x@1.0.0',
    'https://x/y.tgz',
    'a b@1.0.0',
    '../x@1.0.0',
  ])('with the package "%s" can not be installed', async (spec) => {
    scene.serve(npx(spec))
    expect((await (await scene.open()).list()).agents).toMatchObject([{ id: 'good', ways: [] }])
  })

  it('prefers npm, then an archive, then PyPI', async () => {
    const binary = {
      'linux-x86_64': { archive: 'https://x/y.tgz', cmd: 'y' },
      'linux-aarch64': { archive: 'http://x', cmd: 'y' },
    }
    scene.serve({ ...good, distribution: { npx: { package: 'a@1.0.0' }, uvx: { package: 'a==1.0' }, binary } })
    expect((await (await scene.open()).list()).agents[0]?.ways).toEqual(['npm', 'archive', 'pypi'])
    const other = await scene.open({ computer: { platform: 'linux', arch: 'arm64' } })
    expect((await other.list()).agents[0]?.ways).toEqual(['npm', 'pypi'])
  })

  it('has words only in its name and description, whatever they would do to a terminal', async () => {
    const name = '\u001b]0;title\u0007Good\u202e\nname'
    scene.serve(
      { ...good, id: 'odd', name, description: `a\u001b[2Jb${'c'.repeat(10_000)}` },
      { ...good, id: 'none', name: '\n' },
    )
    const { agents } = await (await scene.open()).list()
    expect(agents).toMatchObject([{ id: 'odd', name: ']0;title Good name', description: `a [2Jb${'c'.repeat(494)}` }])
  })

  it('of any shape makes no failure', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue()), async (entries) => {
        scene.network.set(LIST, () => Response.json({ agents: entries }))
        const registry = await scene.open()
        await registry.list({ again: true })
        await registry.close()
      }),
      { numRuns: 20 },
    )
  })
})

describe('an agent on the computer', () => {
  const onPath = async (name: string): Promise<string> => {
    const bin = join(scene.folder, 'bin')
    const home = join(scene.folder, 'lib', 'node_modules', '@maker', 'cli')
    await mkdir(bin, { recursive: true })
    await mkdir(join(home, 'dist'), { recursive: true })
    await writeFile(join(home, 'package.json'), '{"name":"@maker/cli","version":"3.2.1"}')
    await writeFile(join(home, 'dist', 'cli.js'), '#!/usr/bin/env node\n')
    await chmod(join(home, 'dist', 'cli.js'), 0o755)
    await symlink(join(home, 'dist', 'cli.js'), join(bin, name))
    return realpath(home)
  }

  it('is found with its version, without being run', async () => {
    const folder = await onPath('gemini')
    const registry = await scene.open({ env: { PATH: join(scene.folder, 'bin') } })
    const found = { id: 'gemini', version: '3.2.1', origin: 'found', args: ['--acp'], readable: [folder] }
    expect(await registry.find('gemini')).toMatchObject({ ...found, command: join(folder, 'dist', 'cli.js') })
    expect((await registry.list()).agents).toMatchObject([{ id: 'gemini', installed: null, found }])
  })

  it('takes its arguments and name from the list', async () => {
    await onPath('gemini')
    scene.serve(npmAgent('gemini', '9.0.0', ['--new-acp']))
    const registry = await scene.open({ env: { PATH: join(scene.folder, 'bin') } })
    expect((await registry.list()).agents).toMatchObject([{ name: 'The gemini', found: { args: ['--new-acp'] } }])
  })

  it('comes after one that was installed', async () => {
    await onPath('gemini')
    scene.serve(npmAgent('gemini'))
    const registry = await scene.open({ env: { PATH: join(scene.folder, 'bin') } })
    await registry.install('gemini')
    expect(await registry.find('gemini')).toMatchObject({ origin: 'installed' })
  })

  it('answers to both names that the registry has had for it', async () => {
    await onPath('claude-agent-acp')
    const registry = await scene.open({ env: { PATH: join(scene.folder, 'bin') } })
    expect(await registry.find('claude-code-acp')).toMatchObject({ id: 'claude-acp' })
  })
})

describe("one of the visitor's own", () => {
  it('is kept with its arguments and variables, in a private file', async () => {
    const registry = await scene.open()
    const env = { API_KEY: 'secret' }
    const own = await registry.addOwn({ id: 'mine', name: 'Mine', commandLine: `sh -c 'echo "a b"' x\\ y`, env })
    expect(own).toMatchObject({ origin: 'own', args: ['-c', 'echo "a b"', 'x y'], env, version: null })
    expect(own.command).toMatch(/^\/(usr\/)?bin\/sh$/)
    const again = await scene.open()
    expect(await again.find('mine')).toEqual(own)
    expect((await again.list()).agents).toMatchObject([{ id: 'mine', name: 'Mine', own }])
    await again.addOwn({ id: 'mine', commandLine: '/bin/sh' })
    expect(await again.find('mine')).toMatchObject({ name: 'mine', args: [] })
    expect(await again.remove('mine')).toBe(true)
    expect(await again.find('mine')).toBeNull()
    expect(await readFile(join(scene.home, 'own-agents.json'), 'utf8')).not.toContain('secret')
  })

  it.each([
    [{ id: 'Mine', commandLine: 'sh' }, 'invalid'],
    [{ id: '../x', commandLine: 'sh' }, 'invalid'],
    [{ id: 'mine', commandLine: '' }, 'invalid'],
    [{ id: 'mine', commandLine: 'no-such-program --acp' }, 'invalid'],
    [{ id: 'mine', commandLine: 'sh "open' }, 'invalid'],
    [{ id: 'mine', commandLine: 'sh | tee x' }, 'invalid'],
    [{ id: 'mine', commandLine: './sh' }, 'invalid'],
    [{ id: 'mine', commandLine: 'sh', env: { 'A B': 'x' } }, 'invalid'],
    [{ id: 'mine', commandLine: 'sh', env: { LEURIA_ADMIN_TOKEN: 'x' } }, 'invalid'],
    [{ id: 'listed', commandLine: 'sh' }, 'taken'],
    [{ id: 'claude-code-acp', commandLine: 'sh' }, 'taken'],
    [{ id: 'demo', commandLine: 'sh' }, 'taken'],
  ])('is refused: %j', async (input, code) => {
    scene.serve(npmAgent('listed'))
    const registry = await scene.open()
    await expect(registry.addOwn(input)).rejects.toMatchObject({ code })
    expect((await registry.list()).agents.map(({ id }) => id)).toEqual(['listed'])
  })
})
