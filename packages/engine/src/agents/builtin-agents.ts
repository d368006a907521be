/**
 * The AIs that this engine brings along: the demo AI, and models of the providers the visitor saved.
 * Code that speaks to model services is loaded when a session first needs it: most starts never do.
 */
import { type AgentAdapter, AgentError } from '@leuria/agent'
import { createDemoAgent, DEMO_AGENT_NAME } from '@leuria/agent-demo'
import type { Clock } from '@leuria/clock'
import { type AgentId, DEMO_AGENT_ID, parseAgentId, type Provider } from '@leuria/protocol'
import type { AgentChoice, AgentSource } from './agent-source.js'

export interface BuiltinAgentsOptions {
  /** The visitor's default AI. @default `demo` */
  defaultAgent(): string | undefined
  /** Saved providers, from memory. */
  providers(): readonly Provider[]
  clock: Clock
}

type ModelId = Extract<AgentId, { kind: 'llm' }>

/** The last part of a model's id is what people call it. */
function modelName(model: string): string {
  return model.slice(model.lastIndexOf('/') + 1)
}

/** A model that was chosen for this very AI; one chosen for another AI doesn't count. */
function chosenModel(choice: AgentChoice | null, agent: string): string | undefined {
  const model = choice?.model
  if (typeof model === 'string') return model
  if (typeof model !== 'object' || model === null || !('agent' in model) || !('id' in model)) return undefined
  return model.agent === agent && typeof model.id === 'string' ? model.id : undefined
}

export function createBuiltinAgents(options: BuiltinAgentsOptions): AgentSource {
  const demo = createDemoAgent({ clock: options.clock })
  const idFor = (choice: AgentChoice | null): string => choice?.agent ?? options.defaultAgent() ?? DEMO_AGENT_ID
  const providerOf = (id: ModelId): Provider | undefined =>
    options.providers().find((provider) => provider.id === id.provider)

  const openModel = async (id: ModelId, model: string | undefined): Promise<AgentAdapter> => {
    const provider = providerOf(id)
    if (provider === undefined) {
      throw new AgentError('unavailable', `The AI service "${id.provider}" isn't set up any more. Choose another AI.`)
    }
    if (model === undefined) throw new AgentError('model_missing', `Choose a model of ${provider.name} first.`)
    const { createOpenAiAgent } = await import('@leuria/agent-openai')
    return createOpenAiAgent({ provider, model, clock: options.clock })
  }

  const nameFor = (choice: AgentChoice | null): string => {
    const text = idFor(choice)
    const id = parseAgentId(text)
    if (id?.kind === 'demo') return DEMO_AGENT_NAME
    if (id?.kind !== 'llm') return text
    const service = providerOf(id)?.name ?? id.provider
    const model = id.model ?? chosenModel(choice, text)
    return model === undefined ? service : `${service} · ${modelName(model)}`
  }

  return {
    idFor,
    nameFor,
    async resolve(choice) {
      const text = idFor(choice)
      const id = parseAgentId(text)
      if (id?.kind === 'demo') return demo
      if (id?.kind === 'llm') return openModel(id, id.model ?? chosenModel(choice, text))
      throw new AgentError('unavailable', `The AI "${text}" isn't known here. Choose another one.`)
    },
    find(text) {
      const id = parseAgentId(text)
      if (id?.kind === 'demo') return { id: text, name: DEMO_AGENT_NAME, kind: 'agent' }
      if (id?.kind !== 'llm' || providerOf(id) === undefined) return null
      return { id: text, name: nameFor({ agent: text }), kind: 'llm' }
    },
  }
}
