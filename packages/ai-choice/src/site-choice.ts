/** Which AI a site gets: the visitor's choice for it, else their default; and the model that belongs to that choice. */
import { DEMO_AGENT_ID, parseAgentId } from '@leuria/protocol/browser'

/** A site's choice as its grant has it. */
export interface SiteChoice {
  /** Absent: the default AI. */
  agent?: string | undefined
  /** With the AI it was chosen for. A bare id is what other versions wrote. Anything else counts as none. */
  model?: unknown
}

/** The visitor's own settings. */
export interface AiSettings {
  /** The default AI's id. @default the demo AI */
  agent?: string | undefined
  /** The model chosen for an AI, by the AI's id. Anything else counts as none. */
  models?: unknown
}

/** An AI with what the visitor chose for it. */
export interface ResolvedAi {
  /** As it was chosen: `demo`, `llm:ollama`, `llm:ollama/llama3.2`, `claude-acp`. */
  id: string
  from: 'site' | 'default'
  /** In the id itself. */
  fixedModel?: string
  siteModel?: string
  configuredModel?: string
}

/** The AI of a site, or the visitor's default when `choice` is null. Pure: says nothing about whether it exists. */
export function resolveAi(choice: SiteChoice | null, settings: AiSettings): ResolvedAi {
  const own = named(choice?.agent)
  const id = own ?? named(settings.agent) ?? DEMO_AGENT_ID
  const parsed = parseAgentId(id)
  const fixedModel = parsed?.kind === 'llm' ? parsed.model : undefined
  const siteModel = modelFor(choice?.model, id)
  const configuredModel = configuredFor(settings.models, id)
  return {
    id,
    from: own === undefined ? 'default' : 'site',
    ...(fixedModel === undefined ? {} : { fixedModel }),
    ...(siteModel === undefined ? {} : { siteModel }),
    ...(configuredModel === undefined ? {} : { configuredModel }),
  }
}

const named = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

/** A model counts only for the AI it was chosen with: another AI may not have it, or mean something else by it. */
function modelFor(model: unknown, agent: string): string | undefined {
  if (typeof model === 'string') return named(model)
  if (typeof model !== 'object' || model === null || !('agent' in model) || !('id' in model)) return undefined
  return model.agent === agent ? named(model.id) : undefined
}

function configuredFor(models: unknown, agent: string): string | undefined {
  if (typeof models !== 'object' || models === null || !Object.hasOwn(models, agent)) return undefined
  return named((models as Record<string, unknown>)[agent])
}
