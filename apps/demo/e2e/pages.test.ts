/** The pages beside the shop with the real engine and the demo AI: what a visitor can do there without any model. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { scriptedOllama } from '@leuria/testing'
import { chromiumForTests } from '@leuria/tooling/chromium'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { focused, lookAt, PATIENCE, tabTo, visitSite, type SiteVisit } from './site-visit.js'

const chromium = chromiumForTests()
const executablePath = chromium ?? ''

const byId = (page: Page, id: string): Locator => page.getByTestId(id)
const notes = (page: Page): Promise<string[]> => byId(page, 'note').allInnerTexts()

async function expectText(locator: Locator, text: string | RegExp): Promise<void> {
  await locator.filter({ hasText: text }).first().waitFor(PATIENCE)
}

const source = (path: string): string => readFileSync(fileURLToPath(new URL(`../src/${path}`, import.meta.url)), 'utf8')

describe.skipIf(chromium === null)('the pages', { timeout: 120_000 }, () => {
  it('lead to each other, say where one is, and share the connection', async () => {
    await using visit = await visitSite({ executablePath })
    const { page } = visit
    await visit.goto('/notes')
    await visit.connect()
    // An engine without an app has no window that a link could open.
    await page.locator('leuria-connect-button #main').click()
    await page.getByRole('menuitem', { name: 'Manage in Leuria' }).click()
    await expectText(byId(page, 'toast'), 'leuria sites')
    for (const [name, title] of [
      ['Order desk', 'From an e-mail to a form'],
      ['Picture', 'Ask about a picture'],
      ['Shop', 'Mugs with a morning in them'],
      ['Notebook', 'A notebook that knows what you mean'],
    ] as const) {
      await byId(page, 'pages').getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      expect(await page.locator('[aria-current=page]').innerText()).toBe(name)
      await expectText(page.locator('.head'), 'Demo AI (no model)')
    }
    expect(visit.complaints).toEqual([])
  })

  it('ask nobody anything before the visitor connects', async () => {
    await using visit = await visitSite({ executablePath })
    const asked: string[] = []
    visit.page.on('request', (request) => asked.push(request.url()))
    for (const path of ['/', '/notes', '/desk', '/picture']) {
      await visit.goto(path)
      await byId(visit.page, 'made').waitFor()
    }
    expect(asked.filter((url) => url.startsWith(visit.system.engineUrl))).toEqual([])
    expect(visit.complaints).toEqual([])
  })

  it.each([
    ['/', ['shop/shop-talk.ts', 'tools/shop-tools.ts', 'shop/order-desk.ts', 'site/page-client.ts']],
    ['/notes', ['notes/note-search.ts', 'site/page-client.ts']],
    ['/desk', ['desk/read-mail.ts', 'desk/order-form.ts']],
    ['/picture', ['picture/ask-picture.ts', 'site/page-client.ts']],
  ])('show at %s the source that they are made of', async (path, files) => {
    await using visit = await visitSite({ executablePath })
    const { page } = visit
    await visit.goto(path)
    const shown = byId(page, 'made-file')
    expect(await shown.locator('.made-path').allInnerTexts()).toEqual(files)
    for (const [at, file] of files.entries()) {
      expect(await shown.nth(at).locator('pre').textContent()).toBe(source(file).trimEnd())
      if (at > 0) await shown.nth(at).locator('summary').press('Enter')
      await shown.nth(at).locator('pre').waitFor()
    }
  })
})

describe.skipIf(chromium === null)('the notebook', { timeout: 120_000 }, () => {
  it('finds words without any AI, keeps notes, and says what search by meaning takes', async () => {
    await using visit = await visitSite({ executablePath })
    const { page } = visit
    await visit.goto('/notes')
    await expectText(byId(page, 'search-status'), 'Connect your AI above')
    await byId(page, 'note-search').fill('sponge')
    await expectText(byId(page, 'note-count'), '1 note with these words')
    await byId(page, 'note-search').fill('elephant')
    await expectText(byId(page, 'note-count'), 'No note has these words.')
    await byId(page, 'note-search').fill('')
    await byId(page, 'note-text').fill('Buy an elephant <b>mould</b>')
    await byId(page, 'note-add').click()
    await page.reload()
    expect((await notes(page))[0]).toContain('Buy an elephant <b>mould</b>')
    await byId(page, 'note-remove').first().click()
    await expectText(byId(page, 'note-count'), '12 notes')
    await visit.connect()
    await expectText(byId(page, 'search-status'), 'Demo AI (no model) is connected, but searching by meaning takes')
    await expectText(byId(page, 'search-status'), 'leuria ai embeddings')
    expect(await lookAt(page, 'notes-words')).toEqual([])
    expect(visit.complaints).toEqual([])
  })

  it('finds meanings with a model on the visitor’s computer, and keeps what it read', async () => {
    await using ollama = await embedder()
    const env = { OLLAMA_HOST: `127.0.0.1:${ollama.port}` }
    await using visit = await visitSite({ executablePath, system: { args: ['--agent', 'demo'], env } })
    const { page } = visit
    await visit.goto('/notes')
    await visit.connect()
    await expectText(byId(page, 'search-status'), 'Search by meaning')
    await byId(page, 'note-search').fill('How is my posture?')
    await expect.poll(async () => (await notes(page))[0] ?? '', PATIENCE).toContain('My back hurts')
    await expectText(byId(page, 'note-count'), 'The 4 notes that come nearest')
    expect(await lookAt(page, 'notes-meaning')).toEqual([])
    await byId(page, 'note-alike').first().click()
    await expectText(byId(page, 'note-count'), '4 notes like “Raise the wheel')
    const before = ollama.read()
    await page.reload()
    await expectText(byId(page, 'search-status'), 'Search by meaning')
    expect(ollama.read()).toBe(before)
    expect(visit.complaints).toEqual([])
  })

  it('leaves what is seen in its place while the connection changes: a press that has begun, or the focus, is not lost', async () => {
    await using visit = await visitSite({ executablePath })
    const { page } = visit
    await visit.goto('/notes')
    await page.evaluate("for (const note of document.querySelectorAll('[data-testid=note]')) note.dataset.before = ''")
    await visit.connect()
    await expectText(byId(page, 'search-status'), 'searching by meaning takes')
    expect(await page.locator('[data-testid=note][data-before]').count()).toBe(12)
  })

  it('can be used by keys alone', async () => {
    await using visit = await visitSite({ executablePath })
    const { page } = visit
    await visit.goto('/notes')
    await tabTo(page, 'note-search')
    await page.keyboard.type('glaze')
    await expectText(byId(page, 'note-count'), '2 notes with these words')
    await tabTo(page, 'note-remove')
    await page.keyboard.press('Enter')
    await expectText(byId(page, 'note-count'), '1 note with these words')
    await tabTo(page, 'note-text')
    await page.keyboard.type('More glaze')
    await tabTo(page, 'note-add')
    await page.keyboard.press('Enter')
    await expectText(byId(page, 'note-count'), '2 notes with these words')
    expect(await focused(page)).toBe('note-text')
  })
})

describe.skipIf(chromium === null)('the order desk', { timeout: 120_000 }, () => {
  it('makes a form of a tidy mail with the demo AI, which says what it is', async () => {
    await using visit = await visitSite({ executablePath })
    const { page } = visit
    await visit.goto('/desk')
    await byId(page, 'mail-read').click()
    await expectText(byId(page, 'desk-news'), 'Connect your AI first')
    await visit.connect()
    await byId(page, 'mail-read').click()
    await expectText(byId(page, 'desk-news'), /An order of 7 mugs\. I am a demo without a model/)
    expect(await formOf(page)).toEqual({
      from: 'Ada Lovelace',
      email: 'ada@example.org',
      day: '2026-12-18',
      note: 'ring twice, the bell is shy.',
      wrap: true,
      lines: [
        ['4', 'Oat mug', 'white'],
        ['2', 'Harbour mug', 'blue'],
        ['1', 'Fern mug', ''],
      ],
    })
    expect(await lookAt(page, 'desk')).toEqual([])
    await byId(page, 'sample-mail').nth(2).click()
    await byId(page, 'mail-read').click()
    await expectText(byId(page, 'desk-news'), 'No mugs were found in this mail.')
    expect(await byId(page, 'order-line').count()).toBe(0)
    await byId(page, 'mail').fill('  ')
    await byId(page, 'mail-read').click()
    await expectText(byId(page, 'desk-news'), 'There is no mail to read.')
    expect(visit.complaints).toEqual([])
  })

  it('can be used by keys alone', async () => {
    await using visit = await visitSite({ executablePath })
    const { page } = visit
    await visit.goto('/desk')
    await visit.connect()
    await tabTo(page, 'mail')
    await tabTo(page, 'mail-read')
    await page.keyboard.press('Enter')
    await expectText(byId(page, 'desk-news'), 'An order of 7 mugs')
    expect(await focused(page)).toBe('mail-read')
    await tabTo(page, 'order-from')
  })
})

async function formOf(page: Page): Promise<object> {
  const lines = await byId(page, 'order-line').all()
  return {
    from: await byId(page, 'order-from').inputValue(),
    email: await byId(page, 'order-email').inputValue(),
    day: await byId(page, 'order-deliver-by').inputValue(),
    note: await byId(page, 'order-note').inputValue(),
    wrap: await byId(page, 'order-gift-wrap').isChecked(),
    lines: await Promise.all(
      lines.map(async (line) => [
        await line.locator('input').first().inputValue(),
        await line.locator('input').last().inputValue(),
        await line.locator('select').inputValue(),
      ]),
    ),
  }
}

describe.skipIf(chromium === null)('the picture', { timeout: 120_000 }, () => {
  it('is sent with the question, and the demo AI says what it can tell of it', async () => {
    await using visit = await visitSite({ executablePath })
    const { page } = visit
    await visit.goto('/picture')
    await expectText(byId(page, 'picture-note'), 'Three mugs on a shelf, 640 × 480 pixels')
    await byId(page, 'picture-send').click()
    await expectText(byId(page, 'picture-news'), 'Connect your AI first')
    await visit.connect()
    await byId(page, 'drawing').nth(1).click()
    await expectText(byId(page, 'picture-note'), 'Mugs sold by month')
    await expect
      .poll(() => byId(page, 'picture-question').inputValue(), PATIENCE)
      .toBe('In which month were the most mugs sold?')
    await byId(page, 'picture-send').click()
    await expectText(byId(page, 'answer'), 'I can’t look at pictures: I have no model.')
    await expectText(byId(page, 'answer'), 'a PNG of 640 × 480 pixels')
    await byId(page, 'picture-send').waitFor()
    expect(await lookAt(page, 'picture')).toEqual([])
    await askAgain(page)
    await pickOwn(visit)
    expect(visit.complaints).toEqual([])
  })

  /** The picture goes along once. */
  async function askAgain(page: Page): Promise<void> {
    await byId(page, 'picture-question').fill('And in July?')
    await page.keyboard.press('Enter')
    await expect.poll(() => byId(page, 'answer').count(), PATIENCE).toBe(2)
    await byId(page, 'picture-send').waitFor()
    expect(await byId(page, 'answer').nth(1).innerText()).not.toContain('pixels')
  }

  /** A picture of the visitor's own begins anew; one that is too large is made smaller; what is none is refused. */
  async function pickOwn({ page }: SiteVisit): Promise<void> {
    const large = await page.evaluate<string>(
      '(() => { const one = document.createElement("canvas"); one.width = 2000; one.height = 1000; one.getContext("2d"); return one.toDataURL("image/png").split(",")[1] })()',
    )
    await byId(page, 'picture-file').setInputFiles({
      ...{ name: 'mine.png', mimeType: 'image/png', buffer: Buffer.from(large, 'base64') },
    })
    await expectText(byId(page, 'picture-note'), 'mine.png, 1024 × 512 pixels')
    await expect.poll(() => byId(page, 'question').count(), PATIENCE).toBe(0)
    await byId(page, 'picture-question').fill('And this?')
    await page.keyboard.press('Enter')
    await expectText(byId(page, 'answer'), 'a PNG of 1024 × 512 pixels')
    await drop(page, 'dropped.png')
    await expectText(byId(page, 'picture-note'), 'dropped.png, 30 × 20 pixels')
    await byId(page, 'picture-file').setInputFiles({
      ...{ name: 'not.png', mimeType: 'image/png', buffer: Buffer.from('no picture') },
    })
    await expectText(byId(page, 'picture-note'), 'This file is no picture')
  }

  /** A picture of 30 × 20 pixels, dropped where pictures are shown. */
  async function drop(page: Page, name: string): Promise<void> {
    await page.evaluate(`new Promise((done) => {
      const one = document.createElement('canvas')
      one.width = 30
      one.height = 20
      one.toBlob((blob) => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File([blob], '${name}', { type: 'image/png' }))
        document.querySelector('[data-testid=stage]').dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }))
        done()
      })
    })`)
  }

  it('can be asked about by keys alone', async () => {
    await using visit = await visitSite({ executablePath })
    const { page } = visit
    await visit.goto('/picture')
    await visit.connect()
    await tabTo(page, 'picture-file')
    await tabTo(page, 'drawing')
    await page.keyboard.press('Enter')
    await tabTo(page, 'picture-question')
    await page.keyboard.press('Enter')
    await expectText(byId(page, 'answer'), '640 × 480 pixels')
  })

  it('is what was seen last, however soon somebody asks', async () => {
    await using visit = await visitSite({ executablePath })
    const { page } = visit
    await visit.goto('/picture')
    await visit.connect()
    // In one task: no time for anything that a page might still do with a picture.
    await page.evaluate(`(() => {
      document.querySelectorAll('[data-testid=drawing]')[1].click()
      document.querySelector('[data-testid=picture-send]').click()
    })()`)
    await expectText(byId(page, 'answer'), '640 × 480 pixels')
    expect(await byId(page, 'question').allInnerTexts()).toEqual([expect.stringContaining('In which month')])
  })
})

describe.skipIf(chromium === null)('the shop', { timeout: 120_000 }, () => {
  it('looks like the others, with its source under the shelf', async () => {
    await using visit = await visitSite({ executablePath })
    await visit.goto('/')
    await visit.page.getByRole('link', { name: 'How it is made' }).click()
    await byId(visit.page, 'made').waitFor()
    expect(await focused(visit.page)).toBe('made')
    expect(await lookAt(visit.page, 'shop')).toEqual([])
  })
})

/** An Ollama with one small model that knows three meanings; `read`: how often it was asked. */
async function embedder(): Promise<AsyncDisposable & { port: number; read: () => number }> {
  const meanings = [/kiln|fire|burst/i, /back|hurts|posture/i, /sold|market|customer/i]
  const models = [{ name: 'nomic-embed-text:latest', capabilities: ['embedding'] }]
  const ollama = await scriptedOllama({ models })
  const { embeddings } = ollama
  embeddings.vectorFor = (text) => [...meanings.map((meaning) => (meaning.test(text) ? 1 : 0.01)), 0.1]
  return {
    port: ollama.port,
    read: () => embeddings.requests.length,
    [Symbol.asyncDispose]: () => ollama.close(),
  }
}
