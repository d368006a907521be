/** A model of an OpenAI-compatible service as an AI: checks at the start that it can answer, then hands over to the tool loop. */
import { type AgentAdapter, AgentError, type AgentSession, type ModelInfo, type OpenOptions } from '@leuria/agent'
import type { Clock } from '@leuria/clock'
import { createOpenAiModel, openModelSession } from '@leuria/language-model'
import { formatModelId } from '@leuria/protocol'
import { listModels } from './list-models.js'
import type { OpenAiProvider } from './provider-entry.js'

export interface OpenAiAgentOptions {
  provider: OpenAiProvider
  /** Absent: the model chosen for the session, else the first chat model that the service lists. */
  model?: string
  clock: Clock
}

/** Makes the adapter. Nothing is asked of the service before a session opens. */
export function createOpenAiAgent(options: OpenAiAgentOptions): AgentAdapter {
  const { provider, model } = options
  return {
    id: model === undefined ? `llm:${provider.id}` : formatModelId(provider.id, model),
    name: model === undefined ? provider.name : `${provider.name} · ${model.slice(model.lastIndexOf('/') + 1)}`,
    open: async (open) => openSession(options, open),
  }
}

async function openSession({ provider, model, clock }: OpenAiAgentOptions, open: OpenOptions): Promise<AgentSession> {
  const listing = await listModels(provider, { clock, signal: open.signal })
  if (!listing.ok) throw listing.error
  const models = listing.models ?? []
  const id = model ?? open.model ?? models.find(({ type }) => type === 'chat')?.id
  if (id === undefined)
    throw new AgentError('model_missing', `${provider.name} lists no model to talk to. Choose one by its name.`)
  return openModelSession({
    model: createOpenAiModel({
      baseUrl: provider.baseUrl,
      model: id,
      serviceName: provider.name,
      clock,
      facts: factsOf(models.find((listed) => listed.id === id)),
      ...(provider.apiKey === undefined ? {} : { apiKey: provider.apiKey }),
      ...(provider.headers === undefined ? {} : { headers: provider.headers }),
    }),
    tools: open.tools,
    ...(open.systemPrompt === undefined ? {} : { systemPrompt: open.systemPrompt }),
    ...(open.maxTurns === undefined ? {} : { maxTurns: open.maxTurns }),
  })
}

/** A model that isn't listed may exist all the same: many services list less than they have. */
function factsOf(info: ModelInfo | undefined): { images?: boolean; contextTokens?: number } {
  if (info === undefined) return {}
  const { images, contextTokens } = info
  return { ...(images === undefined ? {} : { images }), ...(contextTokens === undefined ? {} : { contextTokens }) }
}
