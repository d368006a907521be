/** An agent that nobody has looked at: nothing of its own is switched off, so it needs a sandbox or the visitor's word. */
import type { AgentProfile } from '../agent-profile.js'

export const unknownAgent: AgentProfile = {
  name: 'Any other agent',
  agentIds: [],
  checkedVersions: [],
  switchesOff: 'Nothing: it is not known how. Permissions for anything but the page’s tools are refused.',
  systemPrompt: 'prefix',
  maxTurns: 'count',
  ownTools: [],
  sharesProcess: false,
  signIn: [],
}
