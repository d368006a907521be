/** Grok's own command line agent. */
import type { AgentProfile } from '../agent-profile.js'

export const grok: AgentProfile = {
  name: 'Grok',
  agentIds: ['grok-cli', 'grok', 'grok-build'],
  checkedVersions: [],
  switchesOff:
    'Nothing: no means is known. It asks for every tool, and only the page’s are allowed. It needs a sandbox.',
  systemPrompt: 'prefix',
  maxTurns: 'count',
  ownTools: ['search_tool'],
  wrappers: ['use_tool'],
  envelope: { marks: { variant: 'UseTool' }, name: 'tool_name', input: 'tool_input' },
  sharesProcess: true,
  signIn: [{ home: '.grok/auth.json' }],
}
