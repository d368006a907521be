/**
 * What Leuria is for, from end to end: the built shop in a real Chromium, the built engine as a process, the visitor's own
 * Yes in a second tab, an AI that calls the page's tools, an order, a reload, and the connection taken back.
 */
import { type ModelAnswer, type ModelExchange, scriptedModelServer } from '@leuria/testing'
import { chromiumForTests } from '@leuria/tooling/chromium'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { type RunningSystem, startSystem } from './running-system.js'
import { openVisitor, type Visitor } from './visitor-browser.js'

const chromium = chromiumForTests()

/** Opens the shop, presses Connect, and says yes on the engine's own page in a second tab. */
async function connect({ context }: Visitor, system: RunningSystem): Promise<Page> {
  const page = context.pages()[0] ?? (await context.newPage())
  await page.goto(system.shopUrl)
  await page.getByRole('button', { name: 'Connect your AI' }).click()
  await page.getByTestId('connection-title').filter({ hasText: 'Waiting for your answer' }).waitFor()
  const tab = await context.newPage()
  await tab.goto(await system.approveUrl())
  await tab.getByRole('heading', { name: 'Let this site use your AI?' }).waitFor()
  await tab.getByRole('button', { name: 'Allow' }).click()
  await tab.getByRole('status').filter({ hasText: 'The site can use your AI now' }).waitFor()
  await tab.close()
  await page.bringToFront()
  await page.getByTestId('chat-input').waitFor()
  return page
}

/** Asks, and resolves with the answer's text once it is complete. */
async function ask(page: Page, question: string): Promise<string> {
  const answers = page.getByTestId('answer')
  const before = await answers.count()
  await page.getByTestId('chat-input').fill(question)
  await page.getByTestId('chat-input').press('Enter')
  const answer = answers.nth(before)
  await expect.poll(() => answer.getAttribute('data-status'), { timeout: 20_000 }).toBe('done')
  return answer.innerText()
}

async function buySomething(page: Page): Promise<void> {
  const found = await ask(page, 'Do you have a blue mug?')
  expect(found).toContain('Harbour mug')
  await page.getByTestId('tool-call').filter({ hasText: 'search_products' }).first().waitFor()
  expect(await page.getByTestId('mug-card').filter({ hasText: 'Found by your AI' }).count()).toBeGreaterThan(0)

  await ask(page, 'Add the Harbour mug to my cart')
  await page.getByTestId('cart-count').filter({ hasText: '1' }).waitFor()

  await page.getByTestId('chat-input').fill('Confirm my order')
  await page.getByTestId('chat-input').press('Enter')
  // The AI can only ask for it: the order waits for the visitor's own click.
  await page.getByTestId('order-dialog').waitFor()
  await page.getByTestId('order-confirm').click()
  await expect
    .poll(() => page.getByTestId('answer').last().getAttribute('data-status'), { timeout: 20_000 })
    .toBe('done')
}

async function comeBackAndBeSentAway(page: Page, system: RunningSystem): Promise<void> {
  await page.reload()
  await page.getByTestId('connected-ai').waitFor()
  await system.leuria('sites', 'revoke', system.origin)
  await page
    .getByTestId('connection-card')
    .filter({ hasText: /disconnected this shop/i })
    .waitFor()
}

/** What a model that read the tools' descriptions would do. */
const shopkeeper: ModelAnswer = async (exchange: ModelExchange) => {
  const messages = Array.isArray(exchange.body.messages)
    ? (exchange.body.messages as { role: string; content: unknown }[])
    : []
  const last = messages.at(-1)
  if (last?.role === 'tool') await exchange.play([{ say: ['Here ', 'is what I found: ', String(last.content)] }])
  else if (String(last?.content).includes('blue'))
    await exchange.play([{ call: { name: 'search_products', arguments: { query: 'mug', colour: 'blue' } } }])
  else if (String(last?.content).includes('Add'))
    await exchange.play([{ call: { name: 'add_to_cart', arguments: { productId: 'harbour', quantity: 1 } } }])
  else await exchange.play([{ call: { name: 'confirm_order' } }])
}

describe.skipIf(chromium === null)('a visitor, from the first click to the last', { timeout: 90_000 }, () => {
  it('with the demo AI', async () => {
    await using system = await startSystem()
    await using visitor = await openVisitor({ executablePath: chromium ?? '', origin: system.origin })
    const page = await connect(visitor, system)
    await page.getByTestId('connected-ai').filter({ hasText: 'Demo AI (no model)' }).waitFor()
    await buySomething(page)
    await comeBackAndBeSentAway(page, system)
  })

  it('with a model behind an OpenAI-compatible address', async () => {
    const model = await scriptedModelServer({ otherwise: shopkeeper, models: ['shopkeeper-7b'], key: 'sk-test' })
    try {
      await using system = await startSystem({
        before: [['providers', 'add', 'My Server', model.url, '--key', 'sk-test']],
        args: ['--agent', 'llm:my-server/shopkeeper-7b'],
      })
      await using visitor = await openVisitor({ executablePath: chromium ?? '', origin: system.origin })
      const page = await connect(visitor, system)
      await page.getByTestId('connected-ai').filter({ hasText: 'shopkeeper-7b' }).waitFor()
      await buySomething(page)
      await comeBackAndBeSentAway(page, system)
      expect(model.faults).toEqual([])
    } finally {
      await model.close()
    }
  })
})
