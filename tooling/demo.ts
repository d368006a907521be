// What `npm start` runs once everything is installed: builds, starts the engine with the demo AI through the built
// command line and the demo site through its own server, says where both are, and ends both on Ctrl+C.
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as z from 'zod/mini'
import { exitCodeOf, onStop, run, start, stopChildren } from './child.js'
import { ROOT } from './workspace-facts.js'

/**
 * Where the demo site is served if the port is free: a site keeps its connection only at the same address.
 * `LEURIA_DEMO_PORT` names another one; 0 takes any.
 */
const SITE_PORT = Number(process.env.LEURIA_DEMO_PORT ?? 5170)
/** Both listen within a second; one that doesn't by then never will. */
const READY_LIMIT_MS = 30_000

const ENGINE = join(ROOT, 'apps/cli/dist/leuria.js')
const SITE = join(ROOT, 'apps/demo/dist/serve.js')
const readyEvent = z.object({ event: z.literal('ready'), url: z.string() })

onStop(() => void end(0))

let ending: Promise<never> | undefined

/** What ends it first says how: the children that are stopped then end in ways of their own. */
function end(code: number): Promise<never> {
  ending ??= stopChildren().then(() => process.exit(code))
  return ending
}

async function build(): Promise<void> {
  console.log('Building (half a minute the first time, then cached) ...')
  const { code, output } = await run('turbo', ['run', 'build:ts', 'bundle', '--output-logs=errors-only'], 'keep')
  if (code === 0 && existsSync(ENGINE) && existsSync(SITE)) return
  console.error(output.trimEnd())
  await end(code === 0 ? 1 : code)
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

/** Starts a program that says `ready` on a line of JSON; resolves with its address. When it ends, so do we. */
function startProgram(name: string, args: readonly string[]): Promise<string> {
  console.log(`Starting ${name} ...`)
  const program = start(process.execPath, args, ['ignore', 'pipe', 'inherit'])
  program.on('close', (code, signal) => void end(code ?? exitCodeOf(signal)))
  const { stdout } = program
  if (!stdout) throw new Error(`${name} was started without a pipe for its events`)
  const limit = setTimeout(() => {
    console.error(`${name} did not start within ${READY_LIMIT_MS / 1_000} s.`)
    void end(1)
  }, READY_LIMIT_MS)
  return new Promise((resolve) => {
    createInterface({ input: stdout }).on('line', (line) => {
      const ready = readyEvent.safeParse(parseJson(line))
      if (!ready.success) return
      clearTimeout(limit)
      resolve(ready.data.url)
    })
  })
}

/** The port if nobody has it, else 0. Somebody may take it in between; the site then says so. */
function freeOrAny(port: number): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(0))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(port)))
  })
}

await build()
// Its words for people, the address of each question among them, go to our stderr.
const engineUrl = await startProgram('the engine', [
  ENGINE,
  'start',
  '--agent',
  'demo',
  '--open',
  '--json',
  ...process.argv.slice(2),
])
const siteUrl = await startProgram('the demo shop', [
  SITE,
  '--port',
  String(await freeOrAny(SITE_PORT)),
  '--engine',
  engineUrl,
  '--json',
])
console.log(`
  Demo shop   ${siteUrl}
  Engine      ${engineUrl}

What to do next:
  1. Open the demo shop in your browser and press Connect.
  2. A tab opens that asks you; press Allow. (No tab? Its address is printed here.)
  3. Ask for a blue mug.
  4. Look at the other pages: Notebook, Order desk, Picture.
Stop with Ctrl+C.
`)
