/**
 * The adapter of a service that keeps its models itself and brings them into memory on demand (Ollama, LM Studio):
 * looks at what the service has, settles which model answers, begins to load it, and hands over to the tool loop.
 */
import { type AgentAdapter, AgentError, type AgentSession, type ModelInfo, type OpenOptions } from '@leuria/agent'
import { formatModelId } from '@leuria/protocol'
import type { ChatModel } from './chat-model.js'
import type { ModelList } from './model-list.js'
import { openModelSession } from './model-session.js'
import { prepareModel, type ReadyFacts } from './prepared-model.js'

export interface ServedAgentOptions {
  service: { id: string; name: string }
  /** Absent: the one chosen for the session, else by `choose`. */
  model?: string
  list: ModelList
  /** The id of the model that answers, given what the visitor chose, if anything. `null`: there is none. */
  choose: (models: readonly ModelInfo[], wanted: string | undefined) => string | null
  /** What a visitor can do about a model that isn't there (`null`: about having none at all), as a sentence. */
  advise: (model: string | null) => string
  /** Brings the model into memory, or finds that it is there: says what goes on, returns what is known then. */
  prepare: (model: ModelInfo, signal: AbortSignal) => AsyncGenerator<string, ReadyFacts>
  make: (model: ModelInfo, facts: ReadyFacts) => ChatModel
}

/** Makes the adapter. The service is asked when a session opens, never before. */
export function createServedAgent(options: ServedAgentOptions): AgentAdapter {
  const { service, model } = options
  return {
    id: model === undefined ? `llm:${service.id}` : formatModelId(service.id, model),
    name: model === undefined ? service.name : `${service.name} · ${nameOf(model)}`,
    open: async (open) => openSession(options, open),
  }
}

/** A model by the id that a person or an older file may have written: Ollama's `:latest` may be left out, case doesn't count. */
export function findModel(models: readonly ModelInfo[], id: string): ModelInfo | undefined {
  const same = (wanted: string) => (model: ModelInfo) => model.id.toLowerCase() === wanted.toLowerCase()
  return models.find((model) => model.id === id) ?? models.find(same(id)) ?? models.find(same(`${id}:latest`))
}

const nameOf = (id: string): string => id.slice(id.lastIndexOf('/') + 1).replace(/:latest$/, '')

async function openSession(options: ServedAgentOptions, open: OpenOptions): Promise<AgentSession> {
  const { service, list } = options
  const found = await Promise.race([list.refresh(), ended(open.signal)])
  if (found.state !== 'running') {
    throw new AgentError('unavailable', found.problem ?? `${service.name} can't be reached.`)
  }
  const info = settle(options, found.models, open.model)
  const closing = new AbortController()
  const model = prepareModel({
    serviceName: service.name,
    modelName: info.name,
    facts: factsOf(info),
    prepare: (signal) => options.prepare(info, signal),
    make: (facts) => options.make(info, facts),
  })
  void warm(options.prepare(info, closing.signal))
  const session = openModelSession({
    model,
    tools: open.tools,
    ...(open.systemPrompt === undefined ? {} : { systemPrompt: open.systemPrompt }),
    ...(open.maxTurns === undefined ? {} : { maxTurns: open.maxTurns }),
  })
  return {
    exited: session.exited,
    prompt: (prompt, signal) => session.prompt(prompt, signal),
    async close() {
      closing.abort()
      await session.close()
    },
  }
}

function settle(options: ServedAgentOptions, models: readonly ModelInfo[], chosen: string | undefined): ModelInfo {
  const { service, advise } = options
  const id = options.choose(models, options.model ?? chosen)
  if (id === null) throw new AgentError('model_missing', `${service.name} has no model to talk to. ${advise(null)}`)
  const info = findModel(models, id)
  if (info === undefined) {
    throw new AgentError('model_missing', `${service.name} doesn't have the model ${id}. ${advise(id)}`)
  }
  if (info.type === 'embedding') {
    throw new AgentError(
      'model_missing',
      `${info.name} only turns texts into numbers; it can't talk. Choose another model.`,
    )
  }
  return info
}

function factsOf({ tools, images, contextTokens }: ModelInfo): ReadyFacts {
  return {
    ...(tools === undefined ? {} : { tools }),
    ...(images === undefined ? {} : { images }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
  }
}

/** Begins to load while the visitor still types. What goes wrong is told when the first question needs the model. */
async function warm(steps: AsyncGenerator<string, ReadyFacts>): Promise<void> {
  try {
    while ((await steps.next()).done !== true);
  } catch {
    // The first turn tries again and has somebody to tell.
  }
}

function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = (): void => {
      reject(new AgentError('failed', 'The conversation ended before the AI was ready.'))
    }
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}
