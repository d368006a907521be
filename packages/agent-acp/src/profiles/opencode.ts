/** OpenCode in its ACP mode. */
import { MCP_SERVER_NAME } from '@leuria/protocol'
import type { AgentProfile } from '../agent-profile.js'

/** The last rule that fits counts: everything is denied, and so never offered to the model, but the page's tools. */
const CONFIG = {
  permission: { '*': 'deny', [`${MCP_SERVER_NAME}_*`]: 'allow' },
  share: 'disabled',
  autoupdate: false,
}

export const opencode: AgentProfile = {
  name: 'OpenCode',
  agentIds: ['opencode'],
  // Driven with its model server replaced: the page's tools are all that its model is offered, and unoffered ones don't run.
  checkedVersions: ['1.18.33'],
  switchesOff: 'Everything but the page’s tools, by its own permission rules; plugins and project files.',
  launch: () => ({
    env: {
      // Its server on loopback, which runs whatever it is asked to, is otherwise open to everyone there. No web page can
      // guess where a private folder is.
      OPENCODE_SERVER_PASSWORD: '{private}',
      OPENCODE_CONFIG_CONTENT: JSON.stringify(CONFIG),
      OPENCODE_DISABLE_PROJECT_CONFIG: '1',
      OPENCODE_DISABLE_CLAUDE_CODE: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
    },
  }),
  systemPrompt: 'prefix',
  maxTurns: 'count',
  ownTools: ['todowrite', 'todoread', 'invalid'],
  sharesProcess: true,
  signIn: [{ home: '.local/share/opencode/auth.json' }],
}
