/** Asks a service which models it has. The list is optional: not every service keeps one. */
import type { AgentError, ModelInfo } from '@leuria/agent'
import type { Clock } from '@leuria/clock'
import { requestJson } from '@leuria/language-model'
import { readModelList } from './model-info.js'
import type { OpenAiProvider } from './provider-entry.js'

/** Local services answer in milliseconds, far ones within a second or two. */
export const LIST_LIMIT_MS = 5_000

/** `models` is `null` where the service answers but keeps no list. */
export type ModelListing = { ok: true; models: readonly ModelInfo[] | null } | { ok: false; error: AgentError }

export interface ListOptions {
  clock: Clock
  signal?: AbortSignal
  /** @default 5 s */
  limitMs?: number
}

/**
 * Reads `GET /models`. Only a refused key (401, 403) and a service that can't be reached are failures:
 * any other answer says that something is there, and the chat itself will tell. Never rejects.
 */
export async function listModels(provider: OpenAiProvider, options: ListOptions): Promise<ModelListing> {
  const { name, baseUrl, apiKey, headers } = provider
  const { clock, signal, limitMs = LIST_LIMIT_MS } = options
  const reply = await requestJson({
    url: `${baseUrl}/models`,
    serviceName: name,
    clock,
    limitMs,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(headers === undefined ? {} : { headers }),
    ...(signal === undefined ? {} : { signal }),
  })
  if (reply.ok) return { ok: true, models: readModelList(reply.value, baseUrl) }
  const { status, error } = reply
  const failed = status === 0 || status === 401 || status === 403
  return failed ? { ok: false, error } : { ok: true, models: null }
}
