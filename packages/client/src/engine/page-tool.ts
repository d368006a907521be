/** What a page offers as a tool, and the check before anything is sent. */
import { LeuriaError } from '../errors.js'

export interface ToolCallContext {
  /** The call's id, as the engine made it. */
  readonly callId: string
  /** Aborted when nobody waits for the answer any more: the turn was cancelled, the session ended, ten minutes are over. */
  readonly signal: AbortSignal
}

export interface PageTool {
  name: string
  description?: string
  /** A JSON Schema for an object. @default any object */
  inputSchema?: object
  /** MCP tool annotations, for example `{ readOnlyHint: true }`. */
  annotations?: object
  /**
   * Runs in the page. Texts reach the AI as they are, anything else as JSON; what it throws, as a failed call.
   * Arguments come from the AI: check them like any other input.
   */
  execute(args: unknown, context: ToolCallContext): unknown
}

/** @throws LeuriaError `bad_request` for a missing or repeated name */
export function checkTools(tools: readonly PageTool[]): void {
  const names = new Set(tools.map(({ name }) => name))
  if (names.size === tools.length && [...names].every((name) => typeof name === 'string' && name.trim() !== '')) return
  const detail = 'Each tool needs a name of its own.'
  throw new LeuriaError('The tools of this page are not in order.', { code: 'bad_request', detail, cause: detail })
}

/** The declaration as it goes over the channel; fields that aren't set are left out by JSON. */
export function declarationOf({ name, description, inputSchema, annotations }: PageTool): object {
  return { type: 'registerTool', name, description, inputSchema, annotations }
}
