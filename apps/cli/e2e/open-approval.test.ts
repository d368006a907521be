/** How the command line opens the approval page: the key in its address is nowhere where other programs look. */
import { chmod, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { startEngine, temporaryHome } from './cli-process.js'
import { askAs, callAs } from './connect-site.js'

/** Stands for the system's browser: notes its arguments, and stays as long as a browser does. */
const BROWSER = '#!/bin/sh\nprintf "%s\\n" "$@" >> "$LEURIA_HOME/opened"\nsleep 60\n'

/** Command lines of all processes, as any program of this user sees them. */
async function commandLines(): Promise<string> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return lines.join('\n')
}

async function withBrowser(folder: string): Promise<Record<string, string>> {
  const bin = join(folder, 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'xdg-open'), BROWSER)
  await chmod(join(bin, 'xdg-open'), 0o755)
  return { PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`, TMPDIR: folder }
}

describe.skipIf(process.platform !== 'linux')('opening the approval page', () => {
  it('hands the browser a private file that leads on, never the key', async () => {
    await using home = await temporaryHome()
    const engine = await startEngine({
      home: home.path,
      env: await withBrowser(home.path),
      args: ['--port', '0', '--open'],
    })
    const { url, claimed } = await askAs(engine, 'https://shop.example')
    const key = url.searchParams.get('key') ?? expect.fail('no key')
    const opened = (): Promise<string> => readFile(join(home.path, 'opened'), 'utf8').catch(() => '')
    await expect.poll(opened, { timeout: 20_000 }).toMatch(/^file:\/\//)

    expect(await opened()).not.toContain(key)
    const file = fileURLToPath((await opened()).trim())
    const lines = await commandLines()
    expect(lines).toContain(file)
    expect(lines).not.toContain(key)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(dirname(file))).mode & 0o777).toBe(0o700)
    expect(await readFile(file, 'utf8')).toContain(`url=${url.href}`)

    const decide = { engine, path: `${url.pathname}/decide`, origin: engine.ready.url }
    await callAs({ ...decide, body: { allow: true, key } })
    expect((await claimed).json).toMatchObject({ status: 'allowed' })
    await engine.stop()
    await expect(stat(file)).rejects.toThrow(/ENOENT/)
  })

  it('opens a question once, however often the site repeats it', async () => {
    await using home = await temporaryHome()
    const engine = await startEngine({
      home: home.path,
      env: await withBrowser(home.path),
      args: ['--port', '0', '--open'],
    })
    for (let time = 0; time < 3; time += 1) await askAs(engine, 'https://shop.example')
    await expect.poll(() => engine.events.filter(({ event }) => event === 'pairing').length).toBe(3)
    const opened = (): Promise<string> => readFile(join(home.path, 'opened'), 'utf8').catch(() => '')
    await expect.poll(opened, { timeout: 20_000 }).not.toBe('')
    await engine.stop()
    expect((await opened()).trim().split('\n')).toHaveLength(1)
  })

  it.each([3, 4])('opens three tabs at most within a minute, when %d sites ask', async (sites) => {
    await using home = await temporaryHome()
    const env = await withBrowser(home.path)
    const engine = await startEngine({ home: home.path, env, args: ['--port', '0', '--open'] })
    for (let site = 0; site < sites; site += 1) await askAs(engine, `https://shop-${site}.example`)
    const opened = (): Promise<string> => readFile(join(home.path, 'opened'), 'utf8').catch(() => '')
    await expect.poll(async () => (await opened()).trim().split('\n').length, { timeout: 20_000 }).toBe(3)
    const { stderr } = await engine.stop()
    expect((await opened()).trim().split('\n')).toHaveLength(3)
    // The address of each is told all the same.
    expect(stderr.match(/asks to use your AI\. Answer here/g)).toHaveLength(sites)
  })

  it('is left to the reader of the events with --json', async () => {
    await using home = await temporaryHome()
    const engine = await startEngine({ home: home.path, env: await withBrowser(home.path) })
    await askAs(engine, 'https://shop.example')
    await engine.stop()
    expect(await readdir(home.path)).not.toContain('opened')
  })
})
