/**
 * The file that makes a folder an installed agent: `leuria-agent.json`, written last. Owns its format and what a
 * manifest is worth: paths in it are believed only when they lead to something inside the folder.
 */
import { open, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import * as z from 'zod/mini'
import { containedPath, isInside } from './contained-path.js'
import { agentId, agentVersion } from './registry-document.js'

export const MANIFEST_NAME = 'leuria-agent.json'

/** How an entry is started: by this program's own Node.js, by itself, or by the Python beside it. */
export const ENTRY_RUNTIMES = ['node', 'program', 'python'] as const

/**
 * `dir`, `command` and `launchArgs` are what other engines read and write; `entry` and `runtime` are ours, and win: a
 * moved folder or a new Node.js leaves them right.
 */
const manifestFile = z.looseObject({
  id: agentId,
  name: z.string(),
  version: agentVersion,
  dir: z.optional(z.string()),
  command: z.optional(z.string()),
  launchArgs: z.optional(z.array(z.string())),
  args: z._default(z.array(z.string()), []),
  env: z._default(z.record(z.string(), z.string()), {}),
  runtime: z.optional(z.enum(ENTRY_RUNTIMES)),
  /** Relative to the folder, with `/`. */
  entry: z.optional(z.string()),
  /** What was installed, for people. */
  source: z.optional(z.string()),
  /** ISO 8601. */
  installedAt: z.optional(z.string()),
})
type ManifestFile = z.infer<typeof manifestFile>

/** What an installer leaves in its folder. */
export interface Entry {
  readonly runtime: (typeof ENTRY_RUNTIMES)[number]
  /** Relative, with `/`. */
  readonly entry: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly source: string
}

/** An agent that can be started. */
export interface RunnableAgent {
  readonly id: string
  readonly name: string
  /** Null: not known without running it. */
  readonly version: string | null
  /** Installed here, found on the computer, or added by the visitor. Only the first is a version that was checked. */
  readonly origin: 'installed' | 'found' | 'own'
  /** Absolute. */
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Absolute paths that it needs to read to run: what a box must show. */
  readonly readable: readonly string[]
}

interface ManifestFacts {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly installedAt: string
  /** Where the folder will be: it is written before it is moved there. */
  readonly finalFolder: string
}

/** Writes the manifest into `folder` so that it survives a power cut. */
export async function writeManifest(folder: string, entry: Entry, facts: ManifestFacts): Promise<void> {
  const { finalFolder, ...own } = facts
  const path = join(finalFolder, entry.entry)
  const start =
    entry.runtime === 'node' ? { command: process.execPath, launchArgs: [path] } : { command: path, launchArgs: [] }
  const content = { ...own, dir: finalFolder, ...start, ...entry }
  const handle = await open(join(folder, MANIFEST_NAME), 'wx', 0o600)
  try {
    await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The agent installed in `folder`, or null: no manifest, one that can't be read, or one that names what isn't there. */
export async function readInstalled(folder: string, expected: { id: string; version: string }) {
  const manifest = await readManifest(folder)
  if (manifest === null || manifest.id !== expected.id || manifest.version !== expected.version) return null
  const entry = entryOf(manifest, folder)
  if (entry === null) return null
  const path = await insideFile(folder, entry)
  return path === null ? null : runnable(manifest, folder, path)
}

async function readManifest(folder: string): Promise<ManifestFile | null> {
  try {
    const read = manifestFile.safeParse(JSON.parse(await readFile(join(folder, MANIFEST_NAME), 'utf8')))
    return read.success ? read.data : null
  } catch {
    return null
  }
}

function entryOf(manifest: ManifestFile, folder: string): string | null {
  if (manifest.entry !== undefined) return containedPath(manifest.entry)
  const { dir = folder, launchArgs = [], command } = manifest
  const path = launchArgs[0] ?? command
  if (path === undefined || !isInside(dir, resolve(dir, path))) return null
  return relative(dir, resolve(dir, path))
}

/** Links followed (npm makes some), but not out. */
async function insideFile(folder: string, entry: string): Promise<string | null> {
  try {
    const path = join(folder, entry)
    if (!isInside(await realpath(folder), await realpath(path))) return null
    return (await stat(path)).isFile() ? path : null
  } catch {
    return null
  }
}

async function runnable(manifest: ManifestFile, folder: string, path: string): Promise<RunnableAgent> {
  const { id, name, version, args, env } = manifest
  const isNode =
    manifest.runtime === 'node' || (manifest.runtime === undefined && (manifest.launchArgs ?? []).length > 0)
  const start = isNode ? { command: process.execPath, args: [path, ...args] } : { command: path, args }
  const readable = manifest.runtime === 'python' ? [folder, ...(await pythonOf(path))] : [folder]
  return { id, name, version, origin: 'installed', ...start, env, readable }
}

/** A virtual environment's Python is a link to the one it was made from, with its library beside it. */
async function pythonOf(script: string): Promise<string[]> {
  const real = await realpath(join(dirname(script), 'python')).catch(() => null)
  return real === null ? [] : [dirname(dirname(real))]
}
