/**
 * What a visitor sees of the SDK in a real Chromium, with the real engine: the words of every state, and a picture of each.
 * The page is the smallest one with the connect button, the status line and a conversation.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromiumForTests } from '@leuria/tooling/chromium'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { startTalkSite, type TalkSite } from './sdk/talk-site.js'
import { openVisitor, type Visitor } from './visitor-browser.js'

const chromium = chromiumForTests()
const PICTURES = fileURLToPath(new URL('pictures', import.meta.url))
const PATIENCE = { timeout: 20_000 }

const picture = (page: Page, name: string): Promise<Buffer> =>
  page.screenshot({ path: join(PICTURES, `sdk-${name}.png`) })

/** The connect button, and what opens from it. */
const element = (page: Page): Locator => page.locator('leuria-connect-button')
const button = (page: Page): Locator => element(page).locator('#main')

async function shows(locator: Locator, text: string | RegExp): Promise<void> {
  await locator.filter({ hasText: text }).first().waitFor(PATIENCE)
}

interface Scene extends AsyncDisposable {
  site: TalkSite
  context: BrowserContext
  page: Page
}

async function open(options: Partial<Parameters<typeof openVisitor>[0]> = {}): Promise<Scene> {
  const site = await startTalkSite()
  let visitor: Visitor | undefined
  try {
    visitor = await openVisitor({ executablePath: chromium ?? '', origin: site.origin, ...options })
  } catch (error) {
    await site[Symbol.asyncDispose]()
    throw error
  }
  const { context } = visitor
  const page = context.pages()[0] ?? (await context.newPage())
  return {
    site,
    context,
    page,
    async [Symbol.asyncDispose]() {
      await visitor[Symbol.asyncDispose]()
      await site[Symbol.asyncDispose]()
    },
  }
}

async function answer({ site, context }: Scene, name: 'Allow' | 'Not now'): Promise<void> {
  const tab = await context.newPage()
  await tab.goto(await site.approveUrl())
  await tab.getByRole('button', { name }).click()
  await tab.getByRole('status').first().waitFor()
  await tab.close()
}

async function connect(scene: Scene): Promise<void> {
  await scene.page.goto(scene.site.origin)
  await shows(button(scene.page), 'Connect your AI')
  await button(scene.page).click()
  await shows(button(scene.page), 'Waiting for your answer')
  await answer(scene, 'Allow')
  await scene.page.bringToFront()
  await shows(button(scene.page), 'Demo AI (no model)')
}

async function ask(page: Page, question: string): Promise<void> {
  await page.getByLabel('Your question').fill(question)
  await page.keyboard.press('Enter')
}

const QUESTION = 'Find a blue mug'
const answered = (page: Page, count = 1): Promise<void> =>
  page
    .locator('[data-status=idle] .assistant')
    .filter({ hasText: 'Harbour mug' })
    .nth(count - 1)
    .waitFor(PATIENCE)
const error = (page: Page): Locator => page.getByTestId('error')

/** A turn that waits for the page's tool. */
async function askAndHold(page: Page): Promise<void> {
  await page.getByTestId('hold').click()
  await ask(page, QUESTION)
  await shows(page.locator('[data-status=running] .assistant'), '🔎')
}

