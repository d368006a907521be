/** `leuria:` links as systems really deliver them, to the built program with a real browser as its window. */
import { readFile } from 'node:fs/promises'
import { chromiumForTests } from '@leuria/tooling/chromium'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DesktopScene, LINK, NONCE } from './desktop-program.js'

const browser = chromiumForTests()

/** Without waiting for anything: the shortest deadline in a hand-over is longer, and a busy computer may take seconds. */
const AT_ONCE_MS = 9_000

describe.skipIf(browser === null)('a link', { timeout: 90_000 }, () => {
  let scene: DesktopScene
  beforeEach(async () => {
    scene = await DesktopScene.open({ browser })
  })
  afterEach(() => scene[Symbol.asyncDispose]())

  const shop = { origin: 'https://shop.example', app: 'Shop' }

  // FC-05 b: the URL is the first process argument, and the engine isn't up yet.
  it('that starts the program is kept until the engine is up, and asked about once', async () => {
    scene.start(LINK)
    expect(await scene.asked()).toMatchObject([shop])
    const page = await scene.window()
    await page.getByText('shop.example').first().waitFor()
  })

  // FC-05 a: the system added a slash.
  it('with a slash after its host is the same link', async () => {
    scene.start(LINK.replace('connect?', 'connect/?'))
    expect(await scene.asked()).toMatchObject([shop])
  })

  // FC-05 c: a second process is started with the URL while the first runs.
  it('in a second start is handed over: that one ends at once, one engine stays, the window comes', async () => {
    scene.start()
    const before = await scene.engine()
    const startedAt = Date.now()
    const second = scene.start(LINK)
    expect(await second.ended).toBe(0)
    expect(Date.now() - startedAt).toBeLessThan(AT_ONCE_MS)
    expect(await scene.asked()).toMatchObject([shop])
    expect(await scene.engine()).toEqual(before)
  })

  it('that comes when the window was closed brings it back', async () => {
    const first = scene.start()
    const page = await scene.window()
    await scene.engine()
    await page.close()
    await vi.waitFor(() => expect(page.context().browser()?.isConnected()).toBe(false), { timeout: 20_000 })
    expect(await scene.start(LINK).ended).toBe(0)
    await (await scene.window()).getByText('shop.example').first().waitFor({ timeout: 30_000 })
    expect(await scene.asked()).toMatchObject([shop])
    expect(first.child.exitCode).toBeNull()
  })

  // FC-05 d: the same URL comes twice within 100 ms.
  it('that comes twice is one question, and posted once', async () => {
    const starts = [scene.start(LINK), scene.start(LINK), scene.start(LINK)]
    await vi.waitFor(() => {
      expect(starts.filter(({ child }) => child.exitCode === 0)).toHaveLength(2)
    }, 30_000)
    expect(await scene.asked()).toMatchObject([shop])
    // A question that was repeated would be told again.
    expect(starts.map(({ said }) => said).join('')).toBe('')
  })

  // FC-05 e: reserved characters, both spellings of a space, decoded once.
  it.each(['AT%26T%20%2B%20Caf%C3%A9%20%25', 'AT%26T+%2B+Caf%C3%A9+%25'])(
    'tells the name %s as it was meant',
    async (app) => {
      scene.start(LINK.replace('app=Shop', `app=${app}`))
      expect(await scene.asked()).toMatchObject([{ app: 'AT&T + Café %' }])
    },
  )

  it.each([
    ['another scheme', 'https://shop.example/leuria://connect'],
    ['another action', `leuria://pay?origin=https%3A%2F%2Fshop.example&nonce=${NONCE}`],
    ['no nonce', 'leuria://connect?origin=https%3A%2F%2Fshop.example'],
    ['an origin that is no site', `leuria://connect?origin=file%3A%2F%2F%2Fetc&nonce=${NONCE}`],
    ['a huge parameter', `${LINK}&app=${'a'.repeat(100_000)}`],
    ['options inside', `leuria://connect?--quit&origin=https%3A%2F%2Fshop.example`],
    ["a site's settings that isn't connected", 'leuria://site?origin=https%3A%2F%2Fshop.example'],
  ])('that is hostile does nothing: %s', async (_, link) => {
    const first = scene.start()
    await scene.engine()
    const startedAt = Date.now()
    await scene.start(link).ended
    expect(Date.now() - startedAt).toBeLessThan(AT_ONCE_MS)
    expect(await scene.questions()).toEqual([])
    const page = await scene.window()
    expect(
      await page.evaluate(() => (globalThis as { leuriaDesktop?: { site: unknown } }).leuriaDesktop?.site),
    ).toBeNull()
    expect(first.child.exitCode).toBeNull()
  })

  it("with another nonce takes no question away from its site: the newest link of an origin counts, others' nonces never", async () => {
    scene.start(LINK)
    const [first] = await scene.asked()
    await scene.start(LINK.replace(NONCE, NONCE.replace('AAEC', 'BBBB'))).ended
    expect(await scene.asked()).toMatchObject([{ requestId: first?.requestId }])
    await scene.start(LINK.replace('shop.example', 'evil.example')).ended
    expect(await scene.asked(2)).toHaveLength(2)
  })
})

