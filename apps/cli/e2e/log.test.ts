/** `leuria log`: what an engine in another process wrote down, and what it never writes. */
import { spawn } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { auditFolder, openAudit } from '@leuria/audit'
import { fakeClock } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import { runCli, type RunningEngine, startEngine, temporaryHome } from './cli-process.js'
import { askAs, callAs, connectSite } from './connect-site.js'
import { openSession } from './site-session.js'

const CLI = fileURLToPath(new URL('../dist/leuria.js', import.meta.url))
const SHOP = 'https://shop.example'
const BLOG = 'https://blog.example'
const SECRET = 'the-visitors-words'

type Line = Record<string, unknown>
const parse = (stdout: string): Line[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)

async function logOf(home: string, ...args: string[]): Promise<Line[]> {
  const { code, stdout } = await runCli(['log', '--json', ...args], { home })
  expect(code).toBe(0)
  return parse(stdout)
}

/** A turn with one call of the page's tool. */
async function talk(engine: RunningEngine, token: string): Promise<string> {
  const inputSchema = { type: 'object', properties: { product: { type: 'string' } }, required: ['product'] }
  const session = await openSession({
    engine,
    origin: SHOP,
    token,
    tools: { count_stock: { inputSchema, run: () => ({ product: SECRET, stock: 17 }) } },
    body: { prompt: `How many of the product "${SECRET}" are in stock?` },
  })
  await session.act('approve')
  await session.until('turn_completed')
  await session.act('close')
  await session.until('completed')
  return session.id
}

