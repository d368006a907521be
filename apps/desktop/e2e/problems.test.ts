/** What can stand in the way at a start: each is said in words with what to do, as an event and in the window; nothing is lost. */
import { spawn } from 'node:child_process'
import { chmod, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { chromiumForTests } from '@leuria/tooling/chromium'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DesktopScene, madeFolder, PROGRAM } from './desktop-program.js'
import { readyPort, startSidecar } from './sidecar-process.js'

const browser = chromiumForTests()
const isRoot = process.getuid?.() === 0
/** Nobody's, on most systems. */
const OTHER_UID = 65_534

let folder: string
let home: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leuria-problems-'))
  home = await madeFolder(join(folder, 'home'))
})
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }))

describe('the sidecar', () => {
  it('says which program holds its port, and what to do', async () => {
    const first = startSidecar({ home })
    const port = await readyPort(first)
    const second = startSidecar({ home: join(folder, 'other'), args: ['--port', String(port)] })
    expect(await second.ended).toBe(1)
    expect(second.lines).toMatchObject([
      {
        event: 'error',
        code: 'EADDRINUSE',
        message: expect.stringMatching(/is taken: .*End that program, then try again/) as unknown,
      },
    ])
    if (process.platform === 'linux') expect(second.said).toContain(`process ${first.child.pid}`)
    first.child.stdin?.end()
    await first.ended
  })

  it('leaves the files of a newer version alone', async () => {
    const text = JSON.stringify({ version: 99, agent: 'demo' })
    await writeFile(join(home, 'config.json'), text)
    const { lines, ended } = startSidecar({ home })
    expect(await ended).toBe(1)
    expect(lines).toMatchObject([{ event: 'error', code: 'newer_version' }])
    expect(await readFile(join(home, 'config.json'), 'utf8')).toBe(text)
  })

  it('sets a damaged config aside, says so, and starts', async () => {
    await writeFile(join(home, 'config.json'), '{"agent":"llm:ollama"')
    const started = startSidecar({ home })
    await readyPort(started)
    const names = await readdir(home)
    const kept = names.find((name) => name.startsWith('config.json.damaged-')) ?? ''
    expect(await readFile(join(home, kept), 'utf8')).toBe('{"agent":"llm:ollama"')
    started.child.stdin?.end()
    expect(await started.ended).toBe(0)
    expect(started.said).toMatch(/config\.json/)
  })

  it('shares a home with another engine, and says so', async () => {
    const engines = [startSidecar({ home }), startSidecar({ home })]
    const ports = await Promise.all(engines.map(readyPort))
    expect(new Set(ports).size).toBe(2)
    await vi.waitFor(
      () => {
        expect(engines.map(({ said }) => said).join('')).toMatch(/Another Leuria engine \(process \d+, port \d+\) uses/)
      },
      { timeout: 20_000 },
    )
    for (const { child } of engines) child.stdin?.end()
    expect(await Promise.all(engines.map(({ ended }) => ended))).toEqual([0, 0])
  })
})

describe.skipIf(!isRoot)('a home of another user', () => {
  /** The built programs where everybody can read them. */
  const publish = async (): Promise<string> => {
    await chmod(folder, 0o755)
    const program = join(folder, 'dist')
    await cp(dirname(PROGRAM), program, { recursive: true })
    return program
  }

  it.each(['leuria-sidecar.js', 'leuria-desktop.js'])('is told by %s without a stack', async (file) => {
    const program = await publish()
    await chmod(home, 0o755)
    const child = spawn(process.execPath, [join(program, file)], {
      uid: OTHER_UID,
      gid: OTHER_UID,
      cwd: '/',
      env: { PATH: process.env.PATH, HOME: '/', LEURIA_HOME: home, LEURIA_ADMIN_TOKEN: 'x'.repeat(40) },
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (said += piece.toString()))
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(1)
    expect(said).toMatch(/can't be (written|read).*Check who owns/)
    expect(said).not.toMatch(/^\s+at /m)
    expect(await readdir(home)).toEqual([])
  })
})

describe('the program', () => {
  it('ends with words, and with everything it has started, when later starts could not reach it', async () => {
    await madeFolder(join(home, 'desktop.sock'))
    await using scene = await DesktopScene.open({ browser: null, home })
    const start = scene.start()
    expect(await start.ended).toBe(1)
    expect(start.said).toContain('desktop.sock')
    expect(start.said).not.toMatch(/^\s+at /m)
    // It holds the home no longer.
    expect(await readFile(join(home, 'desktop.json'), 'utf8')).not.toContain('holder')
  })
})

describe.skipIf(browser === null)('the window', { timeout: 90_000 }, () => {
  it('shows that the port is taken, and the engine starts once it is free and the visitor tries again', async () => {
    const blocker = createServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
    const { port } = blocker.address() as AddressInfo
    await using scene = await DesktopScene.open({ browser })
    scene.startWith(['--port', String(port)])
    const page = await scene.window()
    await page.getByText(`Port ${port} is taken`).first().waitFor()
    await new Promise((resolve) => blocker.close(resolve))
    await page.evaluate('leuriaDesktop.retry()')
    expect(await scene.engine()).toMatchObject({ port })
    await vi.waitFor(
      async () => {
        expect(await page.evaluate('leuriaDesktop.problem')).toBeNull()
      },
      { timeout: 20_000 },
    )
  })
})
