/** When the visitor changes the default AI or its model, sessions that ran on the old one end; the others go on. */
import { type AiSettings, resolveAi, type SiteChoice } from '@leuria/ai-choice'
import type { GrantStore } from '@leuria/grant-store'
import type { Owner } from '@leuria/session-manager'
import type { Home } from './home.js'

export interface EndWithDefaultOptions {
  config: Home['config']
  grants: GrantStore
  /** The default AI of this run, which a changed file doesn't change. */
  defaultAgent: string | undefined
  sessions: { endFor: (owner: Owner, reason: string) => void }
}

/** Listens to `config.json`, whichever process changes it. Returns its undo. */
export function endSessionsWithDefault({ config, grants, defaultAgent, sessions }: EndWithDefaultOptions): () => void {
  return config.subscribe((value, previous) => {
    const settings = [previous, value].map(({ agent, models }): AiSettings => ({
      agent: defaultAgent ?? agent,
      models,
    }))
    const isChanged = (choice: SiteChoice | null): boolean => {
      const [before, after] = settings.map((each) => JSON.stringify(resolveAi(choice, each)))
      return before !== after
    }
    const sites = grants.list().filter(isChanged)
    const owners: Owner[] = [...sites.map(({ origin }) => origin), ...(isChanged(null) ? (['local'] as const) : [])]
    for (const owner of owners) sessions.endFor(owner, 'The visitor chose another AI.')
  })
}
