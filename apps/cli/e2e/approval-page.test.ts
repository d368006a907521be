/** The page on which a visitor answers a site, served by the real command line, in a real Chromium. */
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromiumForTests } from '@leuria/tooling/chromium'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { type RunningEngine, startEngine, temporaryHome } from './cli-process.js'
import { type Asked, type Asking, askAs, callAs } from './connect-site.js'

const executablePath = chromiumForTests()

/** Not in git: to be looked at after a run, and kept by CI. */
const PICTURES = fileURLToPath(new URL('pictures', import.meta.url))
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const WIDE = { viewport: { width: 1100, height: 900 } }
const NARROW = { viewport: { width: 360, height: 780 } }
const LOOKS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['wide-light', { ...WIDE, colorScheme: 'light' }],
  ['wide-dark', { ...WIDE, colorScheme: 'dark' }],
  ['narrow-light', { ...NARROW, colorScheme: 'light' }],
  ['narrow-dark', { ...NARROW, colorScheme: 'dark' }],
]

describe.skipIf(executablePath === null)('the approval page', () => {
  let home: Awaited<ReturnType<typeof temporaryHome>>
  let engine: RunningEngine
  let browser: Browser
  let sites = 0

  beforeAll(async () => {
    home = await temporaryHome()
    engine = await startEngine({ home: home.path })
    browser = await chromium.launch({ executablePath: executablePath ?? '' })
    await mkdir(PICTURES, { recursive: true })
  })
  afterAll(async () => {
    await browser.close()
    await engine.stop()
    await home[Symbol.asyncDispose]()
  })

  const asked: Asked[] = []
  /** At most 20 questions may be open. */
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
    for (const { url } of asked.splice(0)) await answer(url, false)
  })

  function answer(url: URL, allow: boolean): Promise<unknown> {
    const body = { allow, key: url.searchParams.get('key') }
    return callAs({ engine, path: `${url.pathname}/decide`, origin: engine.ready.url, body })
  }

  /** A question of that site; none is left open. */
  async function question(origin = freshSite(), about?: Asking): Promise<Asked> {
    const one = await askAs(engine, origin, about)
    asked.push(one)
    return one
  }

  /** A site that nobody has seen before. */
  const freshSite = (): string => `https://shop-${(sites += 1)}.example`

  async function open(url: URL | string, look: BrowserContextOptions = WIDE): Promise<Page> {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...look })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(String(url))
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([])
    return page
  }

  async function ask(origin = freshSite(), about?: Asking): Promise<Asked & { page: Page }> {
    const one = await question(origin, about)
    return { ...one, page: await open(one.url) }
  }

  const status = (page: Page): Promise<string> => page.getByRole('status').innerText()

  /** Rule and place of each violation that axe finds. The page's own rules forbid added scripts: axe runs past them. */
  async function violations(page: Page): Promise<string[]> {
    await page.evaluate(AXE)
    const found: unknown = await page.evaluate(
      'axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)))',
    )
    return z.parse(z.array(z.string()), found)
  }

  describe('says who asks', () => {
    it('with the host larger than anything else, and scheme and port beside it', async () => {
      const { page } = await ask('https://large.example:8443')
      expect(await page.getByTestId('site').innerText()).toBe('https://large.example:8443')
      const largest: unknown = await page.evaluate(`(() => {
        const size = (element) => parseFloat(getComputedStyle(element).fontSize)
        const texts = [...document.querySelectorAll('main *')].filter((one) => one.childElementCount === 0 && one.textContent.trim() !== '')
        return texts.sort((a, b) => size(b) - size(a))[0].textContent
      })()`)
      expect(largest).toBe('large.example')
      expect(await page.title()).toBe('Let large.example use your AI? · Leuria')
    })

    it('without any script', async () => {
      const origin = freshSite()
      const { url } = await question(origin, { app: 'Mug shop' })
      const page = await open(url, { ...WIDE, javaScriptEnabled: false })
      const text = await page.locator('main').innerText()
      for (const words of [origin, 'Mug shop', 'Demo AI (no model)', 'turn JavaScript on'])
        expect(text).toContain(words)
      expect(await page.getByRole('button', { name: 'Allow' }).isDisabled()).toBe(true)
    })

    it('with its name as text, whatever it holds', async () => {
      const app = '<img src=x onerror=alert(1)>"\'&\u202Egpj'
      const { page } = await ask(freshSite(), { app })
      expect(await page.locator('.app').innerText()).toBe('It calls itself “<img src=x onerror=alert(1)>"\'&gpj”.')
      expect(await page.locator('main img').count()).toBe(1)
    })

    it.each([
      ['http://plain.example', true],
      ['http://192.168.1.7:3000', true],
      ['https://sure.example', false],
      ['http://localhost:3000', false],
      ['http://127.0.0.1:3000', false],
      ['http://shop.localhost:3000', false],
    ])('%s, with a warning if what it sends can be changed on the way: %s', async (origin, warned) => {
      const { page } = await ask(origin)
      expect(await page.getByText('This site is not encrypted.').count()).toBe(warned ? 1 : 0)
    })

    it('with the plain letters beside a name that has others', async () => {
      // Cyrillic а: looks like apple.example.
      const { page } = await ask('https://xn--pple-43d.example')
      expect(await page.getByTestId('site').innerText()).toBe('https://аpple.example')
      expect(await page.locator('code').first().innerText()).toBe('xn--pple-43d.example')
      const plain = await ask('https://apple.example')
      expect(await plain.page.getByText('plain letters').count()).toBe(0)
    })
  })

  it('tells a screen reader everything, in order', async () => {
    const { page } = await ask('https://mugs.example', { app: 'Mug shop', needs: { tools: true } })
    await page.getByRole('button', { name: 'Allow' }).and(page.locator(':enabled')).waitFor()
    expect(await page.locator('main').ariaSnapshot()).toBe(
      [
        '- main:',
        '  - paragraph: Leuria',
        '  - heading "Let this site use your AI?" [level=1]',
        '  - paragraph:',
        '    - text: https://',
        '    - strong: mugs.example',
        '  - paragraph: It calls itself “Mug shop”.',
        '  - heading "It can" [level=2]',
        '  - list:',
        '    - listitem: ask your AI questions and read the answers',
        '    - listitem: give your AI its own tools, which run inside the site',
        '  - heading "It can\'t" [level=2]',
        '  - list:',
        '    - listitem: see your files, your other chats or your accounts',
        '    - listitem: choose which AI you use, or see your keys',
        '    - listitem: use anything before you say yes',
        '  - paragraph:',
        '    - text: It would use',
        '    - strong: Demo AI (no model)',
        '    - text: .',
        '  - paragraph: The site works best with an AI that can use tools.',
        '  - button "Allow"',
        '  - button "Not now"',
        '  - status',
        '  - paragraph:',
        '    - text: "You can take this back at any time:"',
        '    - code: leuria sites revoke https://mugs.example',
      ].join('\n'),
    )
  })

  describe('takes an answer', () => {
    it('by mouse', async () => {
      const { page, claimed } = await ask()
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.getByText('Done. The site can use your AI now.').waitFor()
      expect((await claimed).json).toMatchObject({ status: 'allowed' })
      expect(await page.getByRole('button').count()).toBe(0)
    })

    it('by keyboard alone, and moves on to what became of it', async () => {
      const { page, claimed } = await ask()
      await page.getByRole('button', { name: 'Allow' }).and(page.locator(':enabled')).waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      const focused = 'document.activeElement.textContent'
      expect(await page.evaluate(focused)).toBe('Not now')
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
      await page.keyboard.press('Space')
      expect((await claimed).json).toEqual({ status: 'denied' })
      await expect.poll(() => page.evaluate(focused)).toMatch(/^All right, not now/)
    })

    it('but not in its first moments: such a click was meant for what was there before', async () => {
      const { page, url } = await ask()
      // In the page, at once: a click of this test's own comes a second later on a busy machine.
      await page.addInitScript(
        "addEventListener('DOMContentLoaded', () => { document.getElementById('allow').click(); document.body.dataset.clicked = 'yes' })",
      )
      await page.reload()
      await page.locator('body[data-clicked=yes]').waitFor()
      const state: unknown = await page.evaluate(`fetch('${url.pathname}/state').then((answer) => answer.json())`)
      expect(state).toEqual({ decision: 'pending' })
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.getByText('Done.').waitFor()
    })

    it('given elsewhere, and follows it', async () => {
      const { page, url } = await ask()
      const elsewhere = await open(url)
      await elsewhere.getByRole('button', { name: 'Not now' }).click()
      await page.getByText('All right, not now.').waitFor()
      expect(await page.getByRole('button').count()).toBe(0)
    })

    it('only with the key: without it there are no buttons, and nothing else answers', async () => {
      const { url } = await question()
      for (const address of [url.origin + url.pathname, `${url.origin}${url.pathname}?key=guess`]) {
        const page = await open(address)
        expect(await page.getByRole('button').count()).toBe(0)
        expect(await page.getByTestId('no-key').innerText()).toContain('the window that Leuria opened for you')
        const posted: unknown = await page.evaluate(
          `fetch(location.pathname + '/decide', { method: 'POST', body: '{"allow":true,"key":"guess"}' }).then(({ status }) => status)`,
        )
        expect(posted).toBe(403)
      }
    })
  })

  it('is not there for an unknown question: 404, in plain words', async () => {
    const context = await browser.newContext(WIDE)
    const page = await context.newPage()
    const answer = await page.goto(`${engine.ready.url}/connect/unknown?key=k`)
    expect(answer?.status()).toBe(404)
    expect(await page.getByRole('heading').innerText()).toBe('There is nothing to answer here')
  })

  it('cannot be framed, nor opened by an image or a script of another site', async () => {
    const { url } = await question()
    const page = await open('about:blank')
    await page.setContent(
      `<iframe src="${url.href}"></iframe><img src="${url.href}"><script src="${url.href}"></script>`,
    )
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:|^about:blank|connect/)
    const inside = await page.frames()[1]?.locator('body').innerText()
    expect(inside).not.toContain('Let this site use your AI?')
  })

  it.each(LOOKS)('has nothing for axe to find, and is kept as a picture: %s', async (name, look) => {
    const scenes: readonly (readonly [string, string, Asking])[] = [
      ['usual', `https://mugs-${name}.example`, { app: 'Mug shop', needs: { tools: true, images: true } }],
      ['not-encrypted', `http://plain-${name}.example:8080`, { app: 'Mug shop' }],
      ['other-letters', `https://größe-${name}.example`, { app: 'Größe' }],
      ['long', `https://${'a-long-label-that-goes-on.'.repeat(6)}${name}.example`, { app: 'W'.repeat(80) }],
    ]
    for (const [scene, address, about] of scenes) {
      const { url } = await question(new URL(address).origin, about)
      const page = await open(url, look)
      await page.getByRole('button', { name: 'Allow' }).and(page.locator(':enabled')).waitFor()
      expect([scene, await violations(page)]).toEqual([scene, []])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      await page.screenshot({ path: join(PICTURES, `${scene}-${name}.png`), fullPage: true })
      if (scene !== 'usual') continue
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.getByText('Done.').waitFor()
      expect(await violations(page)).toEqual([])
      await page.screenshot({ path: join(PICTURES, `answered-${name}.png`), fullPage: true })
      expect(await status(page)).toContain('You can close this tab')
    }
    const gone = await open(`${engine.ready.url}/connect/unknown`, look)
    expect(await violations(gone)).toEqual([])
    await gone.screenshot({ path: join(PICTURES, `gone-${name}.png`), fullPage: true })
  })

  it('says so when Leuria has been stopped', async () => {
    const own = await startEngine({ home: home.path })
    const { url } = await askAs(own, freshSite())
    const page = await open(url)
    await own.stop()
    await page.getByText('Leuria does not answer any more.').waitFor()
  })
})