describe.skipIf(chromium === null)('the SDK in a browser', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    await mkdir(PICTURES, { recursive: true })
  })

  it('asks nobody anything before the click, then connects and answers with the page’s tool', async () => {
    await using scene = await open()
    const { page, site } = scene
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(site.origin)
    await shows(button(page), 'Connect your AI')
    await shows(element(page), 'Leuria asks you first')
    await shows(page.locator('leuria-ai-status'), 'No AI connected')
    await page.waitForTimeout(6_000) // longer than it takes to look again
    expect(asked.filter((url) => !url.startsWith(site.origin) && !url.startsWith('data:'))).toEqual([])
    await picture(page, 'not-connected')
    await button(page).click()
    await shows(button(page), 'Waiting for your answer')
    await shows(element(page), 'Look for the question in Leuria')
    await picture(page, 'connecting')
    await answer(scene, 'Allow')
    await page.bringToFront()
    await shows(button(page), 'Demo AI (no model)')
    await shows(element(page), 'Connected through Leuria')
    await shows(page.locator('leuria-ai-status'), 'Your AI: Demo AI (no model)')
    await ask(page, QUESTION)
    await answered(page)
    expect(await error(page).innerText()).toBe('')
    await picture(page, 'connected')
  })

  it('says that the visitor said no, and that they just did', async () => {
    await using scene = await open()
    const { page, site } = scene
    await page.goto(site.origin)
    await button(page).click()
    await answer(scene, 'Not now')
    await page.bringToFront()
    await shows(element(page), 'You said no in Leuria. Nothing was shared with this site.')
    await picture(page, 'declined')
    await page.reload()
    await button(page).click()
    await shows(element(page), 'You just said no')
    await picture(page, 'declined-again')
  })

  it('says that Leuria isn’t running, goes on by itself when it is, and when it is gone again', async () => {
    await using scene = await open()
    const { page, site } = scene
    await page.goto(site.origin)
    await site.killEngine()
    await button(page).click()
    await shows(button(page), 'Waiting for your answer')
    await shows(button(page), 'Leuria isn’t running')
    await shows(element(page), 'Start Leuria to go on')
    await picture(page, 'not-running')
    await site.startEngine()
    await answer(scene, 'Allow')
    await page.bringToFront()
    await shows(button(page), 'Demo AI (no model)')
    await site.killEngine()
    await shows(button(page), 'Leuria isn’t running')
    await picture(page, 'gone')
    await site.startEngine()
    await shows(button(page), 'Demo AI (no model)')
    await ask(page, QUESTION)
    await answered(page)
  })

  it('ends a turn with plain words when the visitor takes the connection back', async () => {
    await using scene = await open()
    const { page, site } = scene
    await connect(scene)
    await askAndHold(page)
    await site.leuria('sites', 'revoke', site.origin)
    await shows(button(page), 'Connect your AI')
    await page.locator('[data-status=error]').waitFor(PATIENCE)
    expect(await error(page).innerText()).toMatch(
      /^(This conversation with your AI is over|This site isn't connected to Leuria)\.$/,
    )
    await picture(page, 'revoked')
  })

  it('tells of an engine that died in a turn, and goes on in a new session that knows what was said', async () => {
    await using scene = await open()
    const { page, site } = scene
    await connect(scene)
    await askAndHold(page)
    await site.killEngine()
    await site.startEngine()
    await page.locator('[data-status=error]').waitFor({ timeout: 40_000 })
    expect(await error(page).innerText()).toMatch(
      /^(Leuria no longer knows this conversation|The connection to Leuria was lost|This conversation with your AI is over)\.$/,
    )
    await picture(page, 'engine-restarted')
    await shows(button(page), 'Demo AI (no model)')
    await page.getByTestId('let-go').click()
    await ask(page, QUESTION)
    await answered(page)
    expect(await error(page).innerText()).toBe('')
  })

  it('goes on after the computer slept, in the middle of a turn', async () => {
    await using scene = await open()
    const { page } = scene
    await page.clock.install()
    await connect(scene)
    await askAndHold(page)
    await page.clock.fastForward('05:00') // minutes; a tool's call may stay open for ten
    await page.getByTestId('let-go').click()
    await answered(page)
    await ask(page, QUESTION)
    await answered(page, 2)
    expect(await error(page).innerText()).toBe('')
    await picture(page, 'slept')
  })

  it('is connected, and disconnected, in all tabs at once', async () => {
    await using scene = await open()
    const { page, site, context } = scene
    const other = await context.newPage()
    await other.goto(site.origin)
    await shows(button(other), 'Connect your AI')
    await page.bringToFront()
    await connect(scene)
    await other.bringToFront()
    await shows(button(other), 'Demo AI (no model)')
    await ask(other, QUESTION)
    await answered(other)
    await picture(other, 'second-tab')
    await button(other).click()
    await element(other).getByRole('menuitem', { name: 'Disconnect' }).click()
    await shows(button(other), 'Connect your AI')
    await page.bringToFront()
    await shows(button(page), 'Connect your AI')
    await picture(page, 'first-tab-disconnected')
  })

  it('works where storage is blocked, for as long as the page lives', async () => {
    await using scene = await open()
    const { page } = scene
    await page.addInitScript(() => {
      Object.defineProperty(globalThis, 'localStorage', {
        get: () => {
          throw new DOMException('Access is denied for this document.', 'SecurityError')
        },
      })
    })
    await connect(scene)
    await ask(page, QUESTION)
    await answered(page)
    await picture(page, 'storage-blocked')
    await page.reload()
    await shows(button(page), 'Connect your AI')
  })

  it('comes back from the back/forward cache as it was', async () => {
    await using scene = await open({ keepsPages: true })
    const { page } = scene
    await connect(scene)
    await ask(page, QUESTION)
    await answered(page)
    await page.getByRole('link', { name: 'Another page' }).click()
    await page.getByRole('heading', { name: 'Another page' }).waitFor()
    // Nothing is loaded, so that there is no load to wait for.
    await page.goBack({ waitUntil: 'commit' })
    await page.locator('[data-cached=true]').waitFor(PATIENCE)
    await shows(button(page), 'Demo AI (no model)')
    await answered(page)
    await ask(page, QUESTION)
    await answered(page, 2)
    expect(await error(page).innerText()).toBe('')
    await picture(page, 'back-again')
  })

  it('waits while the browser is offline, and goes on when it isn’t', async () => {
    await using scene = await open()
    const { page, context } = scene
    await connect(scene)
    await askAndHold(page)
    await context.setOffline(true)
    await shows(button(page), 'Leuria isn’t running')
    await picture(page, 'offline')
    await context.setOffline(false)
    await shows(button(page), 'Demo AI (no model)')
    await page.getByTestId('let-go').click()
    await answered(page)
    expect(await error(page).innerText()).toBe('')
    await picture(page, 'online-again')
  })
})
