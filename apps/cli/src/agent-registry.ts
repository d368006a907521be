/** Opens the agents of this computer, and what is known of their sign-ins, for one command. */
import { type AgentRegistry, openAgentRegistry, openSignIns, type SignInStore } from '@leuria/agent-registry'
import { UserError } from './fail.js'
import { homeOptions, using } from './home.js'

/** Another list than the public one. @throws UserError when it is no address */
function listAddress(): { url?: string } {
  const url = process.env.ACP_REGISTRY_URL?.trim()
  if (url === undefined || url === '') return {}
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UserError(`ACP_REGISTRY_URL is "${url}". It has to be an address that begins with https://.`)
  return { url }
}

export interface AgentParts {
  readonly registry: AgentRegistry
  readonly signIns: SignInStore
}

export async function withAgentParts<Result>(work: (parts: AgentParts) => Promise<Result>): Promise<Result> {
  const options = homeOptions()
  return using(openAgentRegistry({ ...options, ...listAddress() }), (registry) =>
    using(openSignIns(options), (signIns) => work({ registry, signIns })),
  )
}

/** Aborts at the first Ctrl+C; a second one ends the program as usual. */
export function untilInterrupted(): AbortSignal {
  const stop = new AbortController()
  process.once('SIGINT', () => {
    stop.abort()
  })
  return stop.signal
}
