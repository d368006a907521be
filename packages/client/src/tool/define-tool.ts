/** Writing a tool down with the types of its arguments. */
import type { JsonSchema, StandardSchema } from './schema-input.js'
import type { Tool } from './tool.js'

type WithSchema<Args, Schema> = Omit<Tool<Args>, 'inputSchema'> & Schema

/** Gives `execute` the type of its arguments: from a Standard Schema validator, or as it is written there. Changes nothing. */
export function defineTool<Output>(tool: WithSchema<Output, { inputSchema: StandardSchema<Output> }>): Tool
export function defineTool<Args = Record<string, unknown>>(
  tool: WithSchema<Args, { inputSchema?: JsonSchema & { '~standard'?: never } }>,
): Tool
export function defineTool(tool: Tool<never>): Tool {
  return tool as Tool
}
