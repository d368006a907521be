/**
 * The agents of this computer as one thing to ask: what there is, what is installed, found or added, and the changes.
 * Joins the list, the folder of installed versions, the PATH and the visitor's own; each is its own file.
 */
import type { Environment } from '@leuria/agent-sandbox'
import { type Clock, systemClock } from '@leuria/clock'
import { openFolder } from '@leuria/state'
import { findOnPath, KNOWN_IDS } from './agents-on-path.js'
import { type AgentsFolder, agentsFolder, compareVersions } from './agents-folder.js'
import { chooseInstaller, type Computer, type InstallWay, waysToInstall } from './choose-installer.js'
import { checkFolder } from './folder-check.js'
import { type InstallQueue, installQueue, type Waiter } from './install-queue.js'
import type { InstallerContext } from './installer.js'
import type { RunnableAgent } from './manifest.js'
import { openOwnAgents, type OwnAgentInput, type OwnAgents } from './own-agents.js'
import { namesOf, type RegistryAgent } from './registry-document.js'
import { RegistryError } from './registry-error.js'
import { type Fetch, openSource, REGISTRY_URL, type RegistryList, type RegistrySource } from './registry-source.js'

export interface RegistryOptions {
  /** `LEURIA_HOME`. */
  readonly home: string
  /** For PATH, and for what installers may see. @default process.env */
  readonly env?: Environment
  /** @default REGISTRY_URL */
  readonly url?: string
  /** @default globalThis.fetch */
  readonly fetch?: Fetch
  /** @default systemClock */
  readonly clock?: Clock
  readonly log?: (line: string) => void
  /** @default this computer */
  readonly computer?: Computer
  /** Commands of npm and uv. @default looked for on this computer */
  readonly tools?: InstallerContext['tools']
}

/** One agent, with everything known of it. */
export interface ListedAgent {
  readonly id: string
  readonly name: string
  readonly description: string
  /** The newest that the registry has; null: it isn't in the list. */
  readonly version: string | null
  /** How it could be installed here, best first. Empty: not at all. */
  readonly ways: readonly InstallWay[]
  /** The newest version installed. */
  readonly installed: (RunnableAgent & { readonly version: string }) | null
  /** On this computer without us. */
  readonly found: RunnableAgent | null
  readonly own: RunnableAgent | null
}

export interface AgentListing {
  readonly agents: readonly ListedAgent[]
  /** Where the list is from; `message` says in words when it could not be fetched. */
  readonly list: Omit<RegistryList, 'agents'>
}

export interface InstallOptions extends Waiter {
  /** Also without a checksum. Ask the visitor first. @default false */
  readonly insist?: boolean
}

export interface AgentRegistry {
  /** All agents: of the list, installed, found, own. Never waits for the network longer than 5 s; never rejects for it. */
  list(options?: { readonly again?: boolean }): Promise<AgentListing>
  /** What to start for an id: the visitor's own, else the newest installed, else the one found. No network is used. */
  find(id: string): Promise<RunnableAgent | null>
  /** What `find` would start, for every agent that there is here. No network is used. */
  startable(): Promise<readonly RunnableAgent[]>
  /** Newest first for each agent. No network is used. */
  installed(): Promise<readonly (RunnableAgent & { readonly version: string })[]>
  /**
   * Installs the list's version, beside older ones. One that is there is used. One installation at a time; those who
   * ask for the same one share it.
   * @throws RegistryError
   */
  install(id: string, options?: InstallOptions): Promise<RunnableAgent>
  /** The same, with the list asked again first; null: there is nothing newer. The old version stays until `prune`. */
  update(id: string, options?: InstallOptions): Promise<RunnableAgent | null>
  /** Removes all installed versions, or the visitor's own of that id. False: there was none. */
  remove(id: string): Promise<boolean>
  /** Adds or replaces one of the visitor's own. @throws RegistryError `invalid`, `taken` */
  addOwn(input: OwnAgentInput): Promise<RunnableAgent>
  /**
   * Removes versions older than the newest of each agent that nobody holds, and what crashed installations left. For the
   * start.
   */
  prune(): Promise<void>
  /**
   * For as long as it runs: no process's `prune` removes this version until the returned undo is called, or this process
   * ends. Look with `find` again afterwards: it may have gone just before.
   */
  hold(agent: RunnableAgent): Promise<() => Promise<void>>
  /** Calls off what is being installed. Idempotent. */
  close(): Promise<void>
}

interface Parts {
  readonly options: Required<Omit<RegistryOptions, 'home'>>
  readonly source: RegistrySource
  readonly folder: AgentsFolder
  readonly own: OwnAgents
  readonly queue: InstallQueue<RunnableAgent>
}

/** @throws StateError when the files in `home` can't be read */
export async function openAgentRegistry(given: RegistryOptions): Promise<AgentRegistry> {
  const { home } = given
  const options = {
    env: given.env ?? process.env,
    url: given.url ?? REGISTRY_URL,
    fetch: given.fetch ?? globalThis.fetch,
    clock: given.clock ?? systemClock,
    log: given.log ?? (() => undefined),
    computer: given.computer ?? { platform: process.platform, arch: process.arch },
    tools: given.tools ?? {},
  }
  await openFolder(home)
  const source = await openSource({ home, ...options })
  const own = await openOwnAgents({ home, ...options })
  const parts: Parts = { options, source, folder: agentsFolder(home), own, queue: installQueue() }
  return registryOf(parts)
}

