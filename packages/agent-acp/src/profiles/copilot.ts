/** GitHub Copilot CLI in its ACP mode. */
import { MCP_SERVER_NAME } from '@leuria/protocol'
import type { AgentProfile } from '../agent-profile.js'

export const copilot: AgentProfile = {
  name: 'GitHub Copilot',
  agentIds: ['github-copilot-cli', 'github-copilot'],
  // Driven with its model server replaced: the page's tools are all that its model is offered, and unoffered ones don't run.
  checkedVersions: ['1.0.102'],
  switchesOff:
    'Everything but the page’s tools, by its list of available ones; also by deny rules. Its own MCP servers and the visitor’s instructions.',
  launch: () => ({
    args: [
      `--available-tools=${MCP_SERVER_NAME}`,
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
  mode: 'https://agentclientprotocol.com/protocol/session-modes#agent',
  notices: /^Info: (Disabled tools|Unknown tool name in|Operation cancelled by user)/,
  ownTools: [],
  titles: 'display_name',
  sharesProcess: true,
  signIn: [{ home: '.copilot/config.json' }],
}
