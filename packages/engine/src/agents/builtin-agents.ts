/** The AIs that this engine brings along: the demo AI, and the models of every service that the visitor has. */
import { AgentError } from '@leuria/agent'
import { createDemoAgent, DEMO_AGENT_NAME } from '@leuria/agent-demo'
import { type AiSettings, chooseModel, modelName, plainName, type ResolvedAi, resolveAi } from '@leuria/ai-choice'
import type { Clock } from '@leuria/clock'
import { parseAgentId } from '@leuria/protocol'
import type { AgentSource } from './agent-source.js'
import type { ModelServices } from './model-services.js'

export interface BuiltinAgentsOptions {
  /** The visitor's settings, from memory. */
  settings: () => AiSettings
  services: ModelServices
  clock: Clock
}

/** The model that was chosen, by whichever rule; `undefined`: the service's own default. */
function chosenModel({ fixedModel, siteModel, configuredModel }: ResolvedAi): string | undefined {
  return fixedModel ?? siteModel ?? configuredModel
}

export function createBuiltinAgents({ settings, services, clock }: BuiltinAgentsOptions): AgentSource {
  const demo = createDemoAgent({ clock })

  /** "Ollama · llama3.2", from what is known right now. */
  const nameOf = (ai: ResolvedAi): string => {
    const id = parseAgentId(ai.id)
    if (id?.kind === 'demo') return DEMO_AGENT_NAME
    if (id?.kind !== 'llm') return ai.id
    const service = services.find(id.provider)
    const model = chosenModel(ai) ?? chooseModel({ models: service?.models().models ?? [] })?.model
    return plainName(service?.name ?? id.provider, model === undefined ? undefined : modelName(model))
  }

  return {
    idFor: (choice) => resolveAi(choice, settings()).id,
    nameFor: (choice) => nameOf(resolveAi(choice, settings())),
    resolve(choice) {
      const ai = resolveAi(choice, settings())
      const id = parseAgentId(ai.id)
      if (id?.kind === 'demo') return Promise.resolve(demo)
      const service = id?.kind === 'llm' ? services.find(id.provider) : undefined
      if (service !== undefined) return Promise.resolve(service.openAgent(chosenModel(ai)))
      return Promise.reject(new AgentError('unavailable', `The AI "${ai.id}" isn't set up here. Choose another one.`))
    },
    find(text) {
      const id = parseAgentId(text)
      if (id?.kind === 'demo') return { id: text, name: DEMO_AGENT_NAME, kind: 'agent' }
      if (id?.kind !== 'llm' || services.find(id.provider) === undefined) return null
      return { id: text, name: nameOf(resolveAi({ agent: text }, settings())), kind: 'llm' }
    },
  }
}
