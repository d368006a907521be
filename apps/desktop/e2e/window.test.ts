/** Everything the window does, done through it in a real Chromium against a real sidecar, with the files looked at afterwards. */
import { createHash } from 'node:crypto'
import { chromiumForTests } from '@leuria/tooling/chromium'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { holdAnswers } from './held-answers.js'
import { WindowStage } from './window-stage.js'

const executablePath = chromiumForTests()

const SHOP = 'https://shop.example'
const BLOG = 'https://blog.example'
const TOKENS = { [SHOP]: 's'.repeat(43), [BLOG]: 'b'.repeat(43) }

function dayBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toLocaleDateString('sv-SE')
}

/** Two connected sites, one of which has asked something lately. */
const HOME = {
  'grants.json': {
    version: 1,
    grants: Object.entries(TOKENS).map(([origin, token]) => ({
      origin,
      app: origin === SHOP ? 'Small Kiln' : 'A Blog',
      tokenHash: createHash('sha256').update(token).digest('hex'),
      createdAt: '2026-11-01T10:00:00.000Z',
    })),
  },
  'usage.json': {
    version: 1,
    days: [0, 1, 2, 4, 5, 8].map((back) => ({
      day: dayBefore(back),
      sites: [{ origin: SHOP, turns: 3 + ((back * 7) % 11), tokens: 900 * (back + 1), estimatedTokens: 0 }],
    })),
  },
}

