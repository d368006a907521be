/** Grok's own command line agent. */
import * as z from 'zod/mini'
import type { AgentProfile, ReadInput } from '../agent-profile.js'

/** How its own code shows a call of a deferred tool. */
const wrapper = z.object({ variant: z.literal('UseTool'), tool_name: z.string(), tool_input: z.optional(z.unknown()) })

function readInput(rawInput: unknown): ReadInput | null {
  const read = wrapper.safeParse(rawInput)
  return read.success ? { name: read.data.tool_name, input: read.data.tool_input } : null
}

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
  readInput,
  sharesProcess: true,
  signIn: [{ home: '.grok/auth.json' }],
}
