import { chromiumForTests } from '@leuria/tooling/chromium'
import { build } from 'esbuild'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type * as client from '../index.js'

declare global {
  interface Window {
    client: typeof client
    told: number
    emptyShop: () => void
  }
}

const SITE = 'https://shop.example'
const executablePath = chromiumForTests()

async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    conditions: ['@leuria/source'],
  })
  return outputFiles[0]?.text ?? ''
}

/** The page's own script, which knows nothing of Leuria. */
const PAGE_SCRIPT = `
  const stop = new AbortController()
  document.modelContext.registerTool({
    name: 'get_cart', description: 'The cart.', inputSchema: { type: 'object' },
    execute: ({ add = 0 }) => ({ items: 1 + add }),
  }, { signal: stop.signal })
  window.emptyShop = () => stop.abort()
`

describe.skipIf(executablePath === null)('in a real browser', () => {
  let browser: Browser
  let page: Page
  const files = new Map<string, { contentType: string; body: string }>()

  beforeAll(async () => {
    const contentType = 'text/javascript'
    files.set('/capture.js', { contentType, body: await bundle("import './webmcp-capture.js'") })
    files.set('/page.js', { contentType, body: PAGE_SCRIPT })
    files.set('/client.js', {
      contentType,
      body: await bundle("import * as client from '../index.js'; Object.assign(window, { client })"),
    })
    const body = `<!doctype html><title>Shop</title><script src="/capture.js"></script><script src="/page.js"></script>
      <script type="module" src="/client.js"></script>`
    files.set('/', { contentType: 'text/html', body })
    browser = await chromium.launch({ executablePath: executablePath ?? undefined })
  })
  afterAll(() => browser.close())
  afterEach(() => page.close())

  it("gives what a page registers for the browser's agents to the visitor's AI too, as long as it is there", async () => {
    page = await browser.newPage()
    const errors: unknown[] = []
    page.on('pageerror', (error) => errors.push(error))
    await page.route(`${SITE}/**`, (route) =>
      route.fulfill(files.get(new URL(route.request().url()).pathname) ?? { status: 404 }),
    )
    await page.goto(SITE, { waitUntil: 'load' })
    await page.waitForFunction(() => 'client' in window)
    const result = await page.evaluate(async () => {
      window.told = 0
      window.client.subscribeCapturedTools(() => (window.told += 1))
      const [tool] = window.client.capturedTools()
      const { signal } = new AbortController()
      const about = { context: {}, callCount: 1, callId: 'c', turnId: 't', signal, endTurn: () => undefined }
      return { name: tool?.name, result: await tool?.execute?.({ add: 2 }, about) }
    })
    expect(result).toEqual({ name: 'get_cart', result: { items: 3 } })
    const after = await page.evaluate(() => {
      window.emptyShop()
      return [window.client.capturedTools().length, window.told]
    })
    expect(after).toEqual([0, 1])
    const undone = await page.evaluate(() => {
      const take = window.client.exposeTools([{ name: 'mine', description: 'Mine.', execute: () => 'x' }])
      take()
      return [window.client.modelContext() !== undefined, window.client.capturedTools().length]
    })
    expect(undone).toEqual([true, 0])
    expect(errors).toEqual([])
  })
})
