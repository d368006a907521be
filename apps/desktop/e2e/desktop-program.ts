/** Runs the built desktop program in a home of its own, with a browser that a test can look into. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rawRequest } from '@leuria/testing'
import { type Browser, chromium, type Page } from 'playwright-core'
import { vi } from 'vitest'
import * as z from 'zod/mini'

export const PROGRAM = fileURLToPath(new URL('../dist/leuria-desktop.js', import.meta.url))

/** FC-05. */
export const NONCE = 'AAECAwQFBgcICQoLDA0ODw'
export const LINK = `leuria://connect?origin=https%3A%2F%2Fshop.example&app=Shop&nonce=${NONCE}`

const SLOW = { timeout: 30_000, interval: 20 }

/** A start of the program. */
export interface Start {
  child: ChildProcess
  /** What it said so far. */
  readonly said: string
  /** Its exit code, once it has ended. */
  ended: Promise<number | null>
}

export interface DesktopOptions {
  /** The real browser; `null`: none is installed. */
  browser: string | null
  /** Beside the home and the browser, in every start. */
  env?: Readonly<Record<string, string>>
  /** On a display instead of headless. */
  display?: string
  /** @default a temporary one */
  home?: string
}

const question = z.looseObject({ requestId: z.string(), origin: z.string(), app: z.optional(z.string()) })
const engineFacts = z.object({ port: z.number(), token: z.string() })

/** One home, and every start of the program in it. */
export class DesktopScene implements AsyncDisposable {
  readonly #starts: Start[] = []
  #browser: Browser | null = null

  private constructor(
    readonly home: string,
    /** For the program, the browser's included. */
    readonly env: Readonly<Record<string, string>>,
    private readonly folder: string,
  ) {}

  static async open({ browser, env = {}, display, home }: DesktopOptions): Promise<DesktopScene> {
    const folder = await mkdtemp(join(tmpdir(), 'leuria-desktop-'))
    const wrapper = join(folder, 'browser')
    const flags = display === undefined ? '--headless=new' : '--ozone-platform=x11'
    // A second door for the test; the program has its own. As root Chromium runs without its sandbox only.
    const script = `#!/bin/sh\nexec "${browser ?? ''}" ${flags} --no-sandbox --disable-gpu --remote-debugging-port=0 "$@"\n`
    await writeFile(wrapper, script)
    await chmod(wrapper, 0o755)
    const all = {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      LEURIA_HOME: home ?? join(folder, 'home'),
      LEURIA_BROWSER: browser === null ? join(folder, 'nothing') : wrapper,
      ...(display === undefined ? {} : { DISPLAY: display }),
      ...env,
    }
    return new DesktopScene(all.LEURIA_HOME, all, folder)
  }

  /** On a free port. */
  start(...args: string[]): Start {
    return this.startWith(['--port', '0', ...args])
  }

  startWith(args: readonly string[]): Start {
    const child = spawn(process.execPath, [PROGRAM, ...args], { env: this.env })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (said += piece.toString()))
    const start: Start = {
      child,
      get said() {
        return said
      },
      ended: new Promise((resolve) => child.once('close', resolve)),
    }
    this.#starts.push(start)
    return start
  }

  /** The window's page, once it is there. */
  async window(): Promise<Page> {
    return vi.waitUntil(async () => {
      // One whose window was closed goes only after a while: then the page is in the next one.
      if (this.#browser?.isConnected() !== true) this.#browser = await this.#connect().catch(() => null)
      return this.#browser
        ?.contexts()
        .flatMap((context) => context.pages())
        .find((page) => !page.isClosed() && page.url().startsWith('http://tauri.localhost/'))
    }, SLOW)
  }

  async #connect(): Promise<Browser> {
    const [port, path] = (await readFile(join(this.home, 'window', 'DevToolsActivePort'), 'utf8')).split('\n')
    return chromium.connectOverCDP(`ws://127.0.0.1:${port ?? ''}${path ?? ''}`)
  }

  /** Where the engine is, as the window was told. */
  async engine(): Promise<z.infer<typeof engineFacts>> {
    const page = await this.window()
    const facts = await vi.waitUntil(
      () => page.evaluate(() => (globalThis as { leuriaDesktop?: { engine: unknown } }).leuriaDesktop?.engine ?? null),
      SLOW,
    )
    return engineFacts.parse(facts)
  }

  /** The admin API, with the window's own token. */
  async admin(path: string, body?: object): Promise<unknown> {
    const { port, token } = await this.engine()
    const answer = await rawRequest({
      port,
      path: `/admin${path}`,
      method: body === undefined ? 'GET' : 'POST',
      headers: [['Authorization', `Bearer ${token}`]],
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return answer.json
  }

  async questions(): Promise<z.infer<typeof question>[]> {
    return z.object({ requests: z.array(question) }).parse(await this.admin('/pairing')).requests
  }

  /** Waits for questions to be there. */
  async asked(count = 1): Promise<z.infer<typeof question>[]> {
    return vi.waitUntil(async () => {
      const questions = await this.questions()
      return questions.length === count ? questions : null
    }, SLOW)
  }

  async quit(): Promise<void> {
    const quit = spawn(process.execPath, [PROGRAM, '--quit'], { env: this.env, stdio: 'ignore' })
    await new Promise((resolve) => quit.once('close', resolve))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser?.close().catch(() => undefined)
    for (const { child, ended } of this.#starts) {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      const limit = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await ended
      clearTimeout(limit)
    }
    // Its browser writes its profile for some moments more.
    await rm(this.folder, { recursive: true, force: true, maxRetries: 20 })
  }
}

/** A folder that exists. */
export async function madeFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true })
  return path
}
