/** Asks LM Studio which models it has, what each can do and which are loaded: by the newest of its interfaces that answers. */
import { AgentError } from '@leuria/agent'
import { isLoopbackUrl, type JsonReply } from '@leuria/language-model'
import { type ListedModel, readOpenAi, readV0, readV1 } from './lm-studio-api.js'

/** Sends a request: a path under its root, and what to post. */
export type AskLmStudio = (
  path: string,
  options: { body?: unknown; signal: AbortSignal; limitMs?: number },
) => Promise<JsonReply>

/** One look: what it has, and whether it can be told to load. */
export interface Inventory {
  models: readonly ListedModel[]
  /** It has the interface by which models are loaded and unloaded. */
  loads: boolean
}

const LISTS = [
  { path: '/api/v1/models', read: readV1, loads: true },
  { path: '/api/v0/models', read: readV0, loads: false },
  { path: '/v1/models', read: readOpenAi, loads: false },
] as const

/** @throws AgentError when nothing answers, or something that isn't LM Studio */
export async function takeInventory(
  options: { ask: AskLmStudio; root: string; serviceName: string },
  signal: AbortSignal,
): Promise<Inventory> {
  const local = isLoopbackUrl(options.root)
  let refusal: AgentError | undefined
  for (const { path, read, loads } of LISTS) {
    const reply = await options.ask(path, { signal })
    // Where nothing answers, or a key is refused, the other lists have nothing else to say.
    if (!reply.ok && (reply.status === 0 || reply.status === 401 || reply.status === 403)) throw reply.error
    if (!reply.ok) refusal = reply.error
    const models = reply.ok ? read(reply.value, local) : null
    if (models !== null) return { models, loads }
  }
  throw refusal ?? new AgentError('failed', `What answers at the address of ${options.serviceName} isn't LM Studio.`)
}
