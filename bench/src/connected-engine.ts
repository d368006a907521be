/** The built command line with one connected site (or many), as a visitor would have it. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type MeasuredProcess, startMeasured } from './measured-process.js'

/** BENCH_ENGINE: another build of it, to compare two or to measure a copy while this one is being rebuilt. */
export const LEURIA =
  process.env.BENCH_ENGINE ?? fileURLToPath(new URL('../../apps/cli/dist/leuria.js', import.meta.url))
export const ORIGIN = originOf(0)

export interface ConnectedEngine {
  readonly engine: MeasuredProcess
  /** The grant token of `ORIGIN`. */
  readonly token: string
  /** The origin and grant token of a connected site, by number. */
  site: (place: number) => { origin: string; token: string }
  stop: () => Promise<void>
}

function originOf(site: number): string {
  return `https://site-${site}.example`
}

/** What a connected engine is started with. */
export interface EngineSetup {
  /** How many sites are connected. @default 1 */
  sites?: number
  /** A model server that is the default AI and the embedder. @default the demo AI, no embedder */
  modelUrl?: string
  /** A program that speaks ACP as the default AI, for Node.js. `warm`: one of it stands ready before it is needed. */
  agent?: { script: string; warm: boolean }
  /** With V8's inspector open, for `keptKb`. @default false */
  inspect?: boolean
}

/** A home in which so many sites are connected. */
async function makeHome({ sites = 1, modelUrl, agent }: EngineSetup): Promise<{ home: string; tokens: string[] }> {
  const home = await mkdtemp(join(tmpdir(), 'leuria-bench-'))
  const tokens = Array.from({ length: sites }, () => randomBytes(32).toString('base64url'))
  const grants = tokens.map((token, site) => ({
    origin: originOf(site),
    tokenHash: createHash('sha256').update(token).digest('hex'),
    createdAt: new Date().toISOString(),
  }))
  await writeFile(join(home, 'grants.json'), JSON.stringify({ version: 1, grants }), { mode: 0o600 })
  if (modelUrl !== undefined) {
    const providers = [{ id: 'bench', kind: 'openai', name: 'Bench', baseUrl: `${modelUrl}/v1` }]
    await writeFile(join(home, 'providers.json'), JSON.stringify({ version: 1, providers }), { mode: 0o600 })
    await writeFile(join(home, 'config.json'), JSON.stringify({ version: 1, agent: 'llm:bench' }), { mode: 0o600 })
  }
  if (agent !== undefined) await addAgent(home, agent)
  return { home, tokens }
}

/** As the visitor's own, and trusted: where the machine has no sandbox it runs without. */
async function addAgent(home: string, { script, warm }: NonNullable<EngineSetup['agent']>): Promise<void> {
  const own = { id: 'bench', name: 'Bench', command: process.execPath, args: [script], env: {}, readable: [script] }
  const config = { version: 1, agent: own.id, trusted: [own.id], warm }
  await writeFile(join(home, 'own-agents.json'), JSON.stringify({ version: 1, agents: [own] }), { mode: 0o600 })
  await writeFile(join(home, 'config.json'), JSON.stringify(config), { mode: 0o600 })
}

export async function startConnectedEngine(setup: EngineSetup = {}): Promise<ConnectedEngine> {
  const { home, tokens } = await makeHome(setup)
  const site = (place: number) => ({ origin: originOf(place), token: tokens[place] ?? '' })
  const engine = await startMeasured({
    script: LEURIA,
    inspect: setup.inspect ?? false,
    args: ['start', '--port', '0', '--json', '--no-open'],
    env: { LEURIA_HOME: home, HOME: home, OLLAMA_HOST: setup.modelUrl?.replace('http://', '') ?? '127.0.0.1:9' },
  })
  return {
    engine,
    token: site(0).token,
    site,
    async stop() {
      await engine.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}
