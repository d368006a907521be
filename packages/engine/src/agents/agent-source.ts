/** Which AI a site gets, by name and as an adapter: the visitor's choice for the site, else their default. */
import type { AgentAdapter } from '@leuria/agent'

/** The visitor's choice for one site, as its grant has it. */
export interface AgentChoice {
  agent?: string | undefined
  model?: unknown
}

/** Where the engine gets AIs from. Integrators may bring their own. */
export interface AgentSource {
  /** A plain name for the AI that the choice leads to, from memory. `null`: the default AI. */
  nameFor(choice: AgentChoice | null): string
  /** The id of that AI, for the log. */
  idFor(choice: AgentChoice | null): string
  /** @throws AgentError `unavailable` when the chosen AI doesn't exist (any more), with what to do. */
  resolve(choice: AgentChoice | null): Promise<AgentAdapter>
  /** True when the id is one that this source knows. */
  knows(id: string): boolean
}
