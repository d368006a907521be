/** The default AI has a program standing ready, if it is an agent: it was chosen by the visitor, or for this run. */
import type { GrantStore } from '@leuria/grant-store'
import { parseAgentId } from '@leuria/protocol'
import type { SessionChange } from '@leuria/session-manager'
import { warmKeeper, type WarmKeeper } from './agents/keep-warm.js'
import { choiceOf } from './agents/open-agent.js'
import type { VisitorAgents } from './agents/visitor-agents.js'
import type { Settings } from './engine-options.js'
import type { Home } from './home.js'

export interface DefaultWarmOptions {
  config: Home['config']
  grants: GrantStore
  ais: Pick<VisitorAgents, 'acp' | 'source'>
  sessions: { subscribe(listener: (change: Pick<SessionChange, 'kind' | 'owner'>) => void): () => void }
}

/** Begins with `start`; listens to `config.json`, whichever process changes it, and to sessions. The caller closes it. */
export function keepDefaultWarm(
  { clock, warm: forThisRun, agents }: Settings,
  { config, grants, ais, sessions }: DefaultWarmOptions,
): WarmKeeper {
  const { source } = ais
  const wanted = (): string | null => {
    const id = parseAgentId(source.idFor(null))
    // An integrator's own AIs are the integrator's business.
    const isWanted = agents === undefined && (forThisRun ?? config.value.warm ?? true)
    return isWanted && id?.kind === 'agent' ? id.id : null
  }
  const keeper = warmKeeper({ clock, wanted, keepWarm: (id) => ais.acp.keepWarm(id) })
  const unwatch = [
    config.subscribe((value, { agent, warm, trusted }) => {
      // A program that runs on the visitor's word mustn't outlive it.
      const isTrustOther = JSON.stringify(value.trusted) !== JSON.stringify(trusted)
      if (value.agent !== agent || value.warm !== warm || isTrustOther) keeper.changed()
    }),
    sessions.subscribe(({ kind, owner }) => {
      // Nobody does anything when an ended session can't be read any more.
      if (kind !== 'forgotten' && source.idFor(choiceOf(grants, owner)) === source.idFor(null)) keeper.used()
    }),
  ]
  return {
    ...keeper,
    close() {
      for (const undo of unwatch) undo()
      keeper.close()
    },
  }
}
