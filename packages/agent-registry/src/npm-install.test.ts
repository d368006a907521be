/** Installing from npm, through the registry's public door with a fake npm. */
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { InstallProgress } from './index.js'
import { npmAgent, type RegistryScene, registryScene } from './registry-scene.fixture.js'

let scene: RegistryScene

beforeEach(async () => {
  scene = await registryScene()
})
afterEach(async () => {
  await scene.close()
})

const agents = (): Promise<string[]> => readdir(join(scene.home, 'agents')).catch(() => [])

interface NpmLine {
  verb: string
  spec: string
  flags: string[]
  env: Record<string, string>
}

async function npmLog(): Promise<NpmLine[]> {
  const lines = (await readFile(join(scene.folder, 'npm-log'), 'utf8').catch(() => '')).split('\n').filter(Boolean)
  return lines.map((line): NpmLine => JSON.parse(line) as NpmLine)
}

describe('an install from npm', () => {
  it('is pinned, runs no scripts, and can be started', async () => {
    scene.serve(npmAgent('tester'))
    const registry = await scene.open()
    const told: InstallProgress[] = []
    const agent = await registry.install('tester', { onProgress: (progress) => told.push(progress) })
    const folder = join(scene.home, 'agents', 'tester@1.0.0')
    const entry = join(folder, 'node_modules', '@maker', 'tester', 'cli.js')
    expect(agent).toEqual({
      id: 'tester',
      name: 'The tester',
      version: '1.0.0',
      origin: 'installed',
      command: process.execPath,
      args: [entry, '--acp'],
      env: {},
      readable: [folder],
    })
    expect(told.map(({ stage }) => stage)).toEqual(['fetching', 'fetching', 'checking', 'done'])
    const [view, install] = await npmLog()
    expect([view?.verb, install?.verb, install?.spec]).toEqual(['view', 'install', '@maker/tester@1.0.0'])
    expect(install?.flags).toContain('--ignore-scripts')
    expect(await registry.find('tester')).toEqual(agent)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  it("shows npm its own settings, and none of the engine's or others' secrets", async () => {
    scene.serve(npmAgent('tester'))
    const env = {
      PATH: '/usr/bin',
      HOME: '/home/me',
      npm_config_registry: 'r',
      LEURIA_ADMIN_TOKEN: 'x',
      OPENAI_API_KEY: 'x',
    }
    await (await scene.open({ env })).install('tester')
    const [line] = await npmLog()
    expect(Object.keys(line?.env ?? {}).sort()).toEqual(['HOME', 'PATH', 'npm_config_registry'])
  })

  it('writes the manifest that other engines read', async () => {
    scene.serve(npmAgent('tester'))
    await (await scene.open()).install('tester')
    const folder = join(scene.home, 'agents', 'tester@1.0.0')
    const manifest: unknown = JSON.parse(await readFile(join(folder, 'leuria-agent.json'), 'utf8'))
    expect(manifest).toMatchObject({
      id: 'tester',
      dir: folder,
      command: process.execPath,
      launchArgs: [join(folder, 'node_modules', '@maker', 'tester', 'cli.js')],
      args: ['--acp'],
    })
  })

  it.each([
    { id: 'new-node', code: 'needs_newer_node', says: '>=99' },
    { id: 'offline', code: 'offline', says: 'keep working' },
    { id: 'broken', code: 'install_failed', says: 'The disk said no' },
    { id: 'no-bin', code: 'bad_package', says: 'no program' },
    { id: 'two-bins', code: 'bad_package', says: 'no program' },
    { id: 'out-bin', code: 'bad_package', says: 'no program' },
    { id: 'link', code: 'bad_package', says: 'links out' },
  ])('that fails leaves nothing and says why: $id', async ({ id, code, says }) => {
    scene.serve(npmAgent(id))
    const registry = await scene.open()
    await expect(registry.install(id)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(says) as unknown,
    })
    expect(await agents()).toEqual([])
    expect(await registry.find(id)).toBeNull()
    if (id === 'new-node') expect((await npmLog()).map(({ verb }) => verb)).toEqual(['view'])
  })

  it.each(['old-node', 'one-bin'])('works for %s', async (id) => {
    scene.serve(npmAgent(id))
    await expect((await scene.open()).install(id)).resolves.toMatchObject({ id })
  })

  it('that is called off ends npm and leaves nothing', async () => {
    scene.serve(npmAgent('slow'))
    const registry = await scene.open()
    const abort = new AbortController()
    const install = registry.install('slow', { signal: abort.signal })
    install.catch(() => undefined)
    const written = () => readFile(join(scene.folder, 'npm-pid'), 'utf8').catch(() => '')
    const pid = Number(await vi.waitUntil(written, { timeout: 20_000 }))
    abort.abort()
    await expect(install).rejects.toMatchObject({ code: 'cancelled' })
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
    expect(await agents()).toEqual([])
  })

  it('is shared by all who ask for it, and goes on while one of them waits', async () => {
    scene.serve(npmAgent('tester'), npmAgent('old-node'))
    const registry = await scene.open()
    const hold = join(scene.folder, 'hold')
    await writeFile(hold, '')
    const [abort, stages] = [new AbortController(), [] as string[]]
    const first = registry.install('tester', { signal: abort.signal })
    const second = registry.install('tester')
    const other = registry.install('old-node', { onProgress: ({ stage }) => stages.push(stage) })
    first.catch(() => undefined)
    await vi.waitUntil(async () => (await npmLog()).length > 0, { timeout: 20_000 })
    abort.abort()
    await expect(first).rejects.toMatchObject({ code: 'cancelled' })
    await rm(hold)
    await expect(second).resolves.toMatchObject({ id: 'tester' })
    await other
    expect(stages[0]).toBe('waiting')
    expect((await npmLog()).filter(({ verb }) => verb === 'install')).toHaveLength(2)
  })

  it('uses what is there, and repairs what is broken', async () => {
    scene.serve(npmAgent('tester'))
    const registry = await scene.open()
    const folder = join(scene.home, 'agents', 'tester@1.0.0')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'half'), 'x') // a folder without a manifest: a crash between two files
    expect(await registry.find('tester')).toBeNull()
    await registry.install('tester')
    await registry.install('tester')
    expect((await npmLog()).filter(({ verb }) => verb === 'install')).toHaveLength(1)
    expect(await readdir(folder)).not.toContain('half')
    expect(await agents()).toEqual(['tester@1.0.0'])
  })

  it('made by two programs at once ends as one', async () => {
    scene.serve(npmAgent('tester'))
    const both = await Promise.all([scene.open(), scene.open()])
    await Promise.all(both.map((registry) => registry.install('tester')))
    expect(await agents()).toEqual(['tester@1.0.0'])
  })

  it('ends with the registry', async () => {
    scene.serve(npmAgent('slow'))
    const registry = await scene.open()
    const install = registry.install('slow')
    install.catch(() => undefined)
    await vi.waitUntil(() => existsSync(join(scene.folder, 'npm-pid')), { timeout: 20_000 })
    await Promise.all([registry.close(), registry.close()])
    await expect(install).rejects.toMatchObject({ code: 'cancelled' })
    expect(await agents()).toEqual([])
  })
})