function registryOf(parts: Parts): AgentRegistry {
  const { source, folder, own, queue } = parts
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    await queue.close()
    await Promise.all([source.close(), own.close()])
  }
  return {
    list: ({ again } = {}) => list(parts, again),
    find: (id) => find(parts, id),
    startable: () => startable(parts),
    installed: () => folder.installed(),
    install: async (id, options = {}) => install(parts, await listed(parts, id, false), options),
    update: (id, options = {}) => update(parts, id, options),
    remove: async (id) => {
      const wasOwn = await own.remove(id)
      return (await folder.remove((agent) => agent.id === id)) || wasOwn
    },
    addOwn: (input) => addOwn(parts, input),
    prune: () => folder.prune(),
    hold: async ({ id, version, origin }) =>
      origin === 'installed' && version !== null ? folder.hold({ id, version }) : () => Promise.resolve(),
    close: () => (closing ??= close()),
  }
}

async function list({ source, folder, own, options }: Parts, again?: boolean): Promise<AgentListing> {
  const { agents, ...rest } = await source.list(again)
  const [installed, found] = await Promise.all([folder.installed(), findOnPath(options.env, agents)])
  const others = [...installed, ...found, ...own.list()]
  const ids = new Set([...agents, ...others].map(({ id }) => id))
  const all = [...ids].map((id): ListedAgent => {
    const entry = agents.find((agent) => agent.id === id)
    const here = others.filter((agent) => agent.id === id)
    return {
      id,
      name: entry?.name ?? here[0]?.name ?? id,
      description: entry?.description ?? '',
      version: entry?.version ?? null,
      ways: entry === undefined ? [] : waysToInstall(entry, options.computer),
      installed: installed.find((agent) => agent.id === id) ?? null,
      found: here.find(({ origin }) => origin === 'found') ?? null,
      own: here.find(({ origin }) => origin === 'own') ?? null,
    }
  })
  return { agents: all, list: rest }
}

async function find({ folder, own, options }: Parts, id: string): Promise<RunnableAgent | null> {
  const names = namesOf(id)
  const isIt = (agent: RunnableAgent): boolean => names.includes(agent.id)
  const mine = own.list().find(isIt) ?? (await folder.installed()).find(isIt)
  return mine ?? (await findOnPath(options.env, [])).find(isIt) ?? null
}

async function startable({ folder, own, options }: Parts): Promise<readonly RunnableAgent[]> {
  const [installed, found] = await Promise.all([folder.installed(), findOnPath(options.env, [])])
  const all = [...own.list(), ...installed, ...found]
  return all.filter(({ id }, at) => all.findIndex((agent) => agent.id === id) === at)
}

/** The list's entry. @throws RegistryError `unknown_agent`, or `offline` when there is no list to look in */
async function listed({ source }: Parts, id: string, again: boolean): Promise<RegistryAgent> {
  const { agents, from, message } = await source.list(again)
  for (const name of namesOf(id)) {
    const entry = agents.find((agent) => agent.id === name)
    if (entry !== undefined) return entry
  }
  if (from === 'none') throw new RegistryError('offline', message ?? 'There is no list of agents.')
  throw new RegistryError('unknown_agent', `There is no agent "${id}" in the list.`)
}

async function install(parts: Parts, entry: RegistryAgent, options: InstallOptions): Promise<RunnableAgent> {
  const { folder, queue, options: own } = parts
  const installer = chooseInstaller(entry, own.computer)
  if (installer === null)
    throw new RegistryError('not_for_this_computer', `${entry.name} has nothing that fits this computer.`)
  const { insist = false } = options
  const { id, name, version } = entry
  const installedAt = own.clock.date().toISOString()
  return queue.run(`${id}@${version} ${insist}`, options, async (signal, onProgress) => {
    const agent = await folder.add({ id, name, version }, installedAt, async (into) => {
      const made = await installer({ ...own, folder: into, signal, onProgress, insist })
      onProgress({ stage: 'checking', message: 'Looking through what came' })
      await checkFolder(into)
      return made
    })
    onProgress({ stage: 'done', message: `${name} ${version} is installed` })
    return agent
  })
}

async function update(parts: Parts, id: string, options: InstallOptions): Promise<RunnableAgent | null> {
  const entry = await listed(parts, id, true)
  const current = (await parts.folder.installed()).find((agent) => agent.id === entry.id)
  if (current !== undefined && compareVersions(current.version, entry.version) >= 0) return null
  return install(parts, entry, options)
}

/** An own agent with a listed one's id would be taken for that one: for what it may do, and for its sign-in. */
async function addOwn({ source, folder, own }: Parts, input: OwnAgentInput): Promise<RunnableAgent> {
  const names = namesOf(input.id)
  const { agents } = await source.list()
  const others = [...agents, ...(await folder.installed())].map(({ id }) => id)
  const isTaken = [...others, ...KNOWN_IDS].some((id) => names.includes(id))
  if (isTaken || input.id === 'demo')
    throw new RegistryError('taken', `"${input.id}" is another agent's id. Choose one of your own.`)
  return own.add(input)
}
