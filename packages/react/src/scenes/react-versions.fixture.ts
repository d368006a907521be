/** The scenes bundled with each React that is supported, and a browser to run them in. */
import { chromiumForTests } from '@leuria/tooling/chromium'
import { build } from 'esbuild'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import * as z from 'zod/mini'

export const executablePath = chromiumForTests()

/** By major version: where `react` leads. */
const ALIASES = { 18: { react: 'react-18', 'react-dom': 'react-dom-18' }, 19: {} } as const
export type ReactVersion = keyof typeof ALIASES
export const VERSIONS: readonly ReactVersion[] = [18, 19]

async function bundle(version: ReactVersion, entry: string, platform: 'browser' | 'node'): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, entry)],
    absWorkingDir: join(import.meta.dirname, '..', '..'),
    bundle: true,
    format: platform === 'browser' ? 'iife' : 'cjs',
    platform,
    target: 'es2022',
    conditions: ['@leuria/source'],
    alias: ALIASES[version],
    define: { 'process.env.NODE_ENV': '"development"' },
    write: false,
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

const rendered = z.object({ html: z.string(), calls: z.array(z.string()), version: z.string() })

/** What a server with that React makes of a scene. */
export async function renderOnServer(version: ReactVersion, scene: string): Promise<z.infer<typeof rendered>> {
  const folder = await mkdtemp(join(tmpdir(), 'leuria-react-'))
  try {
    const file = join(folder, 'server.cjs')
    await writeFile(file, await bundle(version, 'server-entry.fixture.ts', 'node'))
    const entry: unknown = createRequire(import.meta.url)(file)
    const { render } = z.parse(z.object({ render: z.custom<(name: string) => unknown>() }), entry)
    return z.parse(rendered, render(scene))
  } finally {
    await rm(folder, { recursive: true })
  }
}

export interface ReactBrowser {
  /** A page with this in its root, and `window.react`. `complaints`: all that the page's console said. */
  open(html?: string): Promise<{ page: Page; complaints: string[] }>
  closePages(): Promise<void>
  close(): Promise<void>
}

export async function openReactBrowser(version: ReactVersion): Promise<ReactBrowser> {
  const browser = await chromium.launch({ executablePath: executablePath ?? '' })
  const script = await bundle(version, 'browser-entry.fixture.ts', 'browser')
  return {
    open: (html = '') => openPage(browser, html, script),
    closePages: async () => {
      await Promise.all(browser.contexts().map((context) => context.close()))
    },
    close: () => browser.close(),
  }
}

const ADDRESS = 'https://shop.example/'

async function openPage(browser: Browser, html: string, script: string): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const body = `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><div id="root">${html}</div></html>`
  await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body }))
  const complaints: string[] = []
  page.on('console', (message) => {
    if (!message.text().includes('React DevTools')) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(ADDRESS)
  await page.evaluate(script)
  return { page, complaints }
}
