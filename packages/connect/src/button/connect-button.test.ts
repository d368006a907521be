import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  type ElementBrowser,
  executablePath,
  openElementBrowser,
  type PageOptions,
} from '../browser/element-browser.fixture.js'

const BUTTON = '<leuria-connect-button></leuria-connect-button>'

describe.skipIf(executablePath === null)('the connect button', () => {
  let browser: ElementBrowser
  beforeAll(async () => {
    browser = await openElementBrowser()
  })
  afterAll(() => browser.close())
  afterEach(() => browser.closePages())

  const open = (html = BUTTON, options: Partial<PageOptions> = {}): Promise<Page> => browser.open({ html, ...options })
  const main = (page: Page) => page.locator('leuria-connect-button #main').first()
  const line = (page: Page): Promise<string> => page.locator('.byline').first().innerText()
  const spoken = (page: Page): Promise<string> =>
    page.locator('leuria-connect-button [role=status]').first().innerText()
  const calls = (page: Page): Promise<unknown> => page.evaluate('stage.ai.calls')
  /** Tag or text of what has the focus, through shadow roots. */
  const focused = (page: Page): Promise<unknown> =>
    page.evaluate(`(() => {
      let active = document.activeElement
      while (active.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
      return active === document.body ? 'body' : active.getAttribute('aria-label') ?? active.textContent.trim().replace(/\\s+/g, ' ')
    })()`)
  const become = (page: Page, state: object): Promise<unknown> =>
    page.evaluate(`stage.ai.become(${JSON.stringify(state)})`)
  const CONNECTED = { status: 'ready', model: 'Claude Code', action: undefined }

  describe('follows the connection', () => {
    it('from the click to the answer, with the question’s place in words', async () => {
      const page = await open()
      expect([await main(page).innerText(), await line(page)]).toEqual(['Connect your AI', 'Leuria asks you first'])
      await main(page).click()
      expect(await calls(page)).toEqual(['connect'])
      await page.getByRole('dialog', { name: 'Look for the question in Leuria' }).waitFor()
      expect(await main(page).innerText()).toBe('Waiting for your answer')
      expect(await spoken(page)).toBe('Look for the question in Leuria')
      await page.evaluate("stage.ai.allow({ model: 'Claude Code' })")
      await page.getByRole('button', { name: 'Your AI: Claude Code' }).waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
      expect([await line(page), await spoken(page)]).toEqual(['Connected through Leuria', 'Claude Code answers here'])
    })

    it('to a no, and asks again', async () => {
      const page = await open()
      await main(page).click()
      await page.evaluate("stage.ai.refuse('declined')")
      const panel = page.getByRole('dialog', { name: 'Not connected' })
      await panel.getByText('You said no in Leuria. Nothing was shared with this site.').waitFor()
      expect(await spoken(page)).toBe('Not connected. You said no in Leuria. Nothing was shared with this site.')
      await panel.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('dialog', { name: 'Look for the question in Leuria' }).waitFor()
      expect(await calls(page)).toEqual(['connect', 'connect'])
    })

    it.each([
      ['declined_recently', 'You just said no, so Leuria waits a little. Try again in 17 seconds.'],
      ['expired', 'The question waited for you in Leuria and was put away. Nothing was shared.'],
      ['lost_connection', 'That didn’t work. Nothing was shared with this site.'],
    ])('to %s, in words of its own', async (code, text) => {
      const page = await open()
      await main(page).click()
      await page.evaluate(`stage.ai.refuse('${code}', 17)`)
      await page.getByRole('dialog', { name: 'Not connected' }).getByText(text).waitFor()
      await page.keyboard.press('Escape')
      expect([await line(page), await main(page).innerText()]).toEqual(['Not connected', 'Connect your AI'])
    })

    it('to a computer without Leuria: how to start it, and the page goes on by itself', async () => {
      const page = await open()
      await main(page).click()
      await become(page, { status: 'unavailable' })
      const dialog = page.getByRole('dialog', { name: 'Start Leuria to go on' })
      await dialog.getByText('npx @leuria/cli start').waitFor()
      expect(
        await page.evaluate(
          "document.querySelector('leuria-connect-button').shadowRoot.querySelector('dialog').matches(':modal')",
        ),
      ).toBe(true)
      expect(await focused(page)).toBe('Try again')
      await become(page, { status: 'needs-action' })
      await page.getByRole('dialog', { name: 'Look for the question in Leuria' }).waitFor()
      expect(await dialog.count()).toBe(0)
    })

    it('and tries again from there, inside the click', async () => {
      const page = await open()
      await main(page).click()
      await become(page, { status: 'unavailable' })
      await page.getByRole('button', { name: 'Try again' }).click()
      expect(await calls(page)).toEqual(['connect', 'connect'])
    })

    it('when Leuria stops under a connected page: says so, opens nothing by itself, looks again on demand', async () => {
      const page = await open()
      await become(page, CONNECTED)
      await become(page, { status: 'unavailable' })
      await page.getByRole('button', { name: 'Leuria isn’t running' }).waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
      await main(page).click()
      await page.getByRole('button', { name: 'Try again' }).click()
      expect(await calls(page)).toEqual(['detect'])
    })

    it('is calm while it is looked for: the button says so and does nothing', async () => {
      const page = await open()
      await become(page, { status: 'unknown' })
      await page.getByRole('button', { name: 'Looking for your AI', disabled: true }).waitFor()
      await main(page).click({ force: true })
      expect(await calls(page)).toEqual([])
      expect(await spoken(page)).toBe('')
    })

    it('calls an attempt off', async () => {
      const page = await open()
      await main(page).click()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Connect your AI' }).waitFor()
      expect(await calls(page)).toEqual(['connect', 'disconnect'])
      expect(await page.getByRole('dialog').count()).toBe(0)
    })

    it('but opens panels and dialogs only where the visitor clicked', async () => {
      const page = await open(BUTTON + BUTTON)
      await main(page).click()
      await become(page, { status: 'unavailable' })
      await page.getByRole('dialog').waitFor()
      expect(await page.locator('dialog[open]').count()).toBe(1)
    })
  })

  describe('of a connected site', () => {
    it('has a menu that says who answers, manages and disconnects', async () => {
      const page = await open()
      await become(page, CONNECTED)
      await main(page).click()
      expect(await page.locator('#popup').ariaSnapshot()).toBe(
        [
          '- text: Your AI',
          '- strong: Claude Code',
          '- menu "Your AI Claude Code":',
          '  - menuitem "Manage in Leuria"',
          '  - menuitem "Disconnect"',
        ].join('\n'),
      )
      await page.getByRole('menuitem', { name: 'Manage in Leuria' }).click()
      await main(page).click()
      await page.getByRole('menuitem', { name: 'Disconnect' }).click()
      await page.getByRole('button', { name: 'Connect your AI' }).waitFor()
      expect(await calls(page)).toEqual(['manage', 'disconnect'])
      expect(await page.evaluate('stage.heard')).toEqual(['leuria-disconnect'])
      expect(await spoken(page)).toBe('Not connected')
    })

    it('closes its menu by a click on the button, or beside it', async () => {
      const page = await open()
      await become(page, CONNECTED)
      const menu = page.getByRole('menu')
      await main(page).click()
      await menu.waitFor()
      await main(page).click()
      await menu.waitFor({ state: 'hidden' })
      await main(page).click()
      await menu.waitFor()
      await page.mouse.click(600, 500)
      await menu.waitFor({ state: 'hidden' })
    })

    it('names its AI even when Leuria doesn’t', async () => {
      const page = await open()
      await become(page, { status: 'ready' })
      await page.getByRole('button', { name: 'Your AI' }).waitFor()
    })
  })

  describe('by keyboard alone', () => {
    it('connects, calls off, and keeps the focus where the visitor is', async () => {
      const page = await open()
      await page.keyboard.press('Tab')
      expect(await focused(page)).toBe('Connect your AI')
      expect(
        await page.evaluate(
          "getComputedStyle(document.querySelector('leuria-connect-button').shadowRoot.activeElement).outlineStyle",
        ),
      ).toBe('solid')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor()
      expect(await focused(page)).toBe('Waiting for your answer')
      await page.keyboard.press('Tab')
      expect(await focused(page)).toBe('Cancel')
      await page.keyboard.press('Enter')
      expect(await focused(page)).toBe('Connect your AI')
    })

    it('walks through the menu and back to the button', async () => {
      const page = await open()
      await become(page, CONNECTED)
      await page.keyboard.press('Tab')
      const seen: unknown[] = []
      for (const key of ['Enter', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'Home', 'End', 'Escape']) {
        await page.keyboard.press(key)
        if (key === 'Enter') await expect.poll(() => focused(page)).toBe('Manage in Leuria')
        seen.push(await focused(page))
      }
      const [manage, leave, button] = ['Manage in Leuria', 'Disconnect', 'Your AI: Claude Code']
      expect(seen).toEqual([manage, leave, manage, leave, manage, leave, button])
    })

    it.each([
      ['ArrowDown', 'Manage in Leuria'],
      ['ArrowUp', 'Disconnect'],
    ])('opens the menu with %s at %s', async (key, item) => {
      const page = await open()
      await become(page, CONNECTED)
      await page.keyboard.press('Tab')
      await page.keyboard.press(key)
      await expect.poll(() => focused(page)).toBe(item)
      await page.keyboard.press('Tab')
      await page.getByRole('menu').waitFor({ state: 'hidden' })
    })

    it('closes the dialog with Escape and is back at the button', async () => {
      const page = await open()
      await become(page, { status: 'unavailable' })
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      expect(await focused(page)).toBe('Leuria isn’t running')
    })
  })

  describe('offers other AIs', () => {
    const OTHERS =
      "stage.inBrowser.become({ status: 'needs-action', action: 'download' }); stage.ofSite.become({ status: 'ready' })"

    it('in a menu beside it, each with where questions go, and shows how a download goes', async () => {
      const page = await open()
      expect(await page.getByRole('button').count()).toBe(1)
      await page.evaluate(OTHERS)
      await page.getByRole('button', { name: 'Use another AI' }).click()
      expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([
        'This browser’s AI\nStays on this device · Is downloaded first',
        'This site’s AI\nYour questions go to this site',
      ])
      await page.getByRole('menuitem', { name: 'This browser’s AI' }).click()
      await page.evaluate('stage.inBrowser.become({ progress: 0.4 })')
      await expect.poll(() => line(page)).toBe('This browser’s AI is getting ready: 40%')
      await page.evaluate('stage.inBrowser.allow()')
      await expect.poll(() => line(page)).toBe('This browser’s AI answers here')
      expect(await main(page).innerText()).toBe('Connect your AI')
    })

    it('where connecting went wrong', async () => {
      const page = await open()
      await page.evaluate(OTHERS)
      await main(page).click()
      await page.evaluate("stage.ai.refuse('declined')")
      await page.getByRole('dialog', { name: 'Not connected' }).getByRole('button', { name: 'This site’s AI' }).click()
      await expect.poll(() => line(page)).toBe('This site’s AI answers here')
      expect(await page.getByRole('dialog').count()).toBe(0)
    })

    it('in the dialog, too', async () => {
      const page = await open()
      await page.evaluate(OTHERS)
      await become(page, { status: 'unavailable' })
      await main(page).click()
      await page.getByRole('dialog').getByRole('button', { name: 'This site’s AI' }).click()
      await expect.poll(() => line(page)).toBe('This site’s AI answers here')
    })
  })

  describe('on a phone', () => {
    const PHONE = {
      userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)',
      viewport: { width: 375, height: 700 },
    }

    it('says that it takes a computer, and sends nothing', async () => {
      const page = await open(BUTTON, PHONE)
      expect(await line(page)).toBe('Open this page on a computer')
      await main(page).click()
      await page.getByRole('dialog', { name: 'Open this page on a computer' }).waitFor()
      expect(await calls(page)).toEqual([])
    })

    it('shares the page’s address', async () => {
      const page = await open(BUTTON, PHONE)
      await page.evaluate('navigator.share = async (what) => { stage.heard.push(JSON.stringify(what)) }')
      await main(page).click()
      await page.getByRole('button', { name: 'Send yourself the link' }).click()
      expect(await page.evaluate('stage.heard')).toEqual(['{"title":"Mug shop","url":"https://shop.example/"}'])
    })

    it('copies it where there is nothing to share with', async () => {
      const page = await open(BUTTON, { ...PHONE, permissions: ['clipboard-read', 'clipboard-write'] })
      await page.evaluate('delete Navigator.prototype.share')
      await main(page).click()
      await page.getByRole('button', { name: 'Send yourself the link' }).click()
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe('https://shop.example/')
    })
  })

  it('copies the command, and says so', async () => {
    const page = await open(BUTTON, { permissions: ['clipboard-read', 'clipboard-write'] })
    await become(page, { status: 'unavailable' })
    await main(page).click()
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('npx @leuria/cli start')
    expect(await spoken(page)).toBe('Copied')
  })

  it('links to where Leuria is to be had only if the site says where', async () => {
    const page = await open('<leuria-connect-button install-href="https://get.example/"></leuria-connect-button>')
    await become(page, { status: 'unavailable' })
    await main(page).click()
    expect(await page.getByRole('link', { name: 'How to get Leuria' }).getAttribute('href')).toBe(
      'https://get.example/',
    )
  })

  describe('takes what the site gives it', () => {
    it('sizes, and no line below', async () => {
      const page = await open(
        ['1', '2', '3', 'huge']
          .map((size) => `<leuria-connect-button size="${size}" hide-byline></leuria-connect-button>`)
          .join(''),
      )
      const heights: unknown = await page.evaluate(
        "[...document.querySelectorAll('leuria-connect-button')].map((one) => one.shadowRoot.querySelector('#main').offsetHeight)",
      )
      expect(heights).toEqual([32, 40, 48, 40])
      expect(await page.locator('.byline').count()).toBe(0)
    })

    it('a look of its own, else the default one, else the system’s', async () => {
      const page = await open('<leuria-connect-button appearance="light"></leuria-connect-button>' + BUTTON, {
        colorScheme: 'dark',
      })
      const grounds = (): Promise<unknown> =>
        page.evaluate(
          "[...document.querySelectorAll('leuria-connect-button')].map((one) => getComputedStyle(one.shadowRoot.querySelector('#main')).backgroundColor)",
        )
      const [light, dark] = ['rgb(162, 69, 29)', 'rgb(240, 145, 95)']
      expect(await grounds()).toEqual([light, dark])
      await page.evaluate("stage.setDefaultAppearance('light')")
      await expect.poll(grounds).toEqual([light, light])
      await page.evaluate('stage.setDefaultAppearance(undefined)')
      await expect.poll(grounds).toEqual([light, dark])
    })

    it('a client of its own, or none yet', async () => {
      const page = await open()
      await page.evaluate('stage.setDefaultClient(undefined)')
      await page.getByRole('button', { name: 'Looking for your AI' }).waitFor()
      await page.evaluate("document.querySelector('leuria-connect-button').client = stage.client")
      await page.getByRole('button', { name: 'Connect your AI' }).waitFor()
      expect(await page.evaluate("document.querySelector('leuria-connect-button').client === stage.client")).toBe(true)
    })

    it('the page’s language at once, and words of the site’s own', async () => {
      const page = await open(`<section lang="fr">${BUTTON}</section>`, { lang: 'de-AT' })
      const text = (): Promise<string> => main(page).innerText()
      expect(await text()).toBe('Connecter votre IA')
      await page.evaluate("document.querySelector('section').removeAttribute('lang')")
      await expect.poll(text).toBe('Deine KI verbinden')
      await page.evaluate("document.documentElement.lang = 'tlh'")
      await expect.poll(text).toBe('Connect your AI')
      await page.evaluate("stage.setTexts('tlh', { connect: 'AIlIj yIrar' })")
      await expect.poll(text).toBe('AIlIj yIrar')
      await page.evaluate("document.querySelector('leuria-connect-button').texts = { connect: 'Ask with your own AI' }")
      await expect.poll(text).toBe('Ask with your own AI')
    })

    it('what was set before the browser knew the element', async () => {
      const page = await open()
      await page.evaluate(`
        const early = document.createElement('early-button')
        Object.assign(early, { client: stage.client, texts: { connect: 'Early words' }, size: 3 })
        document.querySelector('main').replaceChildren(early)
        customElements.define('early-button', class extends customElements.get('leuria-connect-button') {})`)
      await page.getByRole('button', { name: 'Early words' }).waitFor()
      expect(await page.evaluate("document.querySelector('early-button').client === stage.client")).toBe(true)
    })

    it('goes, and comes back as it then is', async () => {
      const page = await open()
      await page.evaluate("globalThis.one = document.querySelector('leuria-connect-button'); one.remove()")
      await become(page, CONNECTED)
      await page.evaluate('document.querySelector("main").append(one)')
      await page.getByRole('button', { name: 'Your AI: Claude Code' }).waitFor()
    })
  })
})
