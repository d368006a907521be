/** Claude Code, through Anthropic's ACP adapter (`claude-agent-acp`) and Zed's older one (`claude-code-acp`). */
import type { AgentProfile } from '../agent-profile.js'

/** Named as well, for versions in which "none at all" leaves some: a name that doesn't exist is no fault. */
const BUILT_IN = [
  'Agent',
  'AskUserQuestion',
  'Bash',
  'BashOutput',
  'Edit',
  'ExitPlanMode',
  'Glob',
  'Grep',
  'KillShell',
  'MultiEdit',
  'NotebookEdit',
  'Read',
  'Skill',
  'SlashCommand',
  'Task',
  'WebFetch',
  'WebSearch',
  'Write',
] as const

export const claude: AgentProfile = {
  name: 'Claude Code',
  agentIds: ['claude-acp', 'claude-code-acp'],
  checkedVersions: ['0.16.2', '0.101.0'],
  switchesOff:
    'All built-in tools, the visitor’s own settings, hooks and MCP servers. What stays does nothing outside: TaskOutput, TaskStop, EnterPlanMode, tool search.',
  launch: () => ({
    env: {
      // A configuration folder of its own: no settings, memories or MCP servers of the visitor's.
      CLAUDE_CONFIG_DIR: '{private}/claude',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    },
  }),
  sessionMeta: ({ systemPrompt, maxTurns }) => ({
    disableBuiltInTools: true,
    ...(systemPrompt !== undefined && { systemPrompt }),
    claudeCode: {
      options: {
        tools: [],
        disallowedTools: BUILT_IN,
        settingSources: [],
        strictMcpConfig: true,
        ...(maxTurns !== undefined && { maxTurns }),
      },
    },
  }),
  systemPrompt: 'profile',
  maxTurns: 'profile',
  mode: 'default',
  ownTools: ['ToolSearch', 'TodoWrite', 'EnterPlanMode', 'TaskOutput', 'TaskStop'],
  sharesProcess: true,
  signIn: [{ home: '.claude/.credentials.json', at: 'claude/.credentials.json' }],
}
