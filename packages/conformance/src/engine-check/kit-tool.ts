/** The tool that the AI is asked to call, and the words it is asked with. They suit an AI without a model, too. */

export const KIT_TOOL = {
  name: 'read_lighthouse_log',
  description: 'Reads the log of the lighthouse.',
  inputSchema: { type: 'object', properties: {} },
} as const

/** Long enough that a second reader can come in the middle of the answer. */
export const KIT_LOG = Array.from(
  { length: 12 },
  (_, day) => `On day ${day + 1} the lamp was lit and a ship passed by.`,
).join(' ')

export const TOOL_PROMPT = 'Read the log of the lighthouse and repeat all of it word for word.'