describe.skipIf(browser === null)('the program', { timeout: 90_000 }, () => {
  let scene: DesktopScene
  beforeEach(async () => {
    scene = await DesktopScene.open({ browser })
  })
  afterEach(() => scene[Symbol.asyncDispose]())

  it('hands the token to its own page only, and to no process list', async () => {
    const { child } = scene.start()
    const { token } = await scene.engine()
    const page = await scene.window()
    expect(token.length).toBeGreaterThanOrEqual(43)
    expect(page.url()).not.toContain(token)
    const seen = await page.evaluate(
      'JSON.stringify([document.documentElement.outerHTML, { ...localStorage }, document.cookie, history.state])',
    )
    expect(seen).not.toContain(token)
    if (process.platform === 'linux') expect(await commandLinesUnder(child.pid ?? 0)).not.toContain(token)
    // Elsewhere the page knows nothing, also in the same window.
    await page.goto('data:text/html,elsewhere')
    expect(await page.evaluate(() => 'leuriaDesktop' in globalThis)).toBe(false)
    await page.goto('http://tauri.localhost/')
    expect(await scene.engine()).toMatchObject({ token })
  })

  it('starts an engine that died again, with another token, and tells the window', async () => {
    const { child } = scene.start()
    const before = await scene.engine()
    const engine = await enginePid(child.pid ?? 0)
    process.kill(engine, 'SIGKILL')
    await vi.waitFor(async () => {
      expect((await scene.engine()).token).not.toBe(before.token)
    }, 20_000)
    expect(await scene.questions()).toEqual([])
  })

  it('leaves nothing behind when it is killed, and starts again in the same home', async () => {
    const { child, ended } = scene.start(LINK)
    await scene.asked()
    const engine = await enginePid(child.pid ?? 0)
    child.kill('SIGKILL')
    await ended
    await vi.waitFor(() => expect(isAlive(engine)).toBe(false), { timeout: 20_000 })
    const again = scene.start()
    await vi.waitFor(async () => expect(isAlive(await enginePid(again.child.pid ?? 0))).toBe(true), { timeout: 20_000 })
    expect(again.child.exitCode).toBeNull()
  })

  it('ends everything when it is asked to, by a later start too', async () => {
    const { child, ended } = scene.start()
    await scene.engine()
    const engine = await enginePid(child.pid ?? 0)
    await scene.quit()
    expect(await ended).toBe(0)
    expect(isAlive(engine)).toBe(false)
    await scene.quit()
  })

  it('says what to do when there is no browser, and keeps the engine running', async () => {
    await using bare = await DesktopScene.open({ browser: null })
    const start = bare.start()
    await vi.waitFor(() => expect(start.said).toContain('set LEURIA_BROWSER to its program'), { timeout: 20_000 })
    expect(start.child.exitCode).toBeNull()
  })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return text.trim().split(' ').filter(Boolean).map(Number)
}

async function commandLine(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
}

/** The engine among the program's children. */
async function enginePid(pid: number): Promise<number> {
  for (const child of await childrenOf(pid)) if ((await commandLine(child)).includes('leuria-sidecar')) return child
  throw new Error('There is no engine.')
}

/** Of the program and everything it started. */
async function commandLinesUnder(pid: number): Promise<string> {
  const below = await Promise.all((await childrenOf(pid)).map(commandLinesUnder))
  return [await commandLine(pid), ...below].join('\n')
}