describe('the log of an engine', () => {
  it('has every kind of thing that happened, by name and outcome, never content', async () => {
    await using home = await temporaryHome()
    const engine = await startEngine({ home: home.path })
    const token = await connectSite(engine, SHOP)
    const sessionId = await talk(engine, token)
    await callAs({ engine, path: '/session/prepare', origin: SHOP, token: 'wrong', body: {} })
    const { claimed, url } = await askAs(engine, BLOG, {})
    const body = { allow: false, key: url.searchParams.get('key') }
    await callAs({ engine, path: `${url.pathname}/decide`, origin: engine.ready.url, body })
    await claimed
    await runCli(['sites', 'revoke', SHOP], { home: home.path })
    await engine.stop()

    const of = { origin: SHOP, sessionId }
    const at: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(await logOf(home.path)).toEqual([
      { at, kind: 'pairing_asked', origin: SHOP, app: 'Test' },
      { at, kind: 'pairing_answered', origin: SHOP, allowed: true },
      { at, kind: 'session_started', ...of },
      { at, kind: 'tool_called', ...of, tool: 'count_stock', outcome: 'ok' },
      { at, kind: 'session_ended', ...of, status: 'completed' },
      { at, kind: 'request_refused', origin: SHOP, method: 'POST', path: '/session/prepare', status: 401 },
      { at, kind: 'pairing_asked', origin: BLOG },
      { at, kind: 'pairing_answered', origin: BLOG, allowed: false },
      { at, kind: 'grant_revoked', origin: SHOP },
    ])
    const folder = auditFolder(home.path)
    for (const name of await readdir(folder)) {
      const text = await readFile(join(folder, name), 'utf8')
      for (const content of [SECRET, token, url.searchParams.get('key') ?? '', '17'])
        expect(text).not.toContain(`"${content}"`)
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
    }
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  it('is for people without --json: one line each, in this computer’s own time', async () => {
    await using home = await temporaryHome()
    const clock = fakeClock(new Date('2026-07-01T22:30:00Z'))
    const audit = openAudit({ home: home.path, clock })
    audit.record({ kind: 'tool_called', origin: SHOP, sessionId: 's', tool: 'a\u001b[2J\u202eb', outcome: 'ok' })
    await audit.close()
    const shown = await runCli(['log'], { home: home.path, env: { TZ: 'Europe/Berlin' } })
    expect(shown.stdout).toBe(
      `2026-07-02 00:30:00  tool called  origin=${SHOP}  sessionId=s  tool=a·[2J·b  outcome=ok\n`,
    )
  })

  it('is empty at first, and that is no mistake', async () => {
    await using home = await temporaryHome()
    expect(await runCli(['log'], { home: home.path })).toEqual({ code: 0, signal: null, stdout: '', stderr: '' })
  })
})

describe('leuria log shows', () => {
  async function withEntries(): Promise<AsyncDisposable & { path: string }> {
    const home = await temporaryHome()
    for (const [date, origin] of [
      [`${day(-10)}T12:00:00Z`, SHOP],
      [`${day(-9)}T12:00:00Z`, BLOG],
      [new Date(Date.now() - 60 * 60_000).toISOString(), SHOP],
      [new Date().toISOString(), BLOG],
    ] as const) {
      const audit = openAudit({ home: home.path, clock: fakeClock(new Date(date)) })
      audit.record({ kind: 'grant_revoked', origin })
      await audit.close()
    }
    return home
  }
  /** So many days from today (UTC): the log forgets what is older than a month. */
  function day(offset: number): string {
    return new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
  }
  const origins = (lines: Line[]): unknown[] => lines.map(({ origin }) => origin)

  it('--origin: only what concerns a site, however it is typed', async () => {
    await using home = await withEntries()
    for (const typed of [SHOP, 'shop.example', 'HTTPS://Shop.Example/page'])
      expect(new Set(origins(await logOf(home.path, '--origin', typed)))).toEqual(new Set([SHOP]))
    expect(await logOf(home.path, '--origin', 'https://nobody.example')).toEqual([])
  })

  it('--since: a day of this computer, a time, or a span', async () => {
    await using home = await withEntries()
    const since = async (text: string, env = {}) => {
      const { stdout } = await runCli(['log', '--json', '--since', text], { home: home.path, env })
      return origins(parse(stdout))
    }
    expect(await since('30m')).toEqual([BLOG])
    expect(await since('2h')).toEqual([SHOP, BLOG])
    expect(await since('2d')).toEqual([SHOP, BLOG])
    expect(await since(`${day(-9)}T11:00:00Z`)).toEqual([BLOG, SHOP, BLOG])
    // Midnight there is 10:00 UTC of the same day, or of the day before.
    expect(await since(day(-9), { TZ: 'Pacific/Honolulu' })).toEqual([BLOG, SHOP, BLOG])
    expect(await since(day(-8), { TZ: 'Pacific/Kiritimati' })).toEqual([BLOG, SHOP, BLOG])
    expect(await since(day(-8), { TZ: 'UTC' })).toEqual([SHOP, BLOG])
  })

  it('--follow: what happens from now on, until Ctrl+C', async () => {
    await using home = await temporaryHome()
    const engine = await startEngine({ home: home.path })
    const env = { PATH: process.env.PATH, LEURIA_HOME: home.path }
    const child = spawn(process.execPath, [CLI, 'log', '--json', '--follow'], { env })
    let seen = ''
    child.stdout.on('data', (chunk: Buffer) => (seen += chunk.toString()))
    const ended = new Promise((resolve) => child.on('close', resolve))
    await connectSite(engine, SHOP)
    await expect.poll(() => parse(seen).length, { timeout: 20_000 }).toBe(2)
    await connectSite(engine, BLOG)
    await expect.poll(() => parse(seen).length, { timeout: 20_000 }).toBe(4)
    child.kill('SIGINT')
    expect(await ended).toBe(0)
    await engine.stop()
  })

  it('--follow: and ends when nobody reads any more', async () => {
    await using home = await temporaryHome()
    const engine = await startEngine({ home: home.path })
    const env = { PATH: process.env.PATH, LEURIA_HOME: home.path }
    const child = spawn(process.execPath, [CLI, 'log', '--follow'], { env })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const ended = new Promise((resolve) => child.on('close', resolve))
    await connectSite(engine, SHOP)
    await new Promise((resolve) => child.stdout.once('data', resolve))
    child.stdout.destroy()
    await connectSite(engine, BLOG)
    await ended
    expect(said).toBe('')
    await engine.stop()
  })

  it.each([
    [['--since', 'yesterday-ish'], /is not a time like/],
    [['--origin', 'ftp://x'], /not a site's address/],
    [['--loud'], /unknown option/],
  ])('%j is a mistake: one plain line, and exit code 1', async (args, words) => {
    await using home = await temporaryHome()
    const refused = await runCli(['log', ...args], { home: home.path })
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(words)
    expect(refused.stderr).not.toContain('    at ')
  })
})
