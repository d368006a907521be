/** Writing a tool down with the types of its arguments. */
import type { StandardSchema } from './schema-input.js'
import type { Tool } from './tool.js'

/** Gives `execute` the type of its arguments: from a Standard Schema validator, or as it is written there. Changes nothing. */
export function defineTool<Output>(
  tool: Omit<Tool<Output>, 'inputSchema'> & { inputSchema: StandardSchema<Output> },
): Tool
export function defineTool<Args = Record<string, unknown>>(tool: Tool<Args>): Tool
export function defineTool(tool: Tool<never>): Tool {
  return tool as Tool
}
