/** Whether arguments fit a tool of the page, for those who must decide about a call before it is made. */
import type { PageTool } from '@leuria/agent'
import { createArgumentCheck } from './argument-check.js'
import { measureJson } from './json-extent.js'
import { isJsonObject } from './plain-object.js'
import { TOOL_LIMITS } from './tool-limits.js'

/** What is wrong with `args` for this tool, in words for a log; `null`: nothing. Compiles the schema: not for hot paths. */
export function argumentFaults(tool: PageTool, args: unknown): string | null {
  if (!isJsonObject(args)) return 'they are not a JSON object'
  const { maxDepth, maxArgumentsLength: maxLength } = TOOL_LIMITS
  const extent = measureJson(args, { maxDepth, maxLength })
  if (extent.depth > maxDepth || extent.length > maxLength) return 'they are too large'
  return createArgumentCheck(tool.inputSchema).faults(args, extent)
}
