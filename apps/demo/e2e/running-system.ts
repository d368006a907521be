/** The built engine and the built shop as processes, on free ports and a temporary home, as `npm start` runs them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { errorEvent, processEvent, type ProcessEvent, readyEvent } from '@leuria/protocol'
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

function launch(script: string, args: readonly string[], home: string): ChildProcess {
  return spawn(process.execPath, [script, ...args], {
    env: { PATH: process.env.PATH, HOME: home, LEURIA_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Every line of JSON that a program prints, as it comes. */
function readLines(child: ChildProcess, onLine: (value: unknown) => void): void {
  if (child.stdout === null) throw new Error('the program was started without a pipe')
  createInterface({ input: child.stdout }).on('line', (line) => {
    onLine(JSON.parse(line))
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

interface Announcing {
  child: ChildProcess
  /** Resolves with the first event, past or to come, that fits. */
  next(fits: (event: ProcessEvent) => boolean): Promise<ProcessEvent>
}

function startEngine(home: string, args: readonly string[]): Announcing {
  const child = launch(LEURIA, ['start', '--port', '0', '--json', '--no-open', ...args], home)
  const events: ProcessEvent[] = []
  const waiting = new Set<() => void>()
  readLines(child, (line) => {
    events.push(z.parse(processEvent, line))
    for (const look of waiting) look()
  })
  return {
    child,
    next: (fits) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = events.findLast((event) => fits(event))
          if (found !== undefined) resolve(found)
          else if (events.some((event) => z.safeParse(errorEvent, event).success))
            reject(new Error(JSON.stringify(events)))
        }
        waiting.add(look)
        look()
      }),
  }
}

async function startShop(home: string, engineUrl: string): Promise<{ child: ChildProcess; url: string }> {
  const child = launch(SHOP, ['--engine', engineUrl, '--json'], home)
  const url = await new Promise<string>((resolve) => {
    readLines(child, (line) => {
      resolve(z.parse(siteReady, line).url)
    })
  })
  return { child, url }
}

/** @param options.before runs with the home before the engine starts: saved services, settings */
export async function startSystem(
  options: { args?: readonly string[]; before?: readonly (readonly string[])[] } = {},
): Promise<RunningSystem> {
  const home = await mkdtemp(join(tmpdir(), 'leuria-system-'))
  const leuria = (...args: readonly string[]): Promise<string> => finished(launch(LEURIA, args, home))
  for (const command of options.before ?? []) await leuria(...command)
  const engine = startEngine(home, options.args ?? [])
  const ready = z.parse(readyEvent, await engine.next((event) => event.event === 'ready'))
  const shop = await startShop(home, ready.url)
  return {
    shopUrl: shop.url,
    origin: new URL(shop.url).origin,
    engineUrl: ready.url,
    leuria,
    async approveUrl() {
      const asked = await engine.next((event) => event.event === 'pairing')
      return asked.event === 'pairing' ? asked.approveUrl : ''
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([stop(shop.child), stop(engine.child)])
      await rm(home, { recursive: true, force: true })
    },
  }
}
