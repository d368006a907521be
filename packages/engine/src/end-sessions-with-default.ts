/** When the visitor makes another AI the default, sessions that ran on the old one end; sites with an AI of their own go on. */
import type { GrantStore } from '@leuria/grant-store'
import type { Owner } from '@leuria/session-manager'
import type { AgentSource } from './agents/agent-source.js'
import type { Home } from './home.js'

export interface EndWithDefaultOptions {
  config: Home['config']
  grants: GrantStore
  agents: Pick<AgentSource, 'idFor'>
  sessions: { endFor: (owner: Owner, reason: string) => void }
}

/** Listens to `config.json`, whichever process changes it. Returns its undo. */
export function endSessionsWithDefault({ config, grants, agents, sessions }: EndWithDefaultOptions): () => void {
  let before = agents.idFor(null)
  return config.subscribe(() => {
    const now = agents.idFor(null)
    if (now === before) return
    before = now
    const owners: Owner[] = grants
      .list()
      .filter((grant) => grant.agent === undefined)
      .map((grant) => grant.origin)
    for (const owner of [...owners, 'local' as const]) sessions.endFor(owner, 'The visitor chose another AI.')
  })
}
