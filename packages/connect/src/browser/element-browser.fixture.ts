/** A real Chromium with pages that show the elements; nothing is served from outside the test. */
import { chromiumForTests } from '@leuria/tooling/chromium'
import { build } from 'esbuild'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import * as z from 'zod/mini'

export const executablePath = chromiumForTests()

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const ADDRESS = 'https://shop.example/'

/** What the page's script is made of. */
export async function bundleForPage(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [new URL(entry, import.meta.url).pathname],
    bundle: true,
    format: 'iife',
    target: 'es2022',
    conditions: ['@leuria/source'],
    write: false,
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

export interface PageOptions extends BrowserContextOptions {
  /** Of the body. */
  html: string
  lang?: string
  dir?: 'ltr' | 'rtl'
  /** @default the stage */
  script?: string
}

export interface ElementBrowser {
  /** Fails on any error or warning of the page, and on any request to somewhere else. */
  open(options: PageOptions): Promise<Page>
  closePages(): Promise<void>
  close(): Promise<void>
}

export async function openElementBrowser(): Promise<ElementBrowser> {
  const browser = await chromium.launch({ executablePath: executablePath ?? '' })
  const stage = await bundleForPage('stage.fixture.ts')
  return {
    open: (options) => openPage(browser, { script: stage, ...options }),
    closePages: async () => {
      await Promise.all(browser.contexts().map((context) => context.close()))
    },
    close: () => browser.close(),
  }
}

const PAGE_STYLE = `
  :root { color-scheme: light dark }
  h1 { margin: 0 0 16px; font-size: 22px }
  body { margin: 0; padding: 24px; min-height: 560px; box-sizing: border-box; background: #fff; color: #222; font: 16px system-ui }
  @media (prefers-color-scheme: dark) { body { background: #121212; color: #eee } }
`

async function openPage(browser: Browser, options: PageOptions): Promise<Page> {
  const { html, lang = 'en', dir = 'ltr', script, ...context } = options
  const opened = await browser.newContext({ reducedMotion: 'reduce', ...context })
  const page = await opened.newPage()
  await page.route('**/*', (route) =>
    route.request().url() === ADDRESS
      ? route.fulfill({
          contentType: 'text/html; charset=utf-8',
          body: `<!doctype html><html lang="${lang}" dir="${dir}"><title>Mug shop</title><link rel="icon" href="data:,">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <style>${PAGE_STYLE}</style><body><header><h1>Mug shop</h1></header><main>${html}</main></body></html>`,
        })
      : route.abort(),
  )
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(ADDRESS)
  await page.evaluate(script ?? '')
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
  return page
}

/** axe doesn't see forced colours: what it takes for the contrast is never shown. */
const AXE_RUN = `(async () => {
  const enabled = !matchMedia('(forced-colors: active)').matches
  const { violations } = await axe.run({ resultTypes: ['violations'], rules: { 'color-contrast': { enabled } } })
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => [id, html, failureSummary].join(' ')))
})()`

/** Rule and place of each violation that axe finds, shadow roots included. */
export async function violations(page: Page): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(AXE)
  return z.parse(z.array(z.string()), await page.evaluate(AXE_RUN))
}
