/**
 * The desktop program: an engine that is kept running, a window that shows what it asks, and links that lead to both.
 * Joins the parts; decides only when the window comes forward.
 */
import { join } from 'node:path'
import type { Origin, ProcessEvent } from '@leuria/protocol'
import type { InstanceMessage } from './instance/message.js'
import { LinkDesk } from './links/link-desk.js'
import { EngineKeeper, type EngineState } from './sidecar/engine-keeper.js'
import { openPage } from './system/open-page.js'
import { type AppWindow, openAppWindow, type WindowCall } from './window/app-window.js'
import { findBrowser, NO_BROWSER } from './window/find-browser.js'
import { serveUi, type UiServer } from './window/ui-server.js'
import type { WindowState } from './window/window-state.js'

export interface DesktopOptions {
  home: string
  env: NodeJS.ProcessEnv
  /** The sidecar's file. */
  sidecar: string
  /** More arguments for it. */
  engineArgs: readonly string[]
  /** The folder of the window's built files. */
  ui: string
  log: (line: string) => void
}

export class Desktop {
  readonly #engine: EngineKeeper
  readonly #links: LinkDesk
  #ui: UiServer | null = null
  #window: Promise<AppWindow | null> | null = null
  /** The browser before: two can't use the profile at once. */
  #lastEnded: Promise<void> = Promise.resolve()
  #state: WindowState = { engine: null, problem: null, site: null }
  #end: () => void = () => undefined
  /** Resolves when the visitor has asked for the end. */
  readonly ended: Promise<void>

  constructor(private readonly options: DesktopOptions) {
    const { sidecar: file, engineArgs: args, env, log } = options
    this.ended = new Promise((resolve) => (this.#end = resolve))
    this.#engine = new EngineKeeper({
      ...{ file, args, env },
      onState: (state) => {
        this.#onEngine(state)
      },
      onEvent: (event) => {
        this.#onEvent(event)
      },
      onLine: log,
    })
    this.#links = new LinkDesk({
      engine: () => (this.#engine.state.kind === 'ready' ? this.#engine.state : null),
      onQuestion: () => void this.open(),
      onSite: (origin) => {
        this.#showSite(origin)
      },
      log,
    })
  }

  /** @throws when the window's files can't be served */
  async start(): Promise<void> {
    this.#ui = await serveUi(this.options.ui)
    this.#engine.start()
  }

  /**
   * What this program, or a later start, was asked for. A link brings the window only once it leads to something: pages
   * could nag with it otherwise.
   */
  take(message: InstanceMessage): void {
    if (message.do === 'quit') this.#end()
    else if (message.link === undefined) void this.open()
    else if (!this.#links.take(message.link)) this.options.log('A link was ignored: it is none that Leuria knows.')
  }

  /** Brings the window forward, or opens one. */
  async open(): Promise<void> {
    const opening = (this.#window ??= this.#openWindow())
    const window = await opening
    if (window === null || (await window.bringForward())) return
    // It was closed at this very moment.
    if (this.#window === opening) this.#window = null
    await (this.#window ??= this.#openWindow())
  }

  async close(): Promise<void> {
    await (await this.#window)?.close()
    await this.#engine.stop()
    await this.#ui?.close()
  }

  /** For the last moment: leaves no engine behind. */
  kill(): void {
    this.#engine.kill()
  }

  async #openWindow(): Promise<AppWindow | null> {
    try {
      return await this.#startBrowser()
    } catch (error) {
      this.#window = null
      this.options.log(error instanceof Error ? error.message : String(error))
      return null
    }
  }

  async #startBrowser(): Promise<AppWindow> {
    const { env, home } = this.options
    await this.#lastEnded
    const browser = findBrowser(env)
    if (browser === null) throw new Error(NO_BROWSER)
    const window = await openAppWindow({
      browser,
      env,
      profile: join(home, 'window'),
      port: this.#ui?.port ?? 0,
      onCall: (call) => {
        this.#onCall(call)
      },
      onClosed: () => {
        this.#window = null
      },
    })
    this.#lastEnded = window.ended
    await window.show(this.#state)
    return window
  }

  #onCall(call: WindowCall): void {
    if (call.do === 'retry') this.#engine.retry()
    else if (call.do === 'quit') this.#end()
    else openPage(call.url, this.options.log)
  }

  #onEngine(state: EngineState): void {
    const { port, token } = state.kind === 'ready' ? state : { port: 0, token: '' }
    const problem = state.kind === 'failed' ? { code: state.code, message: state.message } : null
    this.#show({ engine: state.kind === 'ready' ? { port, token } : null, problem })
    if (state.kind === 'ready') void this.#links.work()
    // Whoever waits for a window should see why nothing happens.
    if (state.kind === 'failed') void this.open()
  }

  #onEvent(event: ProcessEvent): void {
    if (event.event === 'signin_url') openPage(event.url, this.options.log)
  }

  #showSite(origin: Origin): void {
    this.#show({ site: { origin, serial: (this.#state.site?.serial ?? 0) + 1 } })
    void this.open()
  }

  #show(change: Partial<WindowState>): void {
    this.#state = { ...this.#state, ...change }
    void this.#window?.then((window) => window?.show(this.#state))
  }
}
