/** A visitor of the built site with the built engine: connects on a page's own button and says yes in Leuria. */
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { type RunningSystem, startSystem } from './running-system.js'
import { openVisitor } from './visitor-browser.js'

const PICTURES = fileURLToPath(new URL('pictures', import.meta.url))
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
export const PATIENCE = { timeout: 20_000 }

export interface SiteVisit extends AsyncDisposable {
  readonly page: Page
  readonly system: RunningSystem
  /** What the browser's console complained about, and requests to other places than site and engine. */
  readonly complaints: readonly string[]
  goto(path: string): Promise<void>
  /** On the page that is open. `name`: the AI that answers then. */
  connect(name?: string): Promise<void>
}

export interface SiteVisitOptions {
  executablePath: string
  system?: Parameters<typeof startSystem>[0]
}

export async function visitSite({ executablePath, system: how }: SiteVisitOptions): Promise<SiteVisit> {
  const system = await startSystem(how)
  const visitor = await openVisitor({ executablePath, origin: system.origin }).catch(async (error: unknown) => {
    await system[Symbol.asyncDispose]()
    throw error
  })
  const { context } = visitor
  const page = context.pages()[0] ?? (await context.newPage())
  const complaints = listen(page, [system.origin, system.engineUrl])
  return {
    ...{ page, system, complaints },
    async goto(path) {
      await page.goto(new URL(path, system.shopUrl).href)
    },
    async connect(name = 'Demo AI (no model)') {
      await page.locator('leuria-connect-button #main').first().click()
      const tab = await context.newPage()
      await tab.goto(await system.approveUrl())
      await tab.getByRole('button', { name: 'Allow' }).click()
      await tab.getByRole('status').filter({ hasText: 'The site can use your AI now' }).waitFor()
      await tab.close()
      await page.bringToFront()
      await page.locator('leuria-connect-button').filter({ hasText: name }).waitFor(PATIENCE)
    },
    async [Symbol.asyncDispose]() {
      await visitor[Symbol.asyncDispose]()
      await system[Symbol.asyncDispose]()
    },
  }
}

function listen(page: Page, own: readonly string[]): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    const url = request.url()
    if (/^https?:/.test(url) && !own.some((origin) => url.startsWith(origin))) complaints.push(`asked for ${url}`)
  })
  return complaints
}

/** Rule and place of each violation that axe finds. The page's own rules forbid added scripts: axe runs past them. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate<string[]>(
    'axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)))',
  )
}

/** Every width with every scheme: what the page looks like, and what axe says to it. Ends wide and light. */
export async function lookAt(page: Page, name: string): Promise<string[]> {
  await mkdir(PICTURES, { recursive: true })
  const found: string[] = []
  for (const width of [390, 1280]) {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      if (width === 390) await page.evaluate('scrollTo(0, 0)')
      const look = `${name}-${width}-${colorScheme}`
      await page.screenshot({ path: join(PICTURES, `site-${look}.png`), fullPage: width === 390 })
      const scroll = await page.evaluate<number>('document.documentElement.scrollWidth')
      if (scroll > width) found.push(`${look}: scrolls sideways (${scroll})`)
      found.push(...(await violations(page)).map((violation) => `${look}: ${violation}`))
    }
  }
  return found
}

/** The id of what has the focus, also inside of elements of their own. */
export function focused(page: Page): Promise<string> {
  return page.evaluate<string>(
    '(() => { let one = document.activeElement; while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement; return one?.dataset?.testid ?? one?.id ?? "" })()',
  )
}

/** Presses Tab until something has the focus, as somebody without a mouse does. */
export async function tabTo(page: Page, id: string): Promise<void> {
  for (let press = 0; press < 60; press += 1) {
    if ((await focused(page)) === id) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${id} can't be reached by keys.`)
}
