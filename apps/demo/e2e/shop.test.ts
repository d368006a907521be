/** The page as a visitor has it, in a real Chromium, with a fake engine: every state in plain words, by mouse and by keys. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromiumForTests } from '@leuria/tooling/chromium'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callTool, launchChromium, openShop, type Scene, type ShopPage } from './shop-page.js'

const chromium = chromiumForTests()

const byId = (page: Page, id: string): Locator => page.getByTestId(id)

/** Waits until something can be seen with this text. */
async function expectText(locator: Locator, text: string | RegExp): Promise<void> {
  await locator.filter({ hasText: text }).first().waitFor()
}

async function ask(page: Page, text: string): Promise<void> {
  await byId(page, 'chat-input').fill(text)
  await page.keyboard.press('Enter')
}

const answer = (page: Page, status: string): Locator => page.locator(`[data-testid=answer][data-status=${status}]`)

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      resolve()
    })
  })

const findBlue: Scene = async function* (turn) {
  yield* callTool(turn, 'search_products', { query: 'mug', colour: 'blue' })
  yield { type: 'text', text: 'There are three:\n- **Harbour mug**\n- Midnight mug' }
}
const talkOn: Scene = async function* (turn) {
  yield { type: 'text', text: 'Well, ' }
  await untilAborted(turn.signal)
}
const order: Scene = async function* (turn) {
  yield* callTool(turn, 'add_to_cart', { productId: 'oat', quantity: 2 })
  const outcome = yield* callTool(turn, 'confirm_order', {})
  yield { type: 'text', text: outcome.ok ? outcome.text : outcome.error }
}

