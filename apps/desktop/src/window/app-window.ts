/**
 * The window: a browser with a profile of its own, showing the program's page as an app. Owns the browser's process; what
 * the page gets to know comes in as a state. Ends with the program, however that ends: the browser's pipe ends then.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { Readable, Writable } from 'node:stream'
import * as z from 'zod/mini'
import { type DevtoolsEvent, DevtoolsPipe } from './devtools-pipe.js'
import { stateScript, WINDOW_CALL, WINDOW_ORIGIN, type WindowState } from './window-state.js'

/** A first start makes a profile; on a busy computer that takes seconds. */
const FIND_PAGE_MS = 20_000
const LOOK_AGAIN_MS = 50
/** A browser writes its profile when it ends. */
const CLOSE_LIMIT_MS = 5_000

const windowCall = z.discriminatedUnion('do', [
  z.object({ do: z.literal('retry') }),
  z.object({ do: z.literal('quit') }),
  z.object({ do: z.literal('open_page'), url: z.string() }),
])
/** What the page asks of the program. */
export type WindowCall = z.infer<typeof windowCall>

export interface AppWindowOptions {
  /** The browser's program. */
  browser: string
  /** A folder that only this window uses. */
  profile: string
  /** Where the page's files are served on loopback. */
  port: number
  env: NodeJS.ProcessEnv
  onCall: (call: WindowCall) => void
  /** The visitor closed it, or the browser ended. Called once. */
  onClosed: () => void
}

