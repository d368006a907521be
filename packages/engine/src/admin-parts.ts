/** The engine as the admin API needs it: the only place where its parts get the app's names. */
import type { AdminParts } from '@leuria/admin-api'
import { readAuditPage } from '@leuria/audit'
import type { AdminDesk } from './admin-desk.js'
import { createAgentSetup } from './agents/agent-setup.js'
import { endChangedSessions } from './end-changed-sessions.js'
import type { Settings } from './engine-options.js'
import type { Ground, Parts } from './parts.js'
import { approveUrl } from './process-events.js'
import { testWith } from './self-test.js'
import { ENGINE_VERSION } from './version.js'

export interface AdminGround extends Ground {
  parts: Parts
  desk: AdminDesk
}

function makeSetup({ home, parts, desk }: AdminGround): AdminParts['setup'] {
  const { agents, ais, sessions } = parts
  return createAgentSetup({
    acp: ais.acp,
    endSessions(id) {
      const isOnIt = (choice: Parameters<typeof agents.idFor>[0]): boolean => agents.idFor(choice) === id
      endChangedSessions({ grants: home.grants, sessions }, isOnIt, 'The visitor removed this AI.')
    },
    seen(id, ok) {
      desk.feed.publish({ event: 'agent_state', id, ok })
    },
  })
}

function makeReader({ home, fs, audit }: Settings): AdminParts['readLog'] {
  return async (query) => {
    // A window that has just opened wasn't told of what happened right before: it has to be in here.
    await audit.flush?.()
    const page = await readAuditPage({ ...query, home, ...(fs === undefined ? {} : { fs }) })
    return page === null ? null : { entries: page.records, next: page.next }
  }
}

export function adminParts(settings: Settings, ground: AdminGround): AdminParts {
  const { home, parts, address, desk } = ground
  const { agents, ais, embeddings, pairing } = parts
  const { clock, selfTest } = settings
  return {
    version: ENGINE_VERSION,
    port: () => address.port,
    approveUrl: (requestId) => approveUrl(address.url, { requestId, key: null }),
    clock,
    config: home.config,
    providers: home.providers,
    grants: home.grants,
    pairing,
    usage: home.usage,
    agents: {
      find: (id) => agents.find(id),
      default: () => ({ id: agents.idFor(null), name: agents.nameFor(null) }),
    },
    ais,
    setup: makeSetup(ground),
    feed: desk.feed,
    warnings: desk.warnings,
    readLog: makeReader(settings),
    ...(selfTest === undefined ? {} : { test: testWith(selfTest, agents) }),
    embeddings: {
      choice: () => ais.embeddingChoice(),
      current: () => embeddings.current(),
      models: () => embeddings.models(),
      refresh: () => embeddings.refresh(),
    },
  }
}
