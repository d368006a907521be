/** The visitor's AIs as people and the app see them: which there are, what each can do, and why one can't be used. From memory. */
import type { ModelInfo, ModelService, ServiceKind } from '@leuria/agent'
import { DEMO_AGENT_NAME } from '@leuria/agent-demo'
import { type AiSettings, chooseModel, modelName, type ResolvedAi, resolveAi } from '@leuria/ai-choice'
import { findModel } from '@leuria/language-model'
import { DEMO_AGENT_ID, parseAgentId } from '@leuria/protocol'
import type { AgentFacts } from './agent-source.js'

export interface ListedModel extends ModelInfo {
  /** Its AI answers with it unless a site has another choice. */
  default: boolean
}

export interface ListedAi {
  /** `demo`, `llm:ollama`; for a default that isn't set up, as it was chosen. */
  id: string
  kind: 'demo' | 'llm' | 'agent'
  name: string
  /** The visitor's default AI. */
  default: boolean
  usable: boolean
  /** Why it can't be used, or can't be read right now, in words for people. */
  problem?: string
  /** Of `llm` only. */
  service?: { id: string; kind: ServiceKind; baseUrl: string }
  /** The model it answers with, unless a site has another choice. Absent: it has none, or none is known. */
  model?: string
  models: readonly ListedModel[]
}

export interface AiListParts {
  services: readonly ModelService[]
  /** Agents that can be started here. */
  agents: readonly AgentFacts[]
  settings: AiSettings
}

/** The demo AI, then agents, then the services in the visitor's order; last, a default that isn't set up here. */
export function listAis({ services, agents, settings }: AiListParts): ListedAi[] {
  const chosen = resolveAi(null, settings)
  const id = parseAgentId(chosen.id)
  const demo: ListedAi = {
    id: DEMO_AGENT_ID,
    kind: 'demo',
    name: DEMO_AGENT_NAME,
    default: id?.kind === 'demo',
    usable: true,
    models: [],
  }
  const listed = services.map((service) => {
    const isDefault = id?.kind === 'llm' && id.provider === service.id
    return listService(service, isDefault ? chosen : resolveAi({ agent: `llm:${service.id}` }, settings), isDefault)
  })
  const all = [demo, ...agents.map((agent) => listAgent(agent, chosen)), ...listed]
  return all.some((ai) => ai.default) ? all : [...all, missing(chosen.id)]
}

/** Whether it is signed in shows when it is asked something; its own program says so then. */
function listAgent({ id, name }: AgentFacts, chosen: ResolvedAi): ListedAi {
  const model = chosen.id === id ? chosen.configuredModel : undefined
  return {
    ...{ id, kind: 'agent', name, default: chosen.id === id, usable: true, models: [] },
    ...(model === undefined ? {} : { model }),
  }
}

function listService(service: ModelService, ai: ResolvedAi, isDefault: boolean): ListedAi {
  const { id, kind, baseUrl } = service
  const { models, problem } = service.models()
  const wanted = ai.fixedModel ?? ai.configuredModel
  const named = chooseModel({ fixed: wanted, models })?.model
  // As the service spells it: `llama3.2` may be its `llama3.2:latest`.
  const model = named === undefined ? undefined : (findModel(models, named)?.id ?? named)
  const trouble = troubleOf(service, model)
  const words = trouble ?? problem
  return {
    id: `llm:${id}`,
    kind: 'llm',
    name: service.name,
    default: isDefault,
    usable: trouble === null,
    ...(words === undefined ? {} : { problem: words }),
    service: { id, kind, baseUrl },
    ...(model === undefined ? {} : { model }),
    models: models.map((info) => ({ ...info, default: info.id === model })),
  }
}

/** Why a question would fail right now. `null`: nothing is known against it. */
function troubleOf(service: ModelService, model: string | undefined): string | null {
  const { state, models, problem } = service.models()
  if (state === 'unavailable') return problem ?? `${service.name} can't be reached.`
  if (model === undefined) {
    if (state === 'unknown') return null
    return service.kind === 'openai'
      ? `${service.name} lists no model to talk to. Choose one by its name.`
      : `${service.name} has no model to talk to.`
  }
  const info = models.find(({ id }) => id === model)
  if (info?.type === 'embedding') return `${modelName(model)} only turns texts into numbers; it can't talk.`
  // Many services list less than they have; Ollama and LM Studio list all.
  const isGone = info === undefined && state === 'running' && service.kind !== 'openai'
  return isGone ? `${service.name} doesn't have the model ${model}.` : null
}

function missing(id: string): ListedAi {
  const kind = parseAgentId(id)?.kind === 'llm' ? 'llm' : 'agent'
  return { id, kind, name: id, default: true, usable: false, problem: `"${id}" isn't set up here.`, models: [] }
}
