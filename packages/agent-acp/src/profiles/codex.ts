/** Codex, through its ACP adapter. */
import * as z from 'zod/mini'
import { MCP_SERVER_NAME } from '@leuria/protocol'
import type { AgentProfile, ReadInput, SessionWishes } from '../agent-profile.js'

/** A TOML basic string has JSON's escapes. */
const toml = (text: string): string => JSON.stringify(text)

const FEATURES_OFF = ['shell_tool', 'unified_exec', 'goals', 'multi_agent'] as const

function config({ systemPrompt }: SessionWishes): string {
  return [
    ...(systemPrompt === undefined ? [] : [`developer_instructions = ${toml(systemPrompt)}`]),
    'sandbox_mode = "read-only"',
    'approval_policy = "on-request"',
    'web_search = "disabled"',
    'project_doc_max_bytes = 0',
    '[features]',
    ...FEATURES_OFF.map((name) => `${name} = false`),
    '[tools]',
    'view_image = false',
    '',
  ].join('\n')
}

/** How a call of an MCP tool begins. The model's own words are inside `arguments`. */
const beginning = z.strictObject({ server: z.string(), tool: z.string(), arguments: z.optional(z.unknown()) })
/** The question about one names the server and the arguments, not the tool. */
const question = z.looseObject({
  server_name: z.string(),
  request: z.looseObject({
    _meta: z.looseObject({ codex_approval_kind: z.literal('mcp_tool_call'), tool_params: z.optional(z.unknown()) }),
  }),
})

function readInput(rawInput: unknown): ReadInput | null {
  const begun = beginning.safeParse(rawInput)
  if (begun.success) return { name: `mcp__${begun.data.server}__${begun.data.tool}`, input: begun.data.arguments }
  const asked = question.safeParse(rawInput)
  if (!asked.success) return null
  const { server_name: server, request } = asked.data
  return server === MCP_SERVER_NAME ? { input: request._meta.tool_params } : { name: `mcp__${server}__unknown` }
}

export const codex: AgentProfile = {
  name: 'Codex',
  agentIds: ['codex-acp'],
  // Driven with 0.16.0: apply_patch stays on offer there, held back only by its own read-only mode.
  checkedVersions: [],
  switchesOff:
    'Shell, web search, goals, helpers of its own, the visitor’s configuration. apply_patch and view_image may stay, in read-only mode: it needs a sandbox.',
  launch: (wishes) => ({
    env: { CODEX_HOME: '{private}/codex', NO_BROWSER: '1' },
    files: { 'codex/config.toml': config(wishes) },
  }),
  systemPrompt: 'profile',
  maxTurns: 'count',
  mode: 'read-only',
  ownTools: ['update_plan', 'tool_search', 'list_mcp_resources', 'read_mcp_resource'],
  readInput,
  sharesProcess: true,
  signIn: [{ home: '.codex/auth.json', at: 'codex/auth.json' }],
}
