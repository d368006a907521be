/** Getting an AI: one that is there is taken, an agent that isn't is installed, with its progress on the window's feed. */
import type { InstallProgress } from '@leuria/agent-registry'
import { type AgentId, EngineError, parseAgentId } from '@leuria/protocol'
import type { AdminParts } from './admin-parts.js'
import { saved } from './saved.js'

export interface AddedAi {
  id: string
  name: string
  version: string | null
}

/** An archive tells of every chunk; a bar that moves ten times a second is smooth. */
const PROGRESS_EVERY_MS = 100

/** @throws EngineError `bad_request` */
export function readAgentId(text: string): AgentId {
  const id = parseAgentId(text)
  if (id === null) throw new EngineError('bad_request', `"${text}" can't be the id of an AI.`)
  return id
}

/** Puts an installation's progress on the feed: every change of stage, and of the bytes no more than can be seen. */
export function tellInstall(parts: AdminParts, id: string): (progress: InstallProgress) => void {
  let last = { stage: '', atMs: Number.NEGATIVE_INFINITY }
  return ({ stage, message, receivedBytes, totalBytes }) => {
    const atMs = parts.clock.now()
    if (stage === last.stage && atMs - last.atMs < PROGRESS_EVERY_MS) return
    last = { stage, atMs }
    parts.feed.publish({
      ...{ event: 'progress', stage: 'install', id, step: stage, message },
      ...(receivedBytes === undefined ? {} : { receivedBytes }),
      ...(totalBytes === undefined ? {} : { totalBytes }),
    })
  }
}

async function addAgent(parts: AdminParts, id: string, insist: boolean): Promise<AddedAi> {
  const here = await parts.setup.find(id)
  const agent = here ?? (await parts.setup.install(id, { insist, onProgress: tellInstall(parts, id) }))
  await parts.ais.refresh()
  if (here === null) parts.feed.publish({ event: 'ais' })
  return { id: agent.id, name: agent.name, version: agent.version }
}

/** @throws EngineError `bad_request`, `not_found`, `unusable`, `unverified` */
export async function addAi(parts: AdminParts, text: string, insist: boolean): Promise<AddedAi> {
  const id = readAgentId(text)
  if (id.kind === 'agent') return addAgent(parts, id.id, insist)
  const known = parts.agents.find(text)
  if (known === null) throw new EngineError('not_found', `There is no AI "${text}".`)
  return { id: text, name: known.name, version: null }
}

/** @throws EngineError `internal_error` when it can't be saved */
export async function makeDefault(parts: AdminParts, id: string): Promise<void> {
  await saved(parts.config.update((config) => (config.agent === id ? config : { ...config, agent: id })))
}

/** True when a choice leads to this AI: an agent's id, or any model of a service. */
export function isOfAi(choice: string | undefined, id: AgentId): boolean {
  const chosen = choice === undefined ? null : parseAgentId(choice)
  if (chosen === null || chosen.kind !== id.kind) return false
  if (chosen.kind === 'llm') return id.kind === 'llm' && chosen.provider === id.provider
  return chosen.kind === 'demo' || (id.kind === 'agent' && chosen.id === id.id)
}

/** Sites with this AI get the default again, which ends their sessions. */
export async function releaseSites(parts: AdminParts, id: AgentId): Promise<void> {
  const sites = parts.grants.list().filter(({ agent }) => isOfAi(agent, id))
  for (const { origin } of sites) await saved(parts.grants.choose(origin, { agent: null }))
}
