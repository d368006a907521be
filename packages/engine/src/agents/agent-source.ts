/** Which AI a site gets, by name and as an adapter: the visitor's choice for the site, else their default. */
import type { AgentAdapter } from '@leuria/agent'

/** The visitor's choice for one site, as its grant has it. */
export interface AgentChoice {
  agent?: string | undefined
  model?: unknown
}

/** An AI that can be chosen. */
export interface AgentFacts {
  id: string
  /** A plain name for people. */
  name: string
  /** A program of its own, or a model of a service. */
  kind: 'agent' | 'llm'
}

/** Where the engine gets AIs from. Integrators may bring their own. Everything but `resolve` answers from memory. */
export interface AgentSource {
  /** A plain name for the AI that the choice leads to. `null`: the default AI. */
  nameFor(choice: AgentChoice | null): string
  /** The id of that AI. */
  idFor(choice: AgentChoice | null): string
  /** `null`: no such AI can be used here. */
  find(id: string): AgentFacts | null
  /** @throws AgentError `unavailable` when the chosen AI doesn't exist (any more), with what to do */
  resolve(choice: AgentChoice | null): Promise<AgentAdapter>
}