describe.skipIf(chromium === null)('the shop', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium(chromium ?? '')
  })
  afterAll(async () => {
    await browser.close()
  })

  const connected = async (scene: Scene): Promise<ShopPage> => {
    const shop = await openShop({ browser })
    shop.play(scene)
    await shop.connectBefore()
    await shop.page.goto(shop.url)
    await expectText(byId(shop.page, 'connected-ai'), 'Demo AI (no model)')
    return shop
  }

  it('asks the engine nothing before the visitor connects', async () => {
    await using shop = await openShop({ browser })
    await shop.page.goto(shop.url)
    await expectText(byId(shop.page, 'connection-title'), 'Ask with your own AI')
    expect(shop.engine.log.requests().filter(({ origin }) => origin !== undefined)).toEqual([])
    expect(shop.engine.log.sockets()).toEqual([])
  })

  it('connects after a click here and a yes there, and stays connected over a reload', async () => {
    await using shop = await openShop({ browser })
    const { page } = shop
    await page.goto(shop.url)
    await byId(page, 'connection-action').focus()
    await page.keyboard.press('Enter')
    await expectText(byId(page, 'connection-title'), 'Waiting for your answer')
    await shop.engine.pairing.answer(true)
    await byId(page, 'chat-input').waitFor()
    expect(await page.evaluate('document.activeElement.id')).toBe('chat-input')
    await page.reload()
    await byId(page, 'chat-input').waitFor()
    await expectText(byId(page, 'connection-pill'), 'Demo AI (no model)')
  })

  it.each([
    ['no link to an engine that asks on a page of its own', 'page', 0],
    ['a link to an engine with an app', 'app', 1],
  ] as const)('opens %s', async (_, approvals, links) => {
    await using shop = await openShop({ browser })
    const { page } = shop
    shop.engine.switches.silent = approvals === 'app'
    await page.addInitScript(
      'window.links = []; addEventListener("click", ({ target, defaultPrevented }) => defaultPrevented || window.links.push(target.href ?? ""))',
    )
    await page.goto(shop.url)
    await byId(page, 'connection-action').click()
    await expectText(byId(page, 'connection-title'), 'Waiting for your answer')
    expect(await page.evaluate('window.links.filter((link) => link.startsWith("leuria://connect?")).length')).toBe(
      links,
    )
  })

  it('can be called off while it waits', async () => {
    await using shop = await openShop({ browser })
    await shop.page.goto(shop.url)
    await byId(shop.page, 'connection-action').click()
    await byId(shop.page, 'connection-action').filter({ hasText: 'Cancel' }).click()
    await expectText(byId(shop.page, 'connection-title'), 'Ask with your own AI')
  })

  it('says that the visitor said no, and how long that holds', async () => {
    await using shop = await openShop({ browser })
    await shop.page.goto(shop.url)
    await byId(shop.page, 'connection-action').click()
    await shop.engine.pairing.answer(false)
    await expectText(byId(shop.page, 'connection-title'), 'You said no')
    await byId(shop.page, 'connection-action').click()
    await expectText(byId(shop.page, 'connection-text'), /in \d+ seconds/)
  })

  it('says that Leuria isn’t running and how to start it, and goes on by itself once it is', async () => {
    await using shop = await openShop({ browser })
    await shop.connectBefore()
    await shop.engine.crash()
    await shop.page.goto(shop.url)
    await expectText(byId(shop.page, 'connection-title'), 'Leuria isn’t running')
    await expectText(byId(shop.page, 'connection-card'), 'leuria start')
    await shop.engine.start()
    await byId(shop.page, 'connection-action').click()
    await byId(shop.page, 'chat-input').waitFor()
  })

  it('shows a tool call, what came of it, and the answer', async () => {
    await using shop = await connected(findBlue)
    const { page } = shop
    await ask(page, 'Do you have a blue mug?')
    await answer(page, 'done').waitFor()
    const call = byId(page, 'tool-call')
    expect(await call.count()).toBe(1)
    await expectText(call, 'Searched mugs: mug, blue')
    await expectText(call, '3 mugs found')
    expect(await page.locator('[data-testid=answer-text] li').count()).toBe(2)
    expect(await page.locator('[data-found]').count()).toBe(3)
    await expectText(byId(page, 'chat-announcer'), 'There are three:')
  })

  it('never takes an answer for markup', async () => {
    await using shop = await connected(async function* () {
      yield { type: 'text', text: '<img src=x onerror="document.title=1"> [a](javascript:1) **<b>x</b>**' }
    })
    await ask(shop.page, 'Hello')
    await answer(shop.page, 'done').waitFor()
    const text = byId(shop.page, 'answer-text')
    expect(await text.locator('img, a, b').count()).toBe(0)
    expect(await text.innerText()).toContain('<img src=x')
  })

  it('places an order only by the visitor’s own click', async () => {
    await using shop = await connected(order)
    const { page } = shop
    await ask(page, 'Two Oat mugs, please')
    await expectText(byId(page, 'order-dialog'), '2 × Oat mug')
    await expectText(byId(page, 'order-total'), '€44.00')
    await answer(page, 'calling').waitFor()
    await byId(page, 'order-confirm').click()
    await expectText(byId(page, 'answer-text'), 'SK-1042')
    expect(await byId(page, 'order-dialog').isVisible()).toBe(false)
    expect(await byId(page, 'cart-count').isVisible()).toBe(false)
  })

  it('tells the AI of a no, and leaves the cart alone', async () => {
    await using shop = await connected(order)
    await ask(shop.page, 'Two Oat mugs, please')
    await byId(shop.page, 'order-dialog').waitFor()
    await shop.page.keyboard.press('Escape')
    await expectText(byId(shop.page, 'answer-text'), 'declined')
    expect(await byId(shop.page, 'cart-count').innerText()).toBe('2')
  })

  it('stops an answer, keeps what was said, and goes on', async () => {
    await using shop = await connected(talkOn)
    const { page } = shop
    await ask(page, 'Tell me everything')
    await expectText(byId(page, 'answer-text'), 'Well,')
    await byId(page, 'chat-stop').click()
    await expectText(byId(page, 'answer-ending'), 'You stopped this answer.')
    shop.play(findBlue)
    await ask(page, 'A blue one, then')
    await answer(page, 'done').waitFor()
    expect(shop.engine.live).toHaveLength(1)
  })

  it('takes the question about an order back when the answer is stopped', async () => {
    await using shop = await connected(order)
    await ask(shop.page, 'Two Oat mugs, please')
    await byId(shop.page, 'order-dialog').waitFor()
    shop.engine.session.act('cancel-turn', {})
    await byId(shop.page, 'order-dialog').waitFor({ state: 'hidden' })
  })

  it('says that the AI failed, without its error, and tries again', async () => {
    await using shop = await connected(async function* () {
      yield { type: 'text', text: '' }
      throw new Error('ECONNREFUSED 10.0.0.1')
    })
    const { page } = shop
    await ask(page, 'Hello')
    await expectText(byId(page, 'answer-ending'), 'Your AI stopped because of an error.')
    expect(await byId(page, 'chat-log').innerText()).not.toContain('ECONNREFUSED')
    shop.play(findBlue)
    await byId(page, 'chat-try-again').click()
    await answer(page, 'done').waitFor()
  })

  it('shows that it is reconnecting, and goes on where it was', async () => {
    let go: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    await using shop = await connected(async function* () {
      yield { type: 'text', text: 'Before, ' }
      await gate
      yield { type: 'text', text: 'after.' }
    })
    await ask(shop.page, 'Hello')
    await expectText(byId(shop.page, 'answer-text'), 'Before,')
    // Held until it was seen: the first attempt comes after half a second, and usually succeeds.
    let letIn: () => void = () => undefined
    const until = new Promise<void>((resolve) => {
      letIn = resolve
    })
    shop.engine.faults.holds.push({ request: /GET .*\/stream/, until })
    shop.engine.cutConnections()
    const reconnecting = byId(shop.page, 'busy').filter({ hasText: 'Reconnecting' })
    await reconnecting.waitFor()
    await expectText(byId(shop.page, 'chat-announcer'), 'Reconnecting')
    letIn()
    await reconnecting.waitFor({ state: 'hidden' })
    go()
    await answer(shop.page, 'done').waitFor()
    expect(await byId(shop.page, 'answer-text').innerText()).toBe('Before, after.')
  })

  it('says that the visitor took the access back, and connects again', async () => {
    await using shop = await connected(talkOn)
    const { page } = shop
    await ask(page, 'Hello')
    await expectText(byId(page, 'answer-text'), 'Well,')
    shop.engine.revoke(shop.origin)
    await expectText(byId(page, 'connection-title'), 'You disconnected this shop')
    await expectText(byId(page, 'answer-ending'), 'You disconnected this shop')
    expect(await byId(page, 'chat-input').isVisible()).toBe(false)
    await byId(page, 'connection-action').click()
    await shop.engine.pairing.answer(true)
    await byId(page, 'chat-input').waitFor()
  })

  it('disconnects here, too', async () => {
    await using shop = await connected(findBlue)
    await byId(shop.page, 'disconnect').click()
    await expectText(byId(shop.page, 'connection-title'), 'Ask with your own AI')
  })

  it('is a shop without any AI', async () => {
    await using shop = await openShop({ browser })
    const { page } = shop
    await page.goto(shop.url)
    await byId(page, 'shelf-search').fill('blue')
    await expectText(byId(page, 'shelf-count'), '3 mugs')
    await page.locator('[data-mug=harbour]').getByRole('button').click()
    await expectText(byId(page, 'toast'), 'Harbour mug is in your cart.')
    await page.reload()
    await byId(page, 'cart-button').click()
    await page.getByRole('button', { name: 'One more: Harbour mug' }).click()
    expect(await byId(page, 'cart-total').innerText()).toBe('€48.00')
    await byId(page, 'place-order').click()
    await byId(page, 'order-confirm').click()
    await expectText(byId(page, 'toast'), 'Order SK-1042 is placed.')
  })

  it('can be used by keyboard alone on a narrow screen', async () => {
    await using shop = await openShop({ browser, width: 390, height: 800 })
    shop.play(findBlue)
    await shop.connectBefore()
    const { page } = shop
    await page.goto(shop.url)
    await byId(page, 'chat-launcher').focus()
    await page.keyboard.press('Enter')
    await byId(page, 'chat-input').waitFor()
    await page.keyboard.type('A blue one')
    await page.keyboard.press('Enter')
    await answer(page, 'done').waitFor()
    await page.keyboard.press('Escape')
    expect(await byId(page, 'chat').isVisible()).toBe(false)
    expect(await page.evaluate('document.activeElement.dataset.testid')).toBe('chat-launcher')
  })

  it('fits a narrow screen without scrolling sideways', async () => {
    await using shop = await openShop({ browser, width: 390, height: 800 })
    await shop.page.goto(shop.url)
    expect(await shop.page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  })

  it('keeps to its own rules: nothing is blocked, nothing is complained about', async () => {
    await using shop = await connected(order)
    await ask(shop.page, 'Two Oat mugs, please')
    await byId(shop.page, 'order-confirm').click()
    await answer(shop.page, 'done').waitFor()
    expect(shop.complaints).toEqual([])
  })
})

