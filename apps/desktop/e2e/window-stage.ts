/** The window's built files in a real Chromium, at the app's own address, with a real sidecar behind them. */
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { adminPairingList } from '@leuria/protocol'
import { rawRequest, type RawAnswer } from '@leuria/testing'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import * as z from 'zod/mini'
import { serveUi, type UiServer } from '../src/window/ui-server.js'
import { stateScript, WINDOW_ORIGIN, type WindowState } from '../src/window/window-state.js'
import { readyPort, type Sidecar, startSidecar, TOKEN } from './sidecar-process.js'

const UI = fileURLToPath(new URL('../dist/ui', import.meta.url))
/** Not in git: to be looked at after a run, and kept by CI. */
const PICTURES = fileURLToPath(new URL('pictures', import.meta.url))
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const SIZE = { width: 1080, height: 760 }

const isPending = (json: unknown): boolean => z.object({ status: z.literal('pending') }).safeParse(json).success

export interface HomeFiles {
  [name: string]: unknown
}

interface StageParts {
  home: string
  port: number
  sidecar: Sidecar
  ui: UiServer
  browser: Browser
}

/** What a site's page asks. */
export interface SiteCall {
  path: string
  body: unknown
  token?: string
}

export class WindowStage {
  #pages: Page[] = []

  private constructor(private readonly parts: StageParts) {}

  get port(): number {
    return this.parts.port
  }

  /** A sidecar on a home with these files, and a browser. The caller closes it. */
  static async open(
    executablePath: string,
    files: HomeFiles = {},
    env: Record<string, string> = {},
  ): Promise<WindowStage> {
    const home = await mkdtemp(join(tmpdir(), 'leuria-window-'))
    for (const [name, content] of Object.entries(files))
      await writeFile(join(home, name), JSON.stringify(content), { mode: 0o600 })
    const sidecar = startSidecar({
      home,
      env: {
        LEURIA_ADMIN_TOKEN: TOKEN,
        HOME: home,
        OLLAMA_HOST: '127.0.0.1:9',
        ACP_REGISTRY_URL: 'http://127.0.0.1:9',
        ...env,
      },
    })
    const port = await readyPort(sidecar)
    const ui = await serveUi(UI)
    const browser = await chromium.launch({
      executablePath,
      args: [`--host-resolver-rules=MAP tauri.localhost:80 127.0.0.1:${ui.port}`],
    })
    await mkdir(PICTURES, { recursive: true })
    return new WindowStage({ home, port, sidecar, ui, browser })
  }

  /** Opens the window as the program does: what it says is in the page before the page runs. */
  async window(options: BrowserContextOptions = {}, state: Partial<WindowState> = {}): Promise<Page> {
    const page = await this.parts.browser.newPage({ viewport: SIZE, locale: 'en-GB', ...options })
    this.#pages.push(page)
    const engine = { port: this.port, token: TOKEN }
    await page.addInitScript(stateScript({ engine, problem: null, site: null, ...state }))
    await page.goto(`${WINDOW_ORIGIN}/`)
    return page
  }

  /** What the program says from now on. */
  async say(page: Page, state: Partial<WindowState>): Promise<void> {
    const engine = { port: this.port, token: TOKEN }
    await page.evaluate(stateScript({ engine, problem: null, site: null, ...state }))
  }

  /** A request as the program makes it. */
  async admin(path: string, body?: unknown, method?: string): Promise<unknown> {
    const answer = await rawRequest({
      port: this.port,
      path: `/admin/${path}`,
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: [['Authorization', `Bearer ${TOKEN}`]],
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return answer.json
  }

  /** A request of a site's page. */
  site(origin: string, { path, body, token }: SiteCall): Promise<RawAnswer> {
    return rawRequest({
      port: this.port,
      path,
      method: 'POST',
      headers: [['Origin', origin], ...(token === undefined ? [] : [['Authorization', `Bearer ${token}`] as const])],
      body: JSON.stringify(body),
    })
  }

  /** A site's link, as the system hands it over, and the site's claim. */
  async ask(origin: string, about: { app?: string; needs?: object } = {}): Promise<{ claimed: Promise<RawAnswer> }> {
    const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64url')
    await this.admin('pairing/link', { origin, nonce, ...about })
    const claimed = this.#claim(origin, { nonce, ...about })
    claimed.catch(() => undefined) // Not every test wants to know.
    return { claimed }
  }

  /** Asks again as long as there is no answer, as a site's page does. */
  async #claim(origin: string, body: object): Promise<RawAnswer> {
    for (;;) {
      const answer = await this.site(origin, { path: '/connect/claim', body })
      if (!isPending(answer.json)) return answer
    }
  }

  /** Says no to whatever is still asked, so that it stands in nobody's way. */
  async answerAll(): Promise<void> {
    const { requests } = adminPairingList.parse(await this.admin('pairing'))
    for (const { requestId } of requests) await this.admin(`pairing/${requestId}`, { allow: false })
  }

  /** A file of the home as it is on disk now. */
  async file(name: string): Promise<unknown> {
    return JSON.parse(await readFile(join(this.parts.home, name), 'utf8'))
  }

  async picture(page: Page, name: string): Promise<void> {
    await page.screenshot({ path: join(PICTURES, `window-${name}.png`), fullPage: true })
  }

  /** What axe finds, in words. */
  async axe(page: Page): Promise<string[]> {
    await page.evaluate(AXE)
    const found = await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')
    return z
      .parse(
        z.looseObject({
          violations: z.array(z.looseObject({ id: z.string(), nodes: z.array(z.looseObject({ html: z.string() })) })),
        }),
        found,
      )
      .violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
  }

  async closePages(): Promise<void> {
    await Promise.all(this.#pages.splice(0).map((page) => page.close()))
  }

  async close(): Promise<void> {
    const { home, sidecar, ui, browser } = this.parts
    await browser.close()
    sidecar.child.stdin?.end()
    await sidecar.ended
    await ui.close()
    await rm(home, { recursive: true, force: true })
  }
}