describe('a newer version', () => {
  it('is installed beside the old one, which goes with the next start', async () => {
    scene.serve(npmAgent('tester', '1.9.0'))
    const registry = await scene.open()
    expect(await registry.update('tester')).toMatchObject({ version: '1.9.0' })
    expect(await registry.update('tester')).toBeNull()
    scene.serve(npmAgent('tester', '1.10.0'))
    expect(await registry.update('tester')).toMatchObject({ version: '1.10.0' })
    expect((await registry.installed()).map(({ version }) => version)).toEqual(['1.10.0', '1.9.0'])
    expect(await registry.find('tester')).toMatchObject({ version: '1.10.0' })
    await registry.prune()
    expect(await agents()).toEqual(['tester@1.10.0'])
  })

  it('is kept while somebody uses it, whichever process does', async () => {
    const registry = await scene.open()
    const versions = async (): Promise<string[]> => (await registry.installed()).map(({ version }) => version)
    for (const version of ['1.0.0', '2.0.0', '3.0.0', '4.0.0']) {
      scene.serve(npmAgent('tester', version))
      await registry.update('tester')
    }
    const first = (await registry.installed()).at(-1) ?? expect.fail('unreachable: four were installed')
    const release = await registry.hold(first)
    // What a process leaves that is gone, and one that lives.
    const mark = (name: string, pid: number, uses: string) =>
      writeFile(join(scene.home, 'agents', '.in-use', name), JSON.stringify({ pid, host: hostname(), id: name, uses }))
    await mark('dead.json', 2 ** 22 + 1, 'tester@2.0.0')
    await mark('living.json', process.ppid, 'tester@3.0.0')
    await writeFile(join(scene.home, 'agents', '.in-use', 'half.json'), '{')
    await (await scene.open()).prune()
    expect(await versions()).toEqual(['4.0.0', '3.0.0', '1.0.0'])
    await release()
    await release()
    await registry.prune()
    expect(await versions()).toEqual(['4.0.0', '3.0.0'])
    expect(await readdir(join(scene.home, 'agents', '.in-use'))).toEqual(['half.json', 'living.json'])
  })

  it('needs no hold where nothing of ours could be removed', async () => {
    const registry = await scene.open()
    const mine = await registry.addOwn({ id: 'mine', commandLine: process.execPath })
    await (
      await registry.hold(mine)
    )()
    expect(await readdir(scene.home)).not.toContain('agents')
  })

  it('is not the release before it, nor an older list', async () => {
    scene.serve(npmAgent('tester', '2.0.0-rc.1'))
    const registry = await scene.open()
    await registry.install('tester')
    scene.serve(npmAgent('tester', '2.0.0'))
    expect(await registry.update('tester')).toMatchObject({ version: '2.0.0' })
    scene.serve(npmAgent('tester', '1.0.0'))
    expect(await registry.update('tester')).toBeNull()
  })
})

