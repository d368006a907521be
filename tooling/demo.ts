// What `npm start` runs once everything is installed: builds, starts the engine with the demo AI through the built
// command line, serves the built demo site, says where both are, and ends both on Ctrl+C.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as z from 'zod/mini'
import { exitCodeOf, onStop, run, start, stopChildren } from './child.js'
import { serveSite } from './static-site.js'
import { ROOT } from './workspace-facts.js'

/** Where the demo site is served if the port is free; else the next free one. */
const SITE_PORT = 5170

/** The engine listens within a second; one that doesn't by then never will. */
const READY_LIMIT_MS = 30_000

const cli = join(ROOT, 'apps/cli/dist/leuria.js')
const readyEvent = z.object({ event: z.literal('ready'), url: z.string() })

onStop(() => void end(0))

async function end(code: number): Promise<never> {
  await stopChildren()
  process.exit(code)
}

async function build(): Promise<void> {
  console.log('Building (half a minute the first time, then cached) ...')
  const { code, output } = await run('turbo', ['run', 'build:ts', 'bundle', '--output-logs=errors-only'], 'keep')
  if (code === 0 && existsSync(cli)) return
  console.error(output.trimEnd())
  await end(code === 0 ? 1 : code)
}

/** Starts the engine; resolves its URL once it listens. Its own words go to our stderr. */
function startEngine(): Promise<string> {
  console.log('Starting the engine ...')
  const args = [cli, 'start', '--agent', 'demo', '--no-open', '--json', ...process.argv.slice(2)]
  const engine = start(process.execPath, args, ['ignore', 'pipe', 'inherit'])
  engine.on('close', (code, signal) => void end(code ?? exitCodeOf(signal)))
  const { stdout } = engine
  if (!stdout) throw new Error('the engine was started without a pipe for its events')
  const limit = setTimeout(() => {
    console.error(`The engine did not start within ${READY_LIMIT_MS / 1_000} s.`)
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

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

await build()
const engineUrl = await startEngine()
const site = await serveSite(join(ROOT, 'apps/demo/dist'), SITE_PORT)
console.log(`
  Demo shop   ${site.url}
  Engine      ${engineUrl}

Open the demo shop, press Connect, allow it on the page that opens, then ask for a blue mug.
Stop with Ctrl+C.
`)
