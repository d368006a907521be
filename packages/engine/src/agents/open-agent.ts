/** Opens the AI of a session: the visitor's choice for its site, with the page's tools and an MCP address of its own. */
import type { AgentSession } from '@leuria/agent'
import type { GrantStore } from '@leuria/grant-store'
import type { OpenRequest } from '@leuria/session-manager'
import type { RelayChannel } from '@leuria/webmcp-relay'
import type { AgentChoice, AgentSource } from './agent-source.js'

export interface OpenAgentOptions {
  agents: AgentSource
  grants: GrantStore
  /** This engine's base URL; known once it listens. */
  baseUrl(): string
}

/** A site's own choice; local programs get the default AI. */
export function choiceOf(grants: GrantStore, owner: OpenRequest['owner']): AgentChoice | null {
  return owner === 'local' ? null : grants.get(owner)
}

export function createAgentOpener(options: OpenAgentOptions) {
  return async (request: OpenRequest<RelayChannel>): Promise<AgentSession> => {
    const { owner, channel, ...session } = request
    const adapter = await options.agents.resolve(choiceOf(options.grants, owner))
    return adapter.open({
      ...session,
      site: owner,
      mcp: {
        url: `${options.baseUrl()}/webmcp/mcp`,
        token: channel.agentToken,
        connected: channel.mcpConnected,
      },
    })
  }
}
