/** Every bound of this package: what a page may declare and what a call may carry. */
import { CALL_LIMIT_MS } from '@leuria/protocol'

export interface ToolLimits {
  /** Most tools, most resources and most prompts of one page. Models stop choosing well far below this. @default 512 */
  maxDeclarations: number
  /** Largest single declaration, in characters of JSON. @default 256 Ki */
  maxDeclarationLength: number
  /** All declarations of a page together, in characters of JSON. @default 4 Mi */
  maxDeclaredLength: number
  /** Deepest nesting of a declaration or of arguments. @default 64 */
  maxDepth: number
  /** Largest arguments of one call, in characters of JSON. @default 4 Mi */
  maxArgumentsLength: number
  /** Longest text that a result may make for the AI, in characters. @default 4 Mi */
  maxResultLength: number
  /** Calls open at once, resources and prompts included. @default 128 */
  maxOpenCalls: number
  /** How long the page may take, in ms: "A call may stay open for 10 minutes" (Page tools). @default 600_000 */
  callTimeoutMs: number
}

export const TOOL_LIMITS: Readonly<ToolLimits> = {
  maxDeclarations: 512,
  maxDeclarationLength: 256 * 1024,
  maxDeclaredLength: 4 * 1024 * 1024,
  maxDepth: 64,
  maxArgumentsLength: 4 * 1024 * 1024,
  maxResultLength: 4 * 1024 * 1024,
  maxOpenCalls: 128,
  callTimeoutMs: CALL_LIMIT_MS,
}

/** "128 characters" is what MCP allows for a tool's name (MCP 2025-11-25, Tools). */
export const MAX_NAME_LENGTH = 128
/** A `data:` address of a small icon fits, a document doesn't. */
export const MAX_URI_LENGTH = 2_048
