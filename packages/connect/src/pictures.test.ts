/** Every state in every look: nothing for axe to find, nothing beside the window, and a picture to be looked at. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  type ElementBrowser,
  executablePath,
  openElementBrowser,
  type PageOptions,
  violations,
} from './browser/element-browser.fixture.js'
import { LANGUAGES } from './texts/languages.js'

/** Not in git. */
const PICTURES = fileURLToPath(new URL('../pictures', import.meta.url))

const WIDE = { viewport: { width: 900, height: 760 } }
const NARROW = { viewport: { width: 340, height: 760 } }
const LOOKS: readonly (readonly [string, Partial<PageOptions>])[] = [
  ['wide-light', { ...WIDE, colorScheme: 'light' }],
  ['wide-dark', { ...WIDE, colorScheme: 'dark' }],
  ['narrow-light', { ...NARROW, colorScheme: 'light' }],
  ['narrow-dark', { ...NARROW, colorScheme: 'dark' }],
  ['wide-light-rtl', { ...WIDE, colorScheme: 'light', dir: 'rtl' }],
  ['wide-dark-rtl', { ...WIDE, colorScheme: 'dark', dir: 'rtl' }],
  ['narrow-light-rtl', { ...NARROW, colorScheme: 'light', dir: 'rtl' }],
  ['narrow-dark-rtl', { ...NARROW, colorScheme: 'dark', dir: 'rtl' }],
]

const button = (page: Page) => page.locator('leuria-connect-button #main').first()
const run =
  (code: string) =>
  async (page: Page): Promise<void> => {
    await page.evaluate(code)
  }
const click = async (page: Page): Promise<void> => {
  await button(page).click()
}
const OTHERS = run(
  "stage.inBrowser.become({ status: 'needs-action', action: 'download' }); stage.ofSite.become({ status: 'ready' })",
)

const BUTTON = '<leuria-connect-button></leuria-connect-button>'
const ALL = `<p><leuria-connect-button size="1"></leuria-connect-button></p><p>${BUTTON}</p>
  <p><leuria-connect-button size="3"></leuria-connect-button></p><p><leuria-ai-status></leuria-ai-status></p>
  <p><leuria-badge></leuria-badge></p><p><leuria-badge href="https://leuria.example/">Bring your own AI</leuria-badge></p>`

interface Scene {
  /** @default the button */
  readonly html: string
  /** What leads there, in order. */
  readonly steps: readonly ((page: Page) => Promise<void>)[]
}

const STOPPED = run("stage.ai.become({ status: 'unavailable' })")
const CONNECTED = run("stage.ai.become({ status: 'ready', model: 'Claude Code', action: undefined })")
const LONG_NAMED = run(
  `stage.ai.become({ status: 'ready', model: 'a-model-with-quite-a-long-name-that-goes-on-and-on' })`,
)

const STATES: Readonly<Record<string, Partial<Scene>>> = {
  'not-connected': {},
  'not-connected-hovered': { steps: [(page) => button(page).hover()] },
  'not-connected-focused': { steps: [(page) => page.keyboard.press('Tab')] },
  checking: { steps: [run("stage.ai.become({ status: 'unknown' })")] },
  connecting: { steps: [click] },
  declined: { steps: [click, run("stage.ai.refuse('declined')")] },
  'declined-with-others': { steps: [OTHERS, click, run("stage.ai.refuse('declined_recently', 17)")] },
  'not-running': { steps: [click, STOPPED] },
  'not-running-with-others': { steps: [OTHERS, click, STOPPED] },
  'not-running-closed': { steps: [STOPPED] },
  connected: { steps: [CONNECTED] },
  'connected-menu': { steps: [CONNECTED, click] },
  'connected-long': { steps: [LONG_NAMED, click] },
  others: { steps: [OTHERS, async (page) => page.locator('#more').click()] },
  downloading: {
    steps: [OTHERS, run("stage.client.chooseInstead('browser'); stage.inBrowser.become({ progress: 0.4 })")],
  },
  all: { html: ALL, steps: [OTHERS] },
  'all-connected': { html: ALL, steps: [LONG_NAMED] },
}

describe.skipIf(executablePath === null)('the elements', () => {
  let browser: ElementBrowser
  beforeAll(async () => {
    browser = await openElementBrowser()
    await mkdir(PICTURES, { recursive: true })
  })
  afterAll(() => browser.close())
  afterEach(() => browser.closePages())

  const stand = async (page: Page, html: string): Promise<void> => {
    await page.mouse.move(0, 0)
    await page.evaluate(`stage.reset(${JSON.stringify(html)})`)
    await page.locator('main .root').first().waitFor()
  }

  /** Names of pictures → what is wrong in them. */
  async function look(page: Page, name: string, { html = BUTTON, steps = [] }: Partial<Scene>): Promise<string[]> {
    await stand(page, html)
    for (const step of steps) await step(page)
    // The next picture but one: what a popup's place is computed for has been drawn.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    await page.screenshot({ path: join(PICTURES, `${name}.png`) })
    const overflows = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
    const faults = overflows === true ? ['wider than the window'] : []
    return [...faults, ...(await violations(page))].map((fault) => `${name}: ${fault}`)
  }

  it.each(LOOKS)('have no fault in any state: %s', { timeout: 120_000 }, async (lookName, options) => {
    const page = await browser.open({ html: '', ...options })
    const faults: string[] = []
    for (const [state, scene] of Object.entries(STATES))
      faults.push(...(await look(page, `${state}-${lookName}`, scene)))
    expect(faults).toEqual([])
  })

  it('have no fault on a phone', async () => {
    const phone = {
      userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)',
      isMobile: true,
      hasTouch: true,
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.open({ html: '', ...NARROW, ...phone, colorScheme })
      expect(await look(page, `phone-${colorScheme}`, { steps: [click] })).toEqual([])
    }
  })

  it.each(Object.keys(LANGUAGES))('have no fault in %s', { timeout: 60_000 }, async (lang) => {
    const page = await browser.open({ html: '', lang, ...NARROW })
    for (const state of ['connecting', 'declined-with-others', 'not-running-with-others', 'connected-menu', 'all']) {
      expect(await look(page, `${lang}-${state}`, STATES[state] ?? {})).toEqual([])
    }
  })

  it.each(['light', 'dark'] as const)('can be told apart in forced colours, %s', async (colorScheme) => {
    const page = await browser.open({ html: '', ...WIDE, forcedColors: 'active', colorScheme })
    for (const state of ['all', 'connected-menu', 'not-running-with-others']) {
      expect(await look(page, `forced-${state}-${colorScheme}`, STATES[state] ?? {})).toEqual([])
    }
  })

  it('move only where the visitor allows motion', async () => {
    const turning =
      "getComputedStyle(document.querySelector('leuria-connect-button').shadowRoot.querySelector('.busy')).animationName"
    for (const [reducedMotion, name] of [
      ['reduce', 'none'],
      ['no-preference', 'turn'],
    ] as const) {
      const page = await browser.open({ html: BUTTON, reducedMotion })
      await page.evaluate("stage.ai.become({ status: 'unknown' })")
      await page.locator('.busy').waitFor()
      expect(await page.evaluate(turning)).toBe(name)
    }
  })
})
