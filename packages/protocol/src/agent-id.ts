/**
 * The ids by which AIs are named in files, on the command line and in the admin API.
 * `demo`; `llm:<provider>` and `llm:<provider>/<model>` (a model's id may itself hold `/` and `:`); anything else names an agent.
 */

export type AgentId =
  | { kind: 'demo' }
  /** `model` is absent in `llm:<provider>`: the provider's own default. */
  | { kind: 'llm'; provider: string; model?: string }
  | { kind: 'agent'; id: string }

/** The embedded AI's id. */
export const DEMO_AGENT_ID = 'demo'

const SLUG = /^[a-z0-9][a-z0-9._-]{0,63}$/

/** Reads an id. `null`: it can't be one. Says nothing about whether such an AI exists. */
export function parseAgentId(text: string): AgentId | null {
  if (text === DEMO_AGENT_ID) return { kind: 'demo' }
  if (!text.startsWith('llm:')) return SLUG.test(text) ? { kind: 'agent', id: text } : null
  const slash = text.indexOf('/')
  const provider = text.slice('llm:'.length, slash === -1 ? undefined : slash)
  if (!SLUG.test(provider)) return null
  if (slash === -1) return { kind: 'llm', provider }
  const model = text.slice(slash + 1)
  return model.trim() === '' || model.length > 200 ? null : { kind: 'llm', provider, model }
}

/** The id of a provider's model. */
export function formatModelId(provider: string, model: string): string {
  return `llm:${provider}/${model}`
}

/** The id that a provider gets from its name: lower case letters and digits, dashes between. `null`: nothing is left of it. */
export function slugOf(name: string): string | null {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replace(/^-+|-+$/g, '')
  return slug === '' ? null : slug
}
