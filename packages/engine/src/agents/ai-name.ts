/** What an AI is called: "Ollama · llama3.2", from what is known right now. */
import type { ModelSnapshot } from '@leuria/agent'
import { DEMO_AGENT_NAME } from '@leuria/agent-demo/name'
import { chooseModel, modelName, plainName, type ResolvedAi } from '@leuria/ai-choice'
import { parseAgentId } from '@leuria/protocol/browser'

/** What is known of services and agents. */
export interface KnownNames {
  service(id: string): { name: string; models(): Pick<ModelSnapshot, 'models'> } | undefined
  agentName(id: string): string | undefined
}

/** The model that was chosen, by whichever rule; `undefined`: the service's own default. */
export function chosenModel({ fixedModel, siteModel, configuredModel }: ResolvedAi): string | undefined {
  return fixedModel ?? siteModel ?? configuredModel
}

export function aiName(ai: ResolvedAi, known: KnownNames): string {
  const id = parseAgentId(ai.id)
  if (id?.kind === 'demo') return DEMO_AGENT_NAME
  if (id?.kind !== 'llm') return plainName(known.agentName(ai.id) ?? ai.id, chosenModel(ai))
  const service = known.service(id.provider)
  const model = chosenModel(ai) ?? chooseModel({ models: service?.models().models ?? [] })?.model
  return plainName(service?.name ?? id.provider, model === undefined ? undefined : modelName(model))
}
