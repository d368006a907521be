/** Which profile an agent has, and whether its version was checked with it. Pure. */
import type { AgentProfile } from './agent-profile.js'
import { claude } from './profiles/claude.js'
import { codex } from './profiles/codex.js'
import { copilot } from './profiles/copilot.js'
import { gemini } from './profiles/gemini.js'
import { goose } from './profiles/goose.js'
import { grok } from './profiles/grok.js'
import { opencode } from './profiles/opencode.js'
import { qwen } from './profiles/qwen.js'
import { unknownAgent } from './profiles/unknown.js'

/** Every agent that is known. */
export const AGENT_PROFILES: readonly AgentProfile[] = [claude, codex, gemini, copilot, opencode, qwen, grok, goose]

export function findProfile(agentId: string): AgentProfile {
  return AGENT_PROFILES.find(({ agentIds }) => agentIds.includes(agentId)) ?? unknownAgent
}

/** `0.16` stands for `0.16.2`, not for `0.160`. */
export function isChecked({ checkedVersions }: AgentProfile, version: string | undefined): boolean {
  return version !== undefined && checkedVersions.some((known) => version === known || version.startsWith(`${known}.`))
}
