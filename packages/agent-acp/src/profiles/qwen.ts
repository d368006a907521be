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
  'ask_user_question',
  'cron_create',
  'cron_delete',
  'cron_list',
  'edit',
  'enter_plan_mode',
  'enter_worktree',
  'exit_plan_mode',
  'exit_worktree',
  'get_goal',
  'glob',
  'grep_search',
  'list_agents',
  'list_directory',
  'loop_wakeup',
  'lsp',
  'monitor',
  'notebook_edit',
  'read_file',
  'read_many_files',
  'read_mcp_resource',
  'record_artifact',
  'report_findings',
  'run_shell_command',
  'save_memory',
  'search_file_content',
  'send_message',
  'skill',
  'task',
  'task_stop',
  'update_goal',
  'web_fetch',
  'web_search',
  'write_file',
] as const

const SETTINGS = {
  tools: { exclude: BUILT_IN, approvalMode: 'default' },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { disableAutoUpdate: true },
  // After a turn it would have a helper keep what was said, with a shell and files to do so whatever is excluded.
  memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false, enableAutoSkill: false },
}

const SETTINGS_FILE = 'qwen/system-settings.json'
const PROMPT_FILE = 'qwen/system.md'

export const qwen: AgentProfile = {
  name: 'Qwen Code',
  agentIds: ['qwen-code'],
  // Driven with 0.24.4, by hand, since it needs Node.js 22: none of these is on offer or runs, and no memory is kept. Some of
  // its tools only show when they are searched for, so that nobody can say that these are all.
  checkedVersions: [],
  switchesOff:
    'Its shell, file, search, web, planning and helper tools, by name; its memory; telemetry. Tools that it has not shown may stay: it needs a sandbox.',
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
