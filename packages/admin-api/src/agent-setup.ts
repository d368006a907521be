/** Agents as the admin API needs them from an engine: which there are, installing, signing in, removing. */
import type { AgentState } from '@leuria/agent-acp'
import type { AgentListing, InstallOptions, RunnableAgent, SignIn } from '@leuria/agent-registry'

export interface AskOptions {
  signal: AbortSignal
  /** What the agent says meanwhile. */
  log?: (line: string) => void
}

/** Its refusals are EngineErrors already, with words for people. */
export interface AgentSetup {
  list(): Promise<AgentListing>
  /** What would start for an id; `null`: it isn't on this computer. */
  find(id: string): Promise<RunnableAgent | null>
  /** @throws EngineError `not_found`, `unusable`, `unverified` */
  install(id: string, options: InstallOptions): Promise<RunnableAgent>
  /** What Leuria installed of it, or the visitor's own entry. False: there was none. */
  remove(id: string): Promise<boolean>
  /** Who is signed in, as last seen. */
  noted(id: string): Promise<SignIn | null>
  /** Starts it and asks. @throws EngineError `not_found`, `unusable` when it doesn't work */
  inspect(id: string, options: AskOptions): Promise<AgentState>
  /** @throws EngineError `not_found`, `unusable` when it doesn't work */
  signIn(id: string, methodId: string, options: AskOptions): Promise<AgentState>
}