export interface AppWindow {
  /** What the page knows from now on, also after a reload. Never rejects. */
  show(state: WindowState): Promise<void>
  /** In front of the others. False: it is gone. */
  bringForward(): Promise<boolean>
  /** Resolves when the browser has ended: only then may another one use the profile. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

/** Nothing here is secret: arguments can be read by every user of the computer. */
function browserArguments({ profile, port }: AppWindowOptions): string[] {
  return [
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    // The engine knows the window by this origin. Requests can't be sent elsewhere after the fact, the name can.
    `--host-resolver-rules=MAP tauri.localhost:80 127.0.0.1:${port}`,
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-sync',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-extensions',
    '--disable-features=Translate,MediaRouter',
    // The profile holds nothing worth a keyring's question.
    '--password-store=basic',
    '--window-size=1080,760',
    `--app=${WINDOW_ORIGIN}/`,
  ]
}

function openPipe(child: ChildProcess): DevtoolsPipe {
  const [, , , input, output] = child.stdio
  if (!(input instanceof Writable) || !(output instanceof Readable)) throw new Error('The browser has no pipes.')
  return new DevtoolsPipe(input, output)
}

const targets = z.looseObject({
  targetInfos: z.array(z.looseObject({ targetId: z.string(), type: z.string(), url: z.string() })),
})
const attached = z.looseObject({ sessionId: z.string() })
const scriptAdded = z.looseObject({ identifier: z.string() })
const contextCreated = z.looseObject({ context: z.looseObject({ id: z.int(), origin: z.string() }) })
const detached = z.looseObject({ sessionId: z.string() })
const bindingCalled = z.looseObject({ name: z.string(), payload: z.string(), executionContextId: z.int() })

/** The app's page among the browser's own; it appears some moments after the start. */
async function findPage(pipe: DevtoolsPipe): Promise<string> {
  const until = Date.now() + FIND_PAGE_MS
  for (;;) {
    const { targetInfos } = targets.parse(await pipe.send('Target.getTargets'))
    const page = targetInfos.find(({ type, url }) => type === 'page' && url.startsWith(`${WINDOW_ORIGIN}/`))
    if (page !== undefined) return page.targetId
    if (Date.now() >= until) throw new Error('The browser opened no window.')
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}

/** Calls of the window's own page only: it may have been led elsewhere. */
function hearCalls(session: string, onCall: (call: WindowCall) => void): (event: DevtoolsEvent) => void {
  const origins = new Map<number, string>()
  return ({ method, params, sessionId }) => {
    if (sessionId !== session) return
    if (method === 'Runtime.executionContextCreated') {
      const { context } = contextCreated.parse(params)
      origins.set(context.id, context.origin)
    }
    if (method === 'Runtime.executionContextsCleared') origins.clear()
    if (method !== 'Runtime.bindingCalled') return
    const { name, payload, executionContextId } = bindingCalled.parse(params)
    if (name !== WINDOW_CALL || origins.get(executionContextId) !== WINDOW_ORIGIN) return
    const call = readCall(payload)
    if (call !== null) onCall(call)
  }
}

function readCall(payload: string): WindowCall | null {
  try {
    const read = windowCall.safeParse(JSON.parse(payload))
    return read.success ? read.data : null
  } catch {
    return null
  }
}

class BrowserWindow implements AppWindow {
  #scriptId: string | null = null
  /** One change after the other, so that the newest state is the last one set. */
  #showing: Promise<void> = Promise.resolve()

  constructor(
    private readonly pipe: DevtoolsPipe,
    private readonly session: string,
    private readonly browser: { child: ChildProcess; ended: Promise<void> },
  ) {}

  show(state: WindowState): Promise<void> {
    this.#showing = this.#showing.then(() => this.#show(state)).catch(() => undefined)
    return this.#showing
  }

  get ended(): Promise<void> {
    return this.browser.ended
  }

  bringForward(): Promise<boolean> {
    return this.pipe.send('Page.bringToFront', {}, this.session).then(
      () => true,
      () => false,
    )
  }

  async close(): Promise<void> {
    await this.pipe.send('Browser.close').catch(() => undefined)
    this.pipe.close()
    killLate(this.browser)
    await this.browser.ended
  }

  async #show(state: WindowState): Promise<void> {
    const source = stateScript(state)
    if (this.#scriptId !== null)
      await this.pipe.send('Page.removeScriptToEvaluateOnNewDocument', { identifier: this.#scriptId }, this.session)
    const added = await this.pipe.send('Page.addScriptToEvaluateOnNewDocument', { source }, this.session)
    this.#scriptId = scriptAdded.parse(added).identifier
    await this.pipe.send('Runtime.evaluate', { expression: source }, this.session)
  }
}

async function attach(pipe: DevtoolsPipe, onCall: (call: WindowCall) => void): Promise<string> {
  const targetId = await findPage(pipe)
  const { sessionId } = attached.parse(await pipe.send('Target.attachToTarget', { targetId, flatten: true }))
  pipe.subscribe(hearCalls(sessionId, onCall))
  await pipe.send('Page.enable', {}, sessionId)
  await pipe.send('Runtime.enable', {}, sessionId)
  await pipe.send('Runtime.addBinding', { name: WINDOW_CALL }, sessionId)
  return sessionId
}

/** @throws when the browser can't be started or opens no window; `onClosed` is not called then */
export async function openAppWindow(options: AppWindowOptions): Promise<AppWindow> {
  const child = spawn(options.browser, browserArguments(options), {
    env: options.env,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr?.on('data', (piece: Buffer) => (said = (said + piece.toString()).slice(-2_000)))
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      said += error.message
      resolve()
    })
    child.once('close', () => {
      resolve()
    })
  })
  const pipe = openPipe(child)
  void ended.then(() => {
    pipe.close()
  })
  try {
    const session = await attach(pipe, options.onCall)
    const closed = new Promise<void>((resolve) => {
      void ended.then(resolve)
      pipe.subscribe(({ method, params }) => {
        if (method !== 'Target.detachedFromTarget' || detached.safeParse(params).data?.sessionId !== session) return
        // The visitor has closed it. A browser stays for other windows; this one has none.
        pipe.close()
        killLate({ child, ended })
        resolve()
      })
    })
    void closed.then(options.onClosed)
    return new BrowserWindow(pipe, session, { child, ended })
  } catch (error) {
    pipe.close()
    child.kill('SIGKILL')
    await ended
    throw new Error(`The window could not be opened with ${options.browser}. ${lastLine(said)}`.trim(), {
      cause: error,
    })
  }
}

/** Its pipes are gone, so it ends; one that doesn't is made to. */
function killLate({ child, ended }: { child: ChildProcess; ended: Promise<void> }): void {
  const limit = setTimeout(() => child.kill('SIGKILL'), CLOSE_LIMIT_MS)
  void ended.then(() => {
    clearTimeout(limit)
  })
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? ''
}
