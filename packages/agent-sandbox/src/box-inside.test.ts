/** What an agent finds inside its box, and what it doesn't: tried by a program in the box itself. */
import { spawn } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BoxScene, boxScene, machineSandbox, tell } from './box-scene.fixture.js'

const machine = machineSandbox()
let scene: BoxScene

beforeEach(async () => {
  scene = await boxScene()
})
afterEach(async () => {
  await scene.close()
})

describe.skipIf(!machine.sandbox)(`inside the sandbox${machine.why && ` (skipped: ${machine.why})`}`, () => {
  it('is proven when it is opened', async () => {
    const box = await scene.open()
    expect(box).toMatchObject({ kind: 'bubblewrap', proof: { holds: true } })
    expect((await scene.launch(box, 'puppet')).boxed).toBe(true)
  })

  it('also holds around the real home folder', async () => {
    const box = await scene.open({ visitorHome: undefined })
    expect(box.proof).toMatchObject({ holds: true })
  })

  it('shows no home folder', async () => {
    const agent = await scene.launch(await scene.open(), 'puppet')
    const key = JSON.stringify(join(scene.visitorHome, '.ssh', 'id'))
    expect(await tell(agent, `return (await load('node:fs')).readFileSync(${key}, 'utf8')`)).toEqual({
      error: 'ENOENT',
    })
    expect(await tell(agent, `return (await load('node:fs')).readdirSync(process.env.HOME)`)).toEqual([])
    const others = `return (await load('node:fs')).readdirSync('/').filter((n) => ['root', 'home', 'var', 'mnt', 'run', 'sys'].includes(n))`
    expect(await tell(agent, others)).toEqual([])
  })

  it('shows no other user and no name of the visitor', async () => {
    const agent = await scene.launch(await scene.open(), 'puppet')
    const users = await tell(
      agent,
      `return (await load('node:fs')).readFileSync('/etc/passwd', 'utf8').split('\\n').length`,
    )
    expect(users).toBe(2)
    expect(await tell(agent, `return (await load('node:os')).userInfo().username`)).toBe('visitor')
    expect(await tell(agent, `return (await load('node:fs')).readFileSync('/etc/shadow', 'utf8')`)).toEqual({
      error: 'ENOENT',
    })
  })

  it('shows no process outside and lets none be signalled', async () => {
    const outside = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    try {
      const agent = await scene.launch(await scene.open(), 'puppet')
      const lines = await tell(
        agent,
        `const fs = await load('node:fs'); return fs.readdirSync('/proc').filter((n) => /^\\d+$/.test(n)).length`,
      )
      expect(lines).toBeLessThan(5)
      await tell(agent, `process.kill(${outside.pid}, 'SIGKILL'); return 1`)
      expect(outside.exitCode ?? outside.signalCode).toBeNull()
    } finally {
      outside.kill('SIGKILL')
    }
  })

  it('lets it write in its private folder and nowhere else that lasts', async () => {
    const agent = await scene.launch(await scene.open(), 'puppet')
    const write = (path: string): Promise<unknown> =>
      tell(agent, `(await load('node:fs')).writeFileSync(${JSON.stringify(path)}, 'x'); return 'written'`)
    expect(await write(join(agent.cwd, 'note'))).toBe('written')
    expect(await write(join(scene.agentFolder, 'puppet.mjs'))).toEqual({ error: 'EROFS' })
    expect(await write('/usr/x')).toEqual({ error: 'EROFS' })
    expect(await write('/x')).toEqual({ error: 'EROFS' })
    expect(await write(join(scene.visitorHome, 'x'))).toMatchObject({
      error: expect.stringMatching(/ENOENT|EROFS/) as unknown,
    })
    await expect(readFile(join(agent.cwd, 'note'), 'utf8')).resolves.toBe('x')
  })

  it('leaves the network', async () => {
    const { createServer } = await import('node:http')
    const server = createServer((_, response) => response.end('hello'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const address = server.address()
      const port = typeof address === 'object' ? address?.port : 0
      const agent = await scene.launch(await scene.open(), 'puppet')
      expect(await tell(agent, `return (await fetch('http://127.0.0.1:${port}/')).text()`)).toBe('hello')
      expect(await tell(agent, `return (await load('node:dns/promises')).lookup('localhost')`)).toHaveProperty(
        'address',
      )
    } finally {
      server.close()
    }
  })

  it("shows the agent's own sign-in, writable, where it looks for it", async () => {
    await mkdir(join(scene.visitorHome, '.codex'))
    await writeFile(join(scene.visitorHome, '.codex', 'auth.json'), 'old')
    await mkdir(join(scene.visitorHome, '.claude'))
    const signIn = [{ home: '.codex/auth.json', at: 'codex/auth.json' }, { home: '.claude' }, { home: '.absent' }]
    const agent = await scene.launch(await scene.open(), 'puppet', { signIn, env: { CODEX_HOME: '{private}/codex' } })
    const renew = `const fs = await load('node:fs'); const p = process.env.CODEX_HOME + '/auth.json'; const old = fs.readFileSync(p, 'utf8'); fs.writeFileSync(p, 'new'); fs.writeFileSync(process.env.HOME + '/.claude/state', 'kept'); return [old, fs.readdirSync(process.env.HOME)]`
    expect(await tell(agent, renew)).toEqual(['old', ['.claude']])
    await agent.kill()
    await expect(readFile(join(scene.visitorHome, '.codex', 'auth.json'), 'utf8')).resolves.toBe('new')
    await expect(readFile(join(scene.visitorHome, '.claude', 'state'), 'utf8')).resolves.toBe('kept')
  })

  it('does not follow a link on the way to a sign-in', async () => {
    const lines: string[] = []
    await symlink(join(scene.visitorHome, '.ssh'), join(scene.visitorHome, '.claude'))
    const box = await scene.open({ log: (line) => lines.push(line) })
    const agent = await scene.launch(box, 'puppet', { signIn: [{ home: '.claude' }] })
    expect(await tell(agent, `return (await load('node:fs')).readdirSync(process.env.HOME)`)).toEqual([])
    expect(lines.join()).toContain('there is a link on its path')
  })

  it('starts a program that is a link into a folder the box does not show', async () => {
    const hidden = join(scene.visitorHome, 'tool.sh')
    await writeFile(hidden, '#!/bin/sh\necho started\n', { mode: 0o755 })
    const link = join(scene.scratchParent, 'tool')
    await symlink(hidden, link)
    const agent = await scene.launch(await scene.open(), 'puppet', { command: link, args: [] })
    const { nextLine } = await import('./box-scene.fixture.js')
    expect(await nextLine(agent)).toBe('started')
  })
})

describe('with or without a sandbox', () => {
  it.each([true, false])('starts in an empty private folder that goes away (sandbox: %s)', async (sandbox) => {
    const box = await scene.open({ sandbox })
    const files = { 'conf/settings.json': '{"dir":"{private}/conf"}' }
    const agent = await scene.launch(box, 'puppet', { files, env: { CONF: '{private}/conf' } })
    const facts = await tell(
      agent,
      `const fs = await load('node:fs'); return { cwd: process.cwd(), names: fs.readdirSync('.'), mode: fs.statSync('.').mode & 0o777, conf: JSON.parse(fs.readFileSync(process.env.CONF + '/settings.json', 'utf8')), dir: process.env.CONF, fileMode: fs.statSync(process.env.CONF + '/settings.json').mode & 0o777 }`,
    )
    const folder = join(agent.cwd, '..')
    expect(facts).toEqual({
      cwd: agent.cwd,
      names: [],
      mode: 0o700,
      conf: { dir: join(folder, 'conf') },
      dir: join(folder, 'conf'),
      fileMode: 0o600,
    })
    await agent.kill()
    await expect(readFile(join(folder, 'conf', 'settings.json'))).rejects.toThrow('ENOENT')
  })

  it.each([true, false])('passes on no variable that is not on the list (sandbox: %s)', async (sandbox) => {
    const env = { PATH: process.env['PATH'], LANG: 'C', LEURIA_ADMIN_TOKEN: 'x', OPENAI_API_KEY: 'x', NODE_OPTIONS: '' }
    const agent = await scene.launch(await scene.open({ sandbox, env }), 'puppet', {
      env: { ANTHROPIC_API_KEY: 'mine', LEURIA_HOME: '/x' },
    })
    const names = await tell(agent, `return Object.keys(process.env).sort()`)
    const places = ['ANTHROPIC_API_KEY', 'HOME', 'LANG', 'PATH', 'TEMP', 'TMP', 'TMPDIR', 'USERPROFILE']
    expect(names).toEqual(
      sandbox && machine.sandbox
        ? [...places.slice(0, 4), 'PWD', ...places.slice(4)].sort()
        : [...places, 'LEURIA_BOX_MARK'].sort(),
    )
  })
})
