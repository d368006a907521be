/** The pages with a model behind an OpenAI-compatible address: what reaches it, and what becomes of what it says. */
import { type ModelAnswer, type ModelExchange, scriptedModelServer, type ScriptedModelServer } from '@leuria/testing'
import { chromiumForTests } from '@leuria/tooling/chromium'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { PATIENCE, visitSite, type SiteVisit } from './site-visit.js'

const chromium = chromiumForTests()
/** A name by which an engine knows that the model sees pictures. */
const MODEL = 'pixtral-12b'

interface WithModel extends AsyncDisposable {
  visit: SiteVisit
  model: ScriptedModelServer
}

async function withModel(otherwise: ModelAnswer, path: string): Promise<WithModel> {
  const model = await scriptedModelServer({ otherwise, models: [MODEL], key: 'sk-test' })
  const visit = await visitSite({
    executablePath: chromium ?? '',
    system: {
      before: [['providers', 'add', 'My Server', model.url, '--key', 'sk-test']],
      args: ['--agent', `llm:my-server/${MODEL}`],
    },
  })
  await visit.goto(path)
  await visit.connect(MODEL)
  return {
    ...{ visit, model },
    async [Symbol.asyncDispose]() {
      await visit[Symbol.asyncDispose]()
      await model.close()
    },
  }
}

const news = (page: Page): Promise<string> => page.getByTestId('desk-news').innerText()

describe.skipIf(chromium === null)('with a model', { timeout: 120_000 }, () => {
  it('the order desk has an answer that doesn’t fit mended, and fills the form', async () => {
    const told: string[] = []
    await using scene = await withModel(async (exchange) => {
      const { role, content } = lastMessage(exchange)
      if (role !== 'tool') await submit(exchange, { from: 'Jonas', mugs: [{ quantity: 0 }] })
      else if (content.includes('fit')) {
        told.push(content)
        await submit(exchange, { from: 'Jonas', mugs: [{ quantity: 2, mug: 'with speckles', colour: 'blue' }] })
      } else await exchange.play([{ say: ['Two blue ones.'] }])
    }, '/desk')
    const { page } = scene.visit
    await page.getByTestId('sample-mail').nth(1).click()
    await page.getByTestId('mail-read').click()
    await expect.poll(() => news(page), PATIENCE).toBe('An order of 2 mugs. Two blue ones.')
    expect(told).toHaveLength(1)
    expect(told[0]).toContain('quantity')
    expect(await page.getByTestId('order-from').inputValue()).toBe('Jonas')
    expect(await page.getByTestId('order-line').locator('select').inputValue()).toBe('blue')
    expect(scene.visit.complaints).toEqual([])
    expect(scene.model.faults).toEqual([])
  })

  it('the order desk says so when the answer can’t be mended, and keeps the form as it was', async () => {
    await using scene = await withModel(async (exchange) => {
      await exchange.play([{ say: ['I would rather not.'] }])
    }, '/desk')
    const { page } = scene.visit
    await page.getByTestId('mail-read').click()
    await expect.poll(() => news(page), PATIENCE).toMatch(/right form/)
    expect(await page.getByTestId('order-from').inputValue()).toBe('')
    await page.getByTestId('mail-read').waitFor()
  })

  it('the order desk can be stopped, and asks again after it', async () => {
    let calls = 0
    await using scene = await withModel(async (exchange) => {
      calls += 1
      if (calls === 1) await exchange.closed
      else if (lastMessage(exchange).role === 'tool') await exchange.play([{ say: ['Done.'] }])
      else await submit(exchange, { mugs: [{ quantity: 1 }] })
    }, '/desk')
    const { page } = scene.visit
    await page.getByTestId('mail-read').click()
    await expect.poll(() => calls, PATIENCE).toBe(1)
    await page.getByTestId('mail-stop').click()
    await expect.poll(() => news(page), PATIENCE).toBe('You stopped it.')
    await page.getByTestId('mail-read').click()
    await expect.poll(() => news(page), PATIENCE).toBe('An order of 1 mug. Done.')
  })

  it('the order desk reads the mail that is seen, and drops what was made of the one before', async () => {
    let calls = 0
    await using scene = await withModel(async (exchange) => {
      calls += 1
      if (lastMessage(exchange).role === 'tool') await exchange.play([{ say: ['Done.'] }])
      else if (calls === 1) await exchange.closed
      else await submit(exchange, { from: 'Jonas', mugs: [{ quantity: 2 }] })
    }, '/desk')
    const { page } = scene.visit
    await page.getByTestId('mail-read').click()
    await expect.poll(() => calls, PATIENCE).toBe(1)
    // In one task, as soon as anybody could.
    await page.evaluate(`(() => {
      document.querySelectorAll('[data-testid=sample-mail]')[1].click()
      document.querySelector('[data-testid=mail-read]').click()
    })()`)
    await expect.poll(() => news(page), PATIENCE).toBe('An order of 2 mugs. Done.')
    expect(await page.getByTestId('order-from').inputValue()).toBe('Jonas')
    await page.getByTestId('mail-read').waitFor()
    expect(scene.visit.complaints).toEqual([])
  })

  it('gets the picture itself, as it is seen on the page', async () => {
    const pictures: string[] = []
    await using scene = await withModel(async (exchange) => {
      pictures.push(/data:image\/png;base64,[A-Za-z0-9+/=]+/.exec(JSON.stringify(exchange.body.messages))?.[0] ?? '')
      await exchange.play([{ say: ['Blue, ', 'green and white.'] }])
    }, '/picture')
    const { page } = scene.visit
    await expect.poll(() => page.getByTestId('picture-question').inputValue(), PATIENCE).toContain('Which colours')
    await page.getByTestId('picture-send').click()
    await expect
      .poll(() => page.getByTestId('answer').allInnerTexts(), PATIENCE)
      .toContainEqual(expect.stringContaining('Blue, green and white.'))
    const seen = await page.evaluate<string>('document.querySelector("canvas").toDataURL("image/png")')
    expect(pictures.map((sent) => sent === seen)).toEqual([true])
    expect(scene.visit.complaints).toEqual([])
  })
})

function lastMessage({ body }: ModelExchange): { role: string; content: string } {
  const last: unknown = Array.isArray(body.messages) ? body.messages.at(-1) : undefined
  const role = typeof last === 'object' && last !== null && 'role' in last ? String(last.role) : ''
  return { role, content: JSON.stringify(last) }
}

async function submit(exchange: ModelExchange, answer: object): Promise<void> {
  await exchange.play([{ call: { name: 'submit_result', arguments: { ...answer } } }])
}