describe('removing and tidying', () => {
  it('takes all versions', async () => {
    scene.serve(npmAgent('tester'))
    const registry = await scene.open()
    await registry.install('tester')
    expect(await registry.remove('tester')).toBe(true)
    expect(await registry.remove('tester')).toBe(false)
    expect(await agents()).toEqual([])
  })

  it('clears what a crashed installation left, and nothing of a living one', async () => {
    const root = join(scene.home, 'agents')
    const owned = async (name: string, pid: number): Promise<void> => {
      await mkdir(join(root, name, 'agent'), { recursive: true })
      const { hostname } = await import('node:os')
      await writeFile(join(root, name, 'owner.json'), JSON.stringify({ pid, host: hostname(), id: 'x' }))
    }
    await owned('.aside-dead', 2 ** 22 + 1)
    await owned('.aside-living', process.ppid)
    await (await scene.open()).prune()
    expect(await agents()).toEqual(['.aside-living'])
  })
})

describe('a manifest', () => {
  const put = async (name: string, manifest: unknown): Promise<void> => {
    const folder = join(scene.home, 'agents', name)
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'cli.js'), '')
    await writeFile(
      join(folder, 'leuria-agent.json'),
      typeof manifest === 'string' ? manifest : JSON.stringify(manifest),
    )
  }

  it('of another engine is read', async () => {
    const dir = join(scene.home, 'agents', 'other@1.2.3')
    const facts = { id: 'other', name: 'Other', version: '1.2.3', dir, args: ['-x'], env: { A: 'b' } }
    await put('other@1.2.3', { ...facts, command: '/gone/node', launchArgs: [join(dir, 'cli.js')] })
    const agent = await (await scene.open()).find('other')
    expect(agent).toMatchObject({ command: process.execPath, args: [join(dir, 'cli.js'), '-x'], env: { A: 'b' } })
  })

  const good = { id: 'a', name: 'A', version: '1.0.0', runtime: 'node', entry: 'cli.js' }
  it.each([
    ['is no JSON', '{'],
    ['is empty', ''],
    ['is another agent', { ...good, id: 'b' }],
    ['is another version', { ...good, version: '2.0.0' }],
    ['leads out', { ...good, entry: '../../../../../../etc/hosts' }],
    ['leads out by an absolute path', { ...good, entry: '/etc/hosts' }],
    ['names what is not there', { ...good, entry: 'gone.js' }],
    [
      'names a command elsewhere',
      { ...good, entry: undefined, runtime: undefined, command: '/bin/sh', launchArgs: [] },
    ],
  ])('that %s makes no agent', async (_, manifest) => {
    await put('a@1.0.0', manifest)
    const registry = await scene.open()
    expect(await registry.installed()).toEqual([])
    expect(await registry.find('a')).toBeNull()
  })

  it('that is whole makes one', async () => {
    await put('a@1.0.0', good)
    expect(await (await scene.open()).find('a')).toMatchObject({ id: 'a' })
  })
})
