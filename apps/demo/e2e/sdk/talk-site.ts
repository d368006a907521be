/** The page of `talk-page` on an address of its own, and the built engine beside it, which may die and come back. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { processEvent, type ProcessEvent, readyEvent } from '@leuria/protocol'
import { followProgram } from '@leuria/testing/program-events'
import { build } from 'esbuild'
import * as z from 'zod/mini'

const LEURIA = fileURLToPath(new URL('../../../cli/dist/leuria.js', import.meta.url))

const html = (engineUrl: string): string => `<!doctype html>
<html lang="en" data-engine="${engineUrl}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Mug shop</title>
  <link rel="icon" href="data:,">
  <style>
    body { margin: 0; padding: 24px; min-height: 520px; box-sizing: border-box; font: 16px system-ui; color: #222 }
    main { display: grid; gap: 12px; max-width: 36rem }
    .user { color: #555 }
    [data-testid=error] { color: #a11 }
    [data-testid=error]:empty, [data-testid=hint]:empty { display: none }
  </style>
  <main>
    <h1>Mug shop</h1>
    <leuria-connect-button></leuria-connect-button>
    <leuria-ai-status></leuria-ai-status>
    <div data-testid="messages"></div>
    <p data-testid="hint"></p>
    <p data-testid="error" role="alert"></p>
    <form data-testid="form"><label>Your question <input></label> <button>Send</button></form>
    <p><button data-testid="hold">Hold the tool</button> <button data-testid="let-go">Let the tool go</button></p>
    <p><a href="/other">Another page</a></p>
  </main>
  <script type="module" src="/page.js"></script>
</html>`

const OTHER =
  '<!doctype html><html lang="en"><title>Another page</title><link rel="icon" href="data:,"><h1>Another page</h1></html>'

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('talk-page.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['@leuria/source'],
    write: false,
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

export interface TalkSite extends AsyncDisposable {
  readonly origin: string
  /** The address on which the visitor answers the newest question. */
  approveUrl(): Promise<string>
  /** Runs a command of the visitor's in another terminal. */
  leuria(...args: readonly string[]): Promise<void>
  /** The engine's process dies without a word. */
  killEngine(): Promise<void>
  /** Starts it (again), on the same port and with the same home. */
  startEngine(): Promise<void>
}

class Engine {
  #child: ChildProcess | null = null
  #events: {
    events: readonly ProcessEvent[]
    next: (fits: (event: ProcessEvent) => boolean) => Promise<unknown>
  } | null = null
  port = 0

  constructor(readonly home: string) {}

  async start(): Promise<void> {
    const args = [LEURIA, 'start', '--port', String(this.port), '--json', '--no-open']
    this.#child = this.#launch(args)
    const followed = followProgram(this.#child, (line) => z.parse(processEvent, line))
    this.#events = followed
    const ready = z.parse(readyEvent, await followed.next((event) => event.event === 'ready'))
    this.port = Number(new URL(ready.url).port)
  }

  async kill(): Promise<void> {
    const child = this.#child
    this.#child = null
    if (child === null || child.exitCode !== null) return
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGKILL')
    await ended
  }

  async run(...args: readonly string[]): Promise<void> {
    const child = this.#launch([LEURIA, ...args])
    const code = await new Promise((resolve) => child.once('close', resolve))
    if (code !== 0) throw new Error(`leuria ${args.join(' ')}: exit code ${String(code)}`)
  }

  async approveUrl(): Promise<string> {
    const isQuestion = (event: ProcessEvent): boolean => event.event === 'pairing'
    await this.#events?.next(isQuestion)
    const newest = this.#events?.events.findLast(isQuestion)
    return newest?.event === 'pairing' ? newest.approveUrl : ''
  }

  #launch(args: readonly string[]): ChildProcess {
    const env = { PATH: process.env.PATH, HOME: this.home, LEURIA_HOME: this.home }
    return spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  }
}

/** Engine and page, both running. */
export async function startTalkSite(): Promise<TalkSite> {
  const engine = new Engine(await mkdtemp(join(tmpdir(), 'leuria-talk-')))
  const [script] = await Promise.all([bundle(), engine.start()])
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js'
    const type = isScript ? 'text/javascript' : 'text/html'
    // Nothing here forbids the back/forward cache.
    response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8` })
    const page = request.url === '/other' ? OTHER : html(`http://127.0.0.1:${engine.port}`)
    response.end(isScript ? script : page)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    approveUrl: () => engine.approveUrl(),
    leuria: (...args) => engine.run(...args),
    killEngine: () => engine.kill(),
    startEngine: () => engine.start(),
    async [Symbol.asyncDispose]() {
      await engine.kill()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(engine.home, { recursive: true, force: true })
    },
  }
}
