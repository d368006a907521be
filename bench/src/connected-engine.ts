/** The built command line with one connected site (or many), as a visitor would have it. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type MeasuredProcess, startMeasured } from './measured-process.js'

export const LEURIA = fileURLToPath(new URL('../../apps/cli/dist/leuria.js', import.meta.url))
export const ORIGIN = 'https://site-0.example'

export interface ConnectedEngine {
  readonly engine: MeasuredProcess
  /** The grant token of `ORIGIN`. */
  readonly token: string
  stop: () => Promise<void>
}

/** A home in which so many sites are connected. */
async function makeHome(sites: number): Promise<{ home: string; token: string }> {
  const home = await mkdtemp(join(tmpdir(), 'leuria-bench-'))
  const tokens = Array.from({ length: sites }, () => randomBytes(32).toString('base64url'))
  const grants = tokens.map((token, site) => ({
    origin: `https://site-${site}.example`,
    tokenHash: createHash('sha256').update(token).digest('hex'),
    createdAt: new Date().toISOString(),
  }))
  await writeFile(join(home, 'grants.json'), JSON.stringify({ version: 1, grants }), { mode: 0o600 })
  return { home, token: tokens[0] ?? '' }
}

export async function startConnectedEngine(sites = 1): Promise<ConnectedEngine> {
  const { home, token } = await makeHome(sites)
  const engine = await startMeasured({
    script: LEURIA,
    args: ['start', '--port', '0', '--json', '--no-open'],
    env: { LEURIA_HOME: home, HOME: home },
  })
  return {
    engine,
    token,
    async stop() {
      await engine.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}