describe.skipIf(executablePath === null)('the window', () => {
  let stage: WindowStage
  beforeAll(async () => {
    stage = await WindowStage.open(executablePath ?? '', HOME)
  })
  afterEach(async () => {
    await stage.closePages()
    await stage.answerAll()
  })
  afterAll(() => stage.close())

  const go = (page: Page, place: string) => page.getByRole('navigation').getByRole('button', { name: place }).click()

  describe.each([
    ['light', 1080],
    ['dark', 1080],
    ['light', 480],
    ['dark', 480],
  ] as const)('looks finished in %s, %d wide', (colorScheme, width) => {
    it.each(['Sites', 'Your AIs', 'Activity', 'Settings'])('%s', async (place) => {
      const page = await stage.window({ colorScheme, viewport: { width, height: 760 } })
      await go(page, place)
      await page.getByRole('heading', { level: 1, name: place }).waitFor()
      await stage.picture(page, `${place.toLowerCase().replace(' ', '-')}-${colorScheme}-${width}`)
      expect(await stage.axe(page)).toEqual([])
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      expect(overflow).toBe(0)
    })
  })

  it('shows the sites with what they used, and opens one of them', async () => {
    const page = await stage.window()
    await page.getByRole('button', { name: /Small Kiln/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Small Kiln' }).waitFor()
    await page.getByRole('img', { name: /questions in two weeks/ }).waitFor()
    await stage.picture(page, 'site')
    expect(await stage.axe(page)).toEqual([])
  })

  it('saves limits of a site, and says when one is none', async () => {
    const page = await stage.window()
    await page.getByRole('button', { name: /Small Kiln/ }).click()
    const field = page.getByLabel('Questions an hour')
    await field.fill('many')
    await page.getByText('A limit is a whole number from 1.').waitFor()
    expect(await page.getByRole('button', { name: 'Save limits' }).isDisabled()).toBe(true)
    await field.fill('20')
    await page.getByRole('button', { name: 'Save limits' }).click()
    await expect
      .poll(() => stage.file('limits.json').catch(() => null))
      .toMatchObject({ limits: [{ origin: SHOP, turnsPerHour: 20 }] })
    await expect.poll(() => page.getByLabel('Questions an hour').inputValue()).toBe('20')
  })

  it('asks the visitor when a site asks, and connects it by keyboard alone', async () => {
    const page = await stage.window()
    await page.getByRole('heading', { level: 1, name: 'Sites' }).waitFor()
    const { claimed } = await stage.ask('https://new.example', { app: 'A New Site', needs: { tools: true } })
    const dialog = page.getByRole('dialog', { name: 'https://new.example asks to use your AI' })
    await dialog.waitFor()
    await dialog.getByText('use things on its page').waitFor()
    await stage.picture(page, 'question')
    expect(await stage.axe(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await dialog.isVisible()).toBe(true)
    await expect.poll(() => dialog.getByRole('button', { name: 'Allow' }).isEnabled()).toBe(true)
    for (let steps = 0; steps < 6; steps += 1) {
      const focused = await page.evaluate('document.activeElement?.textContent')
      if (focused === 'Allow') break
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    expect((await claimed).json).toMatchObject({ status: 'allowed' })
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /A New Site/ }).waitFor()
    expect(await stage.file('grants.json')).toMatchObject({
      grants: expect.arrayContaining([expect.objectContaining({ origin: 'https://new.example' })]) as unknown,
    })
  })

  it.each([
    ['https://bank.example.evil.example:8443', 'https://bank.example', null],
    ['http://plain.example', 'Plain', /not encrypted/],
    ['https://xn--exmple-cua.example', 'Look', /can pass for others/],
    ['http://localhost:5173', 'Mine', null],
    [`https://${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example`, '<b>Bold</b>', null],
  ])('shows the whole address of %s above the name that it gives itself', async (origin, app, warning) => {
    const page = await stage.window({ viewport: { width: 480, height: 760 } })
    await stage.ask(origin, { app })
    const dialog = page.getByRole('dialog', { name: `${origin} asks to use your AI` })
    await dialog.getByText(`It calls itself “${app}”.`, { exact: true }).waitFor()
    const warnings = await dialog.locator('.notice-error').allTextContents()
    expect(warnings).toEqual(warning === null ? [] : [expect.stringMatching(warning) as unknown])
    const overflow = await page.evaluate(
      '(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector("dialog"))',
    )
    expect(overflow).toBe(0)
    expect(await stage.axe(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Not now' }).click()
    await dialog.waitFor({ state: 'detached' })
  })

  it('takes no answer in the first moments: a click that was meant for what was there before', async () => {
    const page = await stage.window()
    await page.evaluate(`new MutationObserver((_, observer) => {
      const allow = [...document.querySelectorAll('dialog button')].find(({ textContent }) => textContent === 'Allow')
      if (allow === undefined) return
      observer.disconnect()
      allow.click()
      document.body.dataset.clicked = 'yes'
    }).observe(document.body, { childList: true, subtree: true })`)
    const { claimed } = await stage.ask('https://quick.example')
    await page.locator('body[data-clicked=yes]').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Not now' }).click()
    expect((await claimed).json).toEqual({ status: 'denied' })
  })

  it('keeps the question that is shown in its place when it is asked again beside another', async () => {
    const page = await stage.window()
    const origins = ['https://first.example', 'https://second.example'] as const
    await stage.ask(origins[0])
    const dialog = (origin: string) => page.getByRole('dialog', { name: `${origin} asks to use your AI` })
    await dialog(origins[0]).waitFor()
    await stage.ask(origins[1])
    await stage.ask(origins[0], { app: 'Again' })
    await dialog(origins[0]).getByText('Again').waitFor()
    for (const origin of origins) await dialog(origin).getByRole('button', { name: 'Not now' }).click()
  })

  it('says no for the visitor', async () => {
    const page = await stage.window()
    const { claimed } = await stage.ask('https://other.example', { app: 'Another' })
    await page.getByRole('button', { name: 'Not now' }).click()
    expect((await claimed).json).toEqual({ status: 'denied' })
  })

  it('disconnects a site after asking once more', async () => {
    const page = await stage.window()
    await page.getByRole('button', { name: /A Blog/ }).click()
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByRole('button', { name: 'Keep it' }).click()
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('Its conversations end now.').waitFor()
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sites' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: /A Blog/ }).count()).toBe(0)
    await expect.poll(async () => JSON.stringify(await stage.file('grants.json'))).not.toContain(BLOG)
  })

  it('shows what happens as it happens', async () => {
    const page = await stage.window()
    await go(page, 'Activity')
    const token = TOKENS[SHOP]
    const { json } = await stage.site(SHOP, { path: '/session/prepare', body: {}, token })
    const { sessionId } = z.parse(z.looseObject({ sessionId: z.string() }), json)
    await stage.site(SHOP, { path: `/session/${sessionId}/approve`, body: {}, token })
    await page.getByText('began a conversation').first().waitFor()
    await stage.picture(page, 'activity-lines')
  })

  it('keeps what it was told while an older answer was on its way', async () => {
    const page = await stage.window()
    const address = page.url()
    // Nothing that the window asked for before may be among what is held.
    await page.goto('about:blank')
    const answers = await holdAnswers(page, /\/admin\/(log|status)/)
    await page.goto(address)
    await answers.held(2)
    await stage.ask('https://late.example', { app: 'Late' })
    const dialog = page.getByRole('dialog', { name: 'https://late.example asks to use your AI' })
    await dialog.waitFor()
    await answers.release()
    expect(await dialog.isVisible()).toBe(true)
    await dialog.getByRole('button', { name: 'Not now' }).click()
    await dialog.waitFor({ state: 'detached' })
    await go(page, 'Activity')
    await page.getByText('late.example asked to use your AI').waitFor()
  })

  it('turns embeddings off', async () => {
    const page = await stage.window()
    await go(page, 'Settings')
    await page.getByLabel('Model').selectOption('off')
    await expect.poll(() => stage.file('config.json').catch(() => null)).toMatchObject({ embed: 'off' })
  })

  it('opens the settings of a site that a link names', async () => {
    const page = await stage.window()
    await page.getByRole('heading', { level: 1, name: 'Sites' }).waitFor()
    await stage.say(page, { site: { origin: SHOP, serial: 1 } })
    await page.getByRole('heading', { level: 1, name: 'Small Kiln' }).waitFor()
    await page.getByRole('button', { name: '‹ Sites' }).click()
    await stage.say(page, { site: { origin: SHOP, serial: 2 } })
    await page.getByRole('heading', { level: 1, name: 'Small Kiln' }).waitFor()
  })

  it('says what stands in the way, with a way out', async () => {
    const page = await stage.window(
      {},
      { engine: null, problem: { code: 'EADDRINUSE', message: 'Another Leuria is running.' } },
    )
    await page.getByText('Another Leuria is running.').waitFor()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await stage.picture(page, 'problem')
    expect(await stage.axe(page)).toEqual([])
  })
})

describe.skipIf(executablePath === null)('the first time', () => {
  it('welcomes, offers what is there, and goes on with the demo AI', async () => {
    const stage = await WindowStage.open(executablePath ?? '')
    try {
      const page = await stage.window()
      await page.getByRole('heading', { level: 1, name: 'Welcome to Leuria' }).waitFor()
      await stage.picture(page, 'first-run')
      expect(await stage.axe(page)).toEqual([])
      await page.getByRole('button', { name: 'Go on with the demo AI for now' }).click()
      await page.getByRole('heading', { level: 1, name: 'Your AIs' }).waitFor()
      await page.getByRole('button', { name: 'Try it' }).first().click()
      await page.getByText('It works.').waitFor({ timeout: 60_000 })
      await stage.picture(page, 'tested')
    } finally {
      await stage.close()
    }
  })
})
