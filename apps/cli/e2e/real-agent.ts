/**
 * Real agents of other makers, as these tests drive them: pinned, installed by our own registry into a cache, started
 * in our own box, speaking to a scripted model server instead of their own service.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type AcpAgent, createAcpAgent } from '@leuria/agent-acp'
import { openAgentRegistry, RegistryError, type RunnableAgent } from '@leuria/agent-registry'
import { type Box, openBox } from '@leuria/agent-sandbox'
import type { Recipe } from './real-agent-recipes.js'

/** Kept between runs (git ignores it): about 800 MB, half a minute from npm. */
const CACHE = new URL('../../../node_modules/.cache/leuria-agents', import.meta.url).pathname

/** Fetching so much is nothing to do unasked on somebody's own computer. */
const MAY_FETCH = process.env['CI'] !== undefined || process.env['LEURIA_REAL_AGENTS'] === '1'

/** Where its maker's archive would be; the test brings it. */
const ARCHIVE = 'https://archives.invalid/agent.tgz'

function distributionOf({ package: name, version, archive }: Recipe): object {
  if (archive === undefined) return { npx: { package: `${name}@${version}` } }
  return { binary: { 'linux-x86_64': { archive: ARCHIVE, ...archive } } }
}

/** What npm keeps of a package is an archive like any other. */
async function fetchArchive({ package: name, version }: Recipe): Promise<Response> {
  const folder = await mkdtemp(join(tmpdir(), 'leuria-archive-'))
  try {
    await promisify(execFile)('npm', ['pack', `${name}@${version}`, '--pack-destination', folder], { cwd: folder })
    const [file = ''] = await readdir(folder)
    return new Response(await readFile(join(folder, file)))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The agent, installed; or why it can't be had here. Under CI only a too old Node.js is a reason. */
export async function installAgent(recipe: Recipe): Promise<RunnableAgent | { readonly why: string }> {
  const { id, name, version } = recipe
  if (!MAY_FETCH && !existsSync(join(CACHE, id)))
    return { why: `${name} is fetched from npm only under CI, or with LEURIA_REAL_AGENTS=1` }
  if (recipe.archive !== undefined && `${process.platform}-${process.arch}` !== 'linux-x64')
    return { why: `${name} is tested with its program for Linux on x86-64` }
  const entry = { id, name, version, distribution: distributionOf(recipe) }
  const registry = await openAgentRegistry({
    home: join(CACHE, id),
    fetch: (url) => (url === ARCHIVE ? fetchArchive(recipe) : Promise.resolve(Response.json({ agents: [entry] }))),
  })
  try {
    return await registry.install(id)
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    if (error.code !== 'needs_newer_node' && process.env['CI'] !== undefined) throw error
    return { why: error.message }
  } finally {
    await registry.close()
  }
}

export interface BoxedAgent {
  readonly agent: AcpAgent
  readonly box: Box
  readonly log: readonly string[]
  close(): Promise<void>
}

interface BoxPlace {
  readonly modelUrl: string
  readonly visitorHome: string
  /** Where the box has its private folders. @default the system's folder for temporary files */
  readonly scratch?: string
  readonly sandbox?: boolean
}

/** The agent in its box, as an AI. `visitorHome`: what the box keeps from it. */
export async function boxAgent(
  recipe: Recipe,
  installed: RunnableAgent,
  { modelUrl, visitorHome, scratch, sandbox = true }: BoxPlace,
): Promise<BoxedAgent> {
  const log: string[] = []
  const folder = await mkdtemp(join(tmpdir(), 'leuria-settings-'))
  const settings = join(folder, 'settings.json')
  await writeFile(settings, JSON.stringify(recipe.settings?.(modelUrl) ?? {}))
  const env = Object.entries(recipe.env(modelUrl)).map(([key, value]) => [key, value.replace('{settings}', settings)])
  const box = await openBox({
    ...{ readable: [...installed.readable, settings], visitorHome, sandbox },
    ...(scratch === undefined ? {} : { scratchParent: scratch }),
  })
  const agent = createAcpAgent({
    id: installed.id,
    name: installed.name,
    command: installed.command,
    args: [...installed.args, ...(recipe.args?.(modelUrl) ?? [])],
    env: Object.fromEntries(env) as Record<string, string>,
    version: recipe.version,
    authMethod: recipe.authMethod,
    launch: box.launch,
    log: (line) => log.push(line),
  })
  const close = async (): Promise<void> => {
    await agent.close()
    await box.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { agent, box, log, close }
}
