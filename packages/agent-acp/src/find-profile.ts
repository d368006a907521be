/** Which profile an agent has, and whether its version was checked with it. Pure. */
import type { AgentProfile } from './agent-profile.js'
import { unknownAgent } from './profiles/unknown.js'

/** Every agent that is known. */
export const AGENT_PROFILES: readonly AgentProfile[] = []

export function findProfile(agentId: string): AgentProfile {
  return AGENT_PROFILES.find(({ agentIds }) => agentIds.includes(agentId)) ?? unknownAgent
}

/** `0.16` stands for `0.16.2`, not for `0.160`. */
export function isChecked({ checkedVersions }: AgentProfile, version: string | undefined): boolean {
  return version !== undefined && checkedVersions.some((known) => version === known || version.startsWith(`${known}.`))
}
