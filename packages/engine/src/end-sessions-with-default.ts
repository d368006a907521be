/** When the visitor changes the default AI or its model, sessions that ran on the old one end; the others go on. */
import { type AiSettings, resolveAi, type SiteChoice } from '@leuria/ai-choice'
import { endChangedSessions, type SessionsToEnd } from './end-changed-sessions.js'
import type { Home } from './home.js'

export interface EndWithDefaultOptions extends SessionsToEnd {
  config: Home['config']
  /** The default AI of this run, which a changed file doesn't change. */
  defaultAgent: string | undefined
}

/** Listens to `config.json`, whichever process changes it. Returns its undo. */
export function endSessionsWithDefault({ config, defaultAgent, ...ending }: EndWithDefaultOptions): () => void {
  return config.subscribe((value, previous) => {
    const settings = [previous, value].map(({ agent, models }): AiSettings => ({
      agent: defaultAgent ?? agent,
      models,
    }))
    const isChanged = (choice: SiteChoice | null): boolean => {
      const [before, after] = settings.map((each) => JSON.stringify(resolveAi(choice, each)))
      return before !== after
    }
    endChangedSessions(ending, isChanged, 'The visitor chose another AI.')
  })
}
