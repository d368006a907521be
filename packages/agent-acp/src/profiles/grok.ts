/** Grok's own command line agent. */
import * as z from 'zod/mini'
import type { AgentProfile, ReadInput } from '../agent-profile.js'

/** How its own code shows a call of a deferred tool. */
const wrapper = z.object({ variant: z.literal('UseTool'), tool_name: z.string(), tool_input: z.optional(z.unknown()) })

function readInput(rawInput: unknown): ReadInput | null {
  const read = wrapper.safeParse(rawInput)
  return read.success ? { name: read.data.tool_name, input: read.data.tool_input } : null
}

const PROFILE_FILE = 'grok/agent.md'
/** `search_tool` finds the page's tools, `use_tool` calls them. */
const PROFILE = `---
name: page
description: Helps on one web page
tools: search_tool, use_tool
---
You help a visitor on one web page, with its tools.
`

export const grok: AgentProfile = {
  name: 'Grok',
  agentIds: ['grok-cli', 'grok', 'grok-build'],
  // Tried with 1.0.41, by hand: with this profile its model is offered the two tools for others' tools and none of its own,
  // and unoffered ones don't run. Its flags for tools that it is not to have change nothing in its ACP mode.
  checkedVersions: [],
  switchesOff:
    'Everything but the page’s tools, by an agent profile of ours. It asks for every tool, and only the page’s are allowed. Tried by hand only: it needs a sandbox.',
  launch: () => ({
    args: [`--agent-profile={private}/${PROFILE_FILE}`],
    before: 'stdio',
    files: { [PROFILE_FILE]: PROFILE },
  }),
  systemPrompt: 'prefix',
  maxTurns: 'count',
  ownTools: ['search_tool'],
  wrappers: ['use_tool'],
  readInput,
  sharesProcess: true,
  signIn: [{ home: '.grok/auth.json' }],
}
