/**
 * `LEURIA_HOME/agents`: one folder for each installed version, named `<id>@<version>`. Owns how one comes (made aside,
 * moved into place when whole), what is there, and how old ones go. Several programs may do this at once.
 */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createMark, isLeftBehind, openFolder, processMark, retireMark } from '@leuria/state'
import type { Entry, RunnableAgent } from './manifest.js'
import { readInstalled, writeManifest } from './manifest.js'
import { agentId, agentVersion } from './registry-document.js'
import { RegistryError } from './registry-error.js'
import { holdVersion, versionsInUse } from './versions-in-use.js'

/** Nobody's id begins like this. */
const ASIDE = '.aside-'
const MARK_NAME = 'owner.json'
const MADE = 'agent'
/** A folder without a readable owner is somebody's first moment, or a leftover when it is older than any install. */
const UNOWNED_STALE_MS = 60 * 60_000

export interface AgentFacts {
  readonly id: string
  readonly name: string
  readonly version: string
}

export interface AgentsFolder {
  /** All versions, of each agent the newest first. */
  installed(): Promise<(RunnableAgent & { version: string })[]>
  /**
   * Has `make` fill an empty folder, and moves it into place. One that is there already is used instead of a second.
   * @throws what `make` throws, or RegistryError `install_failed`; nothing is left then
   */
  add(facts: AgentFacts, installedAt: string, make: (folder: string) => Promise<Entry>): Promise<RunnableAgent>
  /** Removes the versions for which `gone` says so; true when there were any. */
  remove(gone: (agent: AgentFacts, isNewest: boolean) => boolean): Promise<boolean>
  /** Removes older versions that nobody uses, half ones, and what dead processes left. */
  prune(): Promise<void>
  /** Keeps a version from `prune`, in every process, until the returned undo is called. */
  hold(agent: { id: string; version: string }): Promise<() => Promise<void>>
}

export function agentsFolder(home: string): AgentsFolder {
  const root = join(home, 'agents')
  return {
    installed: () => readAll(root),
    add: (facts, installedAt, make) => add(root, { facts, installedAt, make }),
    remove: (gone) => remove(root, gone),
    prune: () => prune(root),
    hold: ({ id, version }) => holdVersion(root, `${id}@${version}`),
  }
}

/** Versions by their numbers, a pre-release before its release: negative when `a` is older. */
export function compareVersions(a: string, b: string): number {
  const [coreA = '', ...preA] = a.split('-')
  const [coreB = '', ...preB] = b.split('-')
  const byCore = coreA.localeCompare(coreB, 'en', { numeric: true })
  if (byCore !== 0) return byCore
  if (preA.length === 0 || preB.length === 0) return preB.length - preA.length
  return preA.join('-').localeCompare(preB.join('-'), 'en', { numeric: true })
}

async function versionFolders(root: string): Promise<{ id: string; version: string; folder: string }[]> {
  const names = await readdir(root).catch(() => [] as string[])
  const found = names.flatMap((name) => {
    const at = name.indexOf('@')
    const [id, version] = [name.slice(0, Math.max(at, 0)), name.slice(at + 1)]
    const isOurs = agentId.safeParse(id).success && agentVersion.safeParse(version).success
    return isOurs ? [{ id, version, folder: join(root, name) }] : []
  })
  return found.sort((a, b) => (a.id === b.id ? compareVersions(b.version, a.version) : a.id < b.id ? -1 : 1))
}

async function readAll(root: string): Promise<(RunnableAgent & { version: string })[]> {
  const agents: (RunnableAgent & { version: string })[] = []
  for (const { folder, ...expected } of await versionFolders(root)) {
    const agent = await readInstalled(folder, expected)
    if (agent !== null) agents.push({ ...agent, version: expected.version })
  }
  return agents
}

interface Addition {
  readonly facts: AgentFacts
  readonly installedAt: string
  readonly make: (folder: string) => Promise<Entry>
}

async function add(root: string, { facts, installedAt, make }: Addition): Promise<RunnableAgent> {
  const finalFolder = join(root, `${facts.id}@${facts.version}`)
  const already = await readInstalled(finalFolder, facts)
  if (already !== null) return already
  const aside = await openAside(root)
  try {
    const folder = join(aside.path, MADE)
    await mkdir(folder, { mode: 0o700 })
    const entry = await make(folder)
    await writeManifest(folder, entry, { ...facts, installedAt, finalFolder })
    if ((await readInstalled(folder, facts)) === null)
      throw new RegistryError('bad_package', `What was installed of ${facts.name} can't be started.`)
    await moveIntoPlace(folder, finalFolder, aside.path)
  } finally {
    await aside.remove()
  }
  const agent = await readInstalled(finalFolder, facts)
  if (agent === null) throw new RegistryError('install_failed', `${facts.name} vanished while it was installed.`)
  return agent
}

/** A folder that says whose it is, so that others can tell when its owner is gone. */
async function openAside(root: string): Promise<{ path: string; remove(): Promise<void> }> {
  await openFolder(root)
  const path = await mkdtemp(join(root, ASIDE))
  const mark = createMark()
  await writeFile(join(path, MARK_NAME), JSON.stringify(mark))
  return {
    path,
    remove: async () => {
      await removeTree(path)
      retireMark(mark)
    },
  }
}

/** What stands in the way is either as good (another program was faster) or broken (no manifest), and is moved out. */
async function moveIntoPlace(from: string, to: string, aside: string): Promise<void> {
  try {
    await rename(from, to)
    return
  } catch {
    await rename(to, join(aside, 'old')).catch(() => undefined)
  }
  await rename(from, to).catch((cause: unknown) => {
    throw new RegistryError('install_failed', `${to} can't be written.`, { cause })
  })
}

async function remove(root: string, gone: (agent: AgentFacts, isNewest: boolean) => boolean): Promise<boolean> {
  const seen = new Set<string>()
  let removed = false
  for (const { id, version, folder } of await versionFolders(root)) {
    const isWhole = (await readInstalled(folder, { id, version })) !== null
    const isNewest = isWhole && !seen.has(id)
    if (isWhole) seen.add(id)
    if (!gone({ id, version, name: id }, isNewest)) continue
    // Moved first: half of a removed agent must not look installed.
    const aside = await openAside(root)
    await rename(folder, join(aside.path, 'old')).catch(() => undefined)
    await aside.remove()
    removed = true
  }
  return removed
}

async function prune(root: string): Promise<void> {
  await tidy(root)
  const used = await versionsInUse(root)
  await remove(root, ({ id, version }, isNewest) => !isNewest && !used.has(`${id}@${version}`))
}

async function tidy(root: string): Promise<void> {
  for (const name of await readdir(root).catch(() => [] as string[])) {
    const path = join(root, name)
    if (name.startsWith(ASIDE) && (await isLeftover(path))) await removeTree(path)
  }
}

async function isLeftover(path: string): Promise<boolean> {
  try {
    const mark = processMark.safeParse(JSON.parse(await readFile(join(path, MARK_NAME), 'utf8')))
    if (mark.success) return isLeftBehind(mark.data)
  } catch {
    // No owner to read: its age decides.
  }
  const facts = await stat(path).catch(() => null)
  return facts !== null && Date.now() - facts.mtimeMs > UNOWNED_STALE_MS
}

/** Best effort: what can't be removed is looked at again by the next `tidy`. */
async function removeTree(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }).catch(() => undefined)
}
