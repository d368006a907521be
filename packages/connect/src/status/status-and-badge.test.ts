import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ElementBrowser, executablePath, openElementBrowser } from '../browser/element-browser.fixture.js'

describe.skipIf(executablePath === null)('in a page', () => {
  let browser: ElementBrowser
  beforeAll(async () => {
    browser = await openElementBrowser()
  })
  afterAll(() => browser.close())
  afterEach(() => browser.closePages())

  describe('the status', () => {
    const text = (page: Page): Promise<string> => page.locator('leuria-ai-status .text').innerText()

    it('says who answers, as it changes', async () => {
      const page = await browser.open({ html: '<leuria-ai-status></leuria-ai-status>' })
      const says = (words: string) => expect.poll(() => text(page)).toBe(words)
      await says('No AI connected')
      await page.evaluate("stage.inBrowser.become({ status: 'unknown' })")
      await says('Looking for your AI')
      await page.evaluate("stage.inBrowser.become({ status: 'downloading', progress: 0.25 })")
      await says('This browser’s AI is getting ready: 25%')
      await page.evaluate("stage.inBrowser.become({ status: 'ready' }); stage.client.chooseInstead('browser')")
      await says('This browser’s AI')
      await page.evaluate("stage.ai.become({ status: 'ready', model: 'Claude Code' })")
      await says('Your AI: Claude Code')
      await page.evaluate("document.documentElement.lang = 'de'")
      await says('Deine KI: Claude Code')
    })

    it('is a live region whose words the site may choose', async () => {
      const page = await browser.open({ html: '<leuria-ai-status></leuria-ai-status>' })
      const labels = (value: object) =>
        page.evaluate(`document.querySelector('leuria-ai-status').labels = ${JSON.stringify(value)}`)
      await labels({ none: 'Nobody here', bridge: 'Yours' })
      await page.getByRole('status').getByText('Nobody here').waitFor()
      await page.evaluate("stage.ai.become({ status: 'ready', model: 'Claude Code' })")
      await page.getByRole('status').getByText('Yours').waitFor()
      await labels({})
      await page.getByText('Your AI: Claude Code').waitFor()
    })

    it('names the site’s AI by the label that the site gave it, if it gave one', async () => {
      const page = await browser.open({ html: '<leuria-ai-status lang="fr"></leuria-ai-status>' })
      await page.evaluate("stage.ofSite.become({ status: 'ready' }); stage.client.chooseInstead('server')")
      await expect.poll(() => text(page)).toBe('L’IA de ce site')
      await page.evaluate("stage.ofSite.label = 'mugBot'; stage.ofSite.become({ model: 'm' })")
      await expect.poll(() => text(page)).toBe('mugBot')
    })

    it('looks for an AI as long as there is no client', async () => {
      const page = await browser.open({ html: '' })
      await page.evaluate(
        "stage.setDefaultClient(undefined); document.querySelector('main').innerHTML = '<leuria-ai-status></leuria-ai-status>'",
      )
      await expect.poll(() => text(page)).toBe('Looking for your AI')
    })
  })

  describe('the badge', () => {
    it('is a text, or a link when it has an address; its words may be the site’s', async () => {
      const page = await browser.open({
        html: '<leuria-badge></leuria-badge><leuria-badge href="/ai">Bring your own</leuria-badge>',
        lang: 'es',
      })
      await page.getByText('Funciona con tu propia IA').first().waitFor()
      expect(await page.getByRole('link').count()).toBe(1)
      expect(await page.getByRole('link', { name: 'Bring your own' }).getAttribute('href')).toBe('/ai')
    })

    it('is reached and seen by keyboard when it is a link', async () => {
      const page = await browser.open({ html: '<leuria-badge href="/ai"></leuria-badge>' })
      await page.keyboard.press('Tab')
      const style: unknown = await page.evaluate(
        "getComputedStyle(document.querySelector('leuria-badge').shadowRoot.activeElement).outlineStyle",
      )
      expect(style).toBe('solid')
    })
  })
})
