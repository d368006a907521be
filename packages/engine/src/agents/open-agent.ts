/** Opens the AI of a session: the visitor's choice for its site, with the page's tools and an MCP address of its own. */
import { AgentError, type AgentSession } from '@leuria/agent'
import type { GrantStore } from '@leuria/grant-store'
import type { OpenRequest } from '@leuria/session-manager'
import type { RelayChannel } from '@leuria/webmcp-relay'
import type { AgentChoice, AgentSource } from './agent-source.js'

export interface OpenAgentOptions {
  agents: AgentSource
  grants: GrantStore
  /** This engine's base URL; known once it listens. */
  baseUrl(): string
  /** Hears whether an AI let us in, from real sessions. */
  seen?: (id: string, ok: boolean) => void
}

/** A site's own choice; local programs get the default AI. */
export function choiceOf(grants: GrantStore, owner: OpenRequest['owner']): AgentChoice | null {
  return owner === 'local' ? null : grants.get(owner)
}

export function createAgentOpener(options: OpenAgentOptions) {
  return async (request: OpenRequest<RelayChannel>): Promise<AgentSession> => {
    const { owner, channel, ...session } = request
    const adapter = await options.agents.resolve(choiceOf(options.grants, owner))
    try {
      const opened = await adapter.open({
        ...session,
        site: owner,
        mcp: {
          url: `${options.baseUrl()}/webmcp/mcp`,
          token: channel.agentToken,
          connected: channel.mcpConnected,
        },
      })
      options.seen?.(adapter.id, true)
      return opened
    } catch (error) {
      if (error instanceof AgentError && error.code === 'signed_out') options.seen?.(adapter.id, false)
      throw error
    }
  }
}
