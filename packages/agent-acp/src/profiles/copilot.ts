/** GitHub Copilot CLI in its ACP mode. */
import type { AgentProfile } from '../agent-profile.js'

export const copilot: AgentProfile = {
  name: 'GitHub Copilot',
  agentIds: ['github-copilot-cli', 'github-copilot'],
  // The flags are its own documented ones; that nothing stays on has not been verified.
  checkedVersions: [],
  switchesOff:
    'Shell, writing and URLs by deny rules, its own MCP servers, and the visitor’s instructions. It needs a sandbox.',
  launch: () => ({
    args: [
      '--deny-tool=shell',
      '--deny-tool=write',
      '--deny-tool=url',
      '--disable-builtin-mcps',
      '--no-custom-instructions',
      '--no-auto-update',
    ],
  }),
  systemPrompt: 'prefix',
  maxTurns: 'count',
  ownTools: [],
  titles: 'display_name',
  sharesProcess: true,
  signIn: [{ home: '.copilot/config.json' }],
}
