/** The built engine and the built shop as processes, on free ports and a temporary home, as `npm start` runs them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { processEvent, type ProcessEvent, readyEvent } from '@leuria/protocol'
import { followProgram } from '@leuria/testing/program-events'
import * as z from 'zod/mini'

const LEURIA = fileURLToPath(new URL('../../cli/dist/leuria.js', import.meta.url))
const SHOP = fileURLToPath(new URL('../dist/serve.js', import.meta.url))

const siteReady = z.object({ event: z.literal('ready'), url: z.string() })

export interface RunningSystem extends AsyncDisposable {
  /** The shop's address; with a slash at the end. */
  readonly shopUrl: string
  readonly origin: string
  readonly engineUrl: string
  /** The address on which the visitor answers the newest question. */
  approveUrl(): Promise<string>
  /** Runs a command of the visitor's in another terminal; gives what it printed. */
  leuria(...args: readonly string[]): Promise<string>
}

type Env = Readonly<Record<string, string>>

function launch(script: string, args: readonly string[], { home, env }: { home: string; env?: Env }): ChildProcess {
  return spawn(process.execPath, [script, ...args], {
    env: { PATH: process.env.PATH, HOME: home, LEURIA_HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function finished(child: ChildProcess): Promise<string> {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.on('close', (code) => {
      if (code === 0) resolve(text)
      else reject(new Error(`exit code ${code}: ${text}`))
    })
  })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGINT')
  await ended
}

function startEngine(args: readonly string[], where: { home: string; env?: Env }) {
  const child = launch(LEURIA, ['start', '--port', '0', '--json', '--no-open', ...args], where)
  return { child, ...followProgram(child, (line) => z.parse(processEvent, line)) }
}

async function startShop(home: string, engineUrl: string): Promise<{ child: ChildProcess; url: string }> {
  const child = launch(SHOP, ['--engine', engineUrl, '--json'], { home })
  const { url } = await followProgram(child, (line) => z.parse(siteReady, line)).next(() => true)
  return { child, url }
}

/** @param options.before runs with the home before the engine starts: saved services, settings; `env` is the engine's */
export async function startSystem(
  options: { args?: readonly string[]; before?: readonly (readonly string[])[]; env?: Env } = {},
): Promise<RunningSystem> {
  const home = await mkdtemp(join(tmpdir(), 'leuria-system-'))
  const where = { home, env: options.env }
  const leuria = (...args: readonly string[]): Promise<string> => finished(launch(LEURIA, args, where))
  for (const command of options.before ?? []) await leuria(...command)
  const engine = startEngine(options.args ?? [], where)
  const ready = z.parse(readyEvent, await engine.next((event) => event.event === 'ready'))
  const shop = await startShop(home, ready.url)
  return {
    shopUrl: shop.url,
    origin: new URL(shop.url).origin,
    engineUrl: ready.url,
    leuria,
    async approveUrl() {
      const isQuestion = (event: ProcessEvent): boolean => event.event === 'pairing'
      await engine.next(isQuestion)
      const newest = engine.events.findLast(isQuestion)
      return newest?.event === 'pairing' ? newest.approveUrl : ''
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([stop(shop.child), stop(engine.child)])
      await rm(home, { recursive: true, force: true })
    },
  }
}
