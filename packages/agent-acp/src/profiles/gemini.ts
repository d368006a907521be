/** Gemini CLI in its ACP mode. */
import type { AgentProfile } from '../agent-profile.js'

/** By name: its list of what is allowed (`tools.core`) takes the page's tools away too. */
const BUILT_IN = [
  'activate_skill',
  'ask_user',
  'codebase_investigator',
  'enter_plan_mode',
  'exit_plan_mode',
  'get_internal_docs',
  'glob',
  'google_web_search',
  'grep_search',
  'invoke_agent',
  'list_background_processes',
  'list_directory',
  'read_background_output',
  'read_file',
  'read_many_files',
  'replace',
  'run_shell_command',
  'save_memory',
  'search_file_content',
  'take_snapshot',
  'web_fetch',
  'write_file',
] as const

const SETTINGS = {
  tools: { exclude: BUILT_IN },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { disableAutoUpdate: true },
}

/** As the visitor's own, in a home of its own: it takes system settings only from folders of the system's. */
const SETTINGS_FILE = 'gemini/.gemini/settings.json'
const PROMPT_FILE = 'gemini/system.md'

export const gemini: AgentProfile = {
  name: 'Gemini CLI',
  agentIds: ['gemini'],
  checkedVersions: ['0.61.0'],
  switchesOff:
    'Its shell, file, search, web, memory and helper tools, by name; telemetry. The visitor’s own settings and MCP servers are not seen.',
  launch: ({ systemPrompt }) => ({
    env: {
      GEMINI_CLI_HOME: '{private}/gemini',
      // Without it the process starts itself again, and only SIGKILL ends both.
      GEMINI_CLI_NO_RELAUNCH: 'true',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_FORCE_FILE_STORAGE: 'true',
      ...(systemPrompt !== undefined && { GEMINI_SYSTEM_MD: `{private}/${PROMPT_FILE}` }),
    },
    files: {
      [SETTINGS_FILE]: JSON.stringify(SETTINGS),
      ...(systemPrompt !== undefined && { [PROMPT_FILE]: systemPrompt }),
    },
  }),
  systemPrompt: 'profile',
  maxTurns: 'count',
  mode: 'default',
  ownTools: ['update_topic', 'write_todos', 'list_mcp_resources', 'read_mcp_resource'],
  argumentsAsText: true,
  sharesProcess: true,
  signIn: [
    { home: '.gemini/oauth_creds.json', at: 'gemini/.gemini/oauth_creds.json' },
    { home: '.gemini/google_accounts.json', at: 'gemini/.gemini/google_accounts.json' },
    { home: '.gemini/gemini-credentials.json', at: 'gemini/.gemini/gemini-credentials.json' },
  ],
}
