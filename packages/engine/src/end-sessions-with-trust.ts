/** When the visitor takes their word for an agent back, its sessions end: they may run outside a sandbox on that word. */
import { type AiSettings, resolveAi, type SiteChoice } from '@leuria/ai-choice'
import { endChangedSessions, type SessionsToEnd } from './end-changed-sessions.js'
import type { Home } from './home.js'

export interface EndWithTrustOptions extends SessionsToEnd {
  config: Home['config']
  /** The default AI of this run. */
  defaultAgent: string | undefined
  /** Trusted in this run, whatever the file says. */
  trustedAgents: readonly string[]
}

/** Listens to `config.json`, whichever process changes it. Returns its undo. */
export function endSessionsWithTrust(options: EndWithTrustOptions): () => void {
  const { config, defaultAgent, trustedAgents, ...ending } = options
  return config.subscribe((value, previous) => {
    const still = new Set([...trustedAgents, ...(value.trusted ?? [])])
    const gone = new Set((previous.trusted ?? []).filter((id) => !still.has(id)))
    if (gone.size === 0) return
    const settings: AiSettings = { agent: defaultAgent ?? value.agent, models: value.models }
    const isChanged = (choice: SiteChoice | null): boolean => gone.has(resolveAi(choice, settings).id)
    endChangedSessions(ending, isChanged, 'The visitor no longer lets this AI run without a sandbox.')
  })
}
