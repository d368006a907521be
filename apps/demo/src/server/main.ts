/**
 * `node dist/serve.js [--port N] [--engine URL] [--json]`: serves the built demo site and prints its address; with `--json`
 * as `{"event":"ready","url":…}` on one line. Ends on SIGINT and SIGTERM.
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { serveSite, type Site } from './serve-site.js'

/** The engine's own default; the page has it from `@leuria/client`, which is for browsers. */
const DEFAULT_ENGINE_URL = 'http://127.0.0.1:19570'

function fail(words: string): never {
  console.error(words)
  process.exit(1)
}

function readOptions(): { port: number; engineUrl: string; json: boolean } {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string', default: '0' },
        engine: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    })
    const port = Number(values.port)
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      return fail(`--port must be a number from 0 to 65535, not ${values.port}.`)
    const engineUrl = values.engine ?? DEFAULT_ENGINE_URL
    if (!URL.canParse(engineUrl))
      return fail(`--engine must be an address such as ${DEFAULT_ENGINE_URL}, not ${engineUrl}.`)
    return { port, engineUrl, json: values.json }
  } catch (error) {
    return fail(error instanceof Error ? error.message : 'The options could not be read.')
  }
}

async function main(): Promise<void> {
  const { port, engineUrl, json } = readOptions()
  const folder = fileURLToPath(new URL('./site', import.meta.url))
  const site = await serveSite({ folder, engineUrl, port }).catch((error: unknown): Site => {
    return fail(sayFailure(error, port))
  })
  console.log(json ? JSON.stringify({ event: 'ready', url: site.url }) : `Small Kiln is open at ${site.url}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      void site.close().then(() => process.exit(0))
    })
  }
}

function sayFailure(error: unknown, port: number): string {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return `Port ${port} is taken. Choose another with --port, or 0 for a free one.`
  }
  return error instanceof Error ? error.message : 'The site could not be served.'
}

await main()