describe.skipIf(chromium === null)('the shop for everybody', () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium(chromium ?? '')
  })
  afterAll(async () => {
    await browser.close()
  })

  /** Rule and place of each violation that axe finds. The page's own rules forbid added scripts: axe runs past them. */
  async function violations(page: Page): Promise<string[]> {
    await page.evaluate(axe)
    return page.evaluate<string[]>(
      'axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)))',
    )
  }

  const STATES: Record<string, (shop: ShopPage) => Promise<void>> = {
    'not connected': async ({ page }) => {
      await byId(page, 'connection-action').waitFor({ state: 'attached' })
    },
    'with an answer': async ({ page }) => {
      await openChat(page)
      await ask(page, 'Blue?')
      await answer(page, 'done').waitFor()
    },
    'with the cart open': async ({ page }) => {
      await page.locator('[data-mug=fog]').getByRole('button').click()
      await byId(page, 'cart-button').click()
    },
    'with an order to confirm': async ({ page, play }) => {
      play(order)
      await openChat(page)
      await ask(page, 'Order')
      await byId(page, 'order-dialog').waitFor()
    },
    'after the access was taken back': async ({ page, engine, origin }) => {
      engine.revoke(origin)
      await byId(page, 'connection-title').filter({ hasText: 'You disconnected' }).waitFor({ state: 'attached' })
      await openChat(page)
    },
  }

  async function openChat(page: Page): Promise<void> {
    if (await byId(page, 'chat-launcher').isVisible()) await byId(page, 'chat-launcher').click()
  }

  /** Both widths and both colour schemes, without each pair of them: what they change has little to do with each other. */
  const LOOKS = [
    { width: 1280, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
  ] as const

  describe.each(LOOKS)('$width px wide, $colorScheme', (look) => {
    it.each(Object.entries(STATES))('has no violations: %s', async (state, reach) => {
      await using shop = await openShop({ browser, ...look })
      shop.play(findBlue)
      if (state !== 'not connected') await shop.connectBefore()
      await shop.page.goto(shop.url)
      if (state !== 'not connected') await byId(shop.page, 'connected-ai').waitFor({ state: 'attached' })
      await reach(shop)
      expect(await violations(shop.page)).toEqual([])
    })
  })
})
