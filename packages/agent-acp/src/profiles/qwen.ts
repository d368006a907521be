/** Qwen Code in its ACP mode. */
import * as z from 'zod/mini'
import type { AgentProfile, ReadInput } from '../agent-profile.js'

/** The tool that it calls deferred tools through; its input is a wrapper only under this name. */
const WRAPPER = 'tool_call'
const wrapped = z.object({ name: z.optional(z.string()), arguments: z.optional(z.unknown()) })

function readInput(rawInput: unknown, names: ReadonlySet<string>): ReadInput | null {
  if (!names.has(WRAPPER)) return null
  const { success, data } = wrapped.safeParse(rawInput)
  return success ? { name: data.name, input: data.arguments } : null
}

const BUILT_IN = [
  'agent',
  'edit',
  'exit_plan_mode',
  'glob',
  'grep_search',
  'list_directory',
  'lsp',
  'read_file',
  'read_many_files',
  'run_shell_command',
  'save_memory',
  'search_file_content',
  'skill',
  'task',
  'web_fetch',
  'web_search',
  'write_file',
] as const

const SETTINGS = {
  tools: { exclude: BUILT_IN, approvalMode: 'default' },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { disableAutoUpdate: true },
}

const SETTINGS_FILE = 'qwen/system-settings.json'
const PROMPT_FILE = 'qwen/system.md'

export const qwen: AgentProfile = {
  name: 'Qwen Code',
  agentIds: ['qwen-code'],
  // Permissions were driven with 0.24.4; that these names are all of its tools has not been verified.
  checkedVersions: [],
  switchesOff: 'Its shell, file, search, web, memory and helper tools, by name; telemetry. It needs a sandbox.',
  launch: ({ systemPrompt }) => ({
    env: {
      QWEN_CODE_SYSTEM_SETTINGS_PATH: `{private}/${SETTINGS_FILE}`,
      ...(systemPrompt !== undefined && { QWEN_SYSTEM_MD: `{private}/${PROMPT_FILE}` }),
    },
    files: {
      [SETTINGS_FILE]: JSON.stringify(SETTINGS),
      ...(systemPrompt !== undefined && { [PROMPT_FILE]: systemPrompt }),
    },
  }),
  systemPrompt: 'profile',
  maxTurns: 'count',
  mode: 'default',
  ownTools: ['tool_search', 'todo_write'],
  wrappers: [WRAPPER],
  readInput,
  sharesProcess: true,
  signIn: [{ home: '.qwen/oauth_creds.json' }, { home: '.qwen/settings.json' }],
}
