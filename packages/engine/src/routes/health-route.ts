/** `GET /health` (Health). Answers from memory: it awaits no network and no file. */
import type { GrantStore } from '@leuria/grant-store'
import type { HealthReply } from '@leuria/protocol'
import type { AgentSource } from '../agents/agent-source.js'
import { json } from '../http/reply.js'
import type { Route } from '../http/route.js'
import { ENGINE_VERSION } from '../version.js'

export interface HealthOptions {
  approvals: 'app' | 'page'
  agents: AgentSource
  grants: GrantStore
  /** The model a connected page would get; `undefined` while there is none. */
  embedModel(): string | undefined
}

export function healthRoute(options: HealthOptions): Route {
  return {
    method: 'GET',
    path: '/health',
    access: 'health',
    body: 'none',
    handle({ caller, paired }) {
      const grant = caller.kind === 'site' && paired ? options.grants.get(caller.origin) : null
      const embed = paired ? options.embedModel() : undefined
      const reply: HealthReply = {
        leuria: ENGINE_VERSION,
        ok: true,
        agent: options.agents.nameFor(grant),
        approvals: options.approvals,
        // What is undefined isn't in the JSON.
        paired: caller.kind === 'site' ? paired : undefined,
        embed,
      }
      return json(200, reply)
    },
  }
}
