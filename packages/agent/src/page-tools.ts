/**
 * What an AI is given to work with: the page's tools, resources and prompts, and nothing else.
 * `@leuria/page-tools` is the one implementation; every kind of AI uses the same object.
 */

/** A tool as the page declared it, cleaned: unknown types dropped, a missing schema filled in. */
export interface PageTool {
  /** The page's own spelling. */
  readonly name: string
  readonly description: string
  /** A JSON Schema for an object. */
  readonly inputSchema: JsonObject
  readonly annotations?: JsonObject
}

export interface PageResource {
  readonly uri: string
  readonly name: string
  readonly description?: string
  readonly mimeType?: string
}

export interface PagePrompt {
  readonly name: string
  readonly description?: string
  /** MCP prompt arguments, as declared. */
  readonly arguments?: readonly { name: string; description?: string; required?: boolean }[]
}

export type JsonObject = { readonly [key: string]: unknown }

/**
 * Says that nobody waits any more. Any `AbortSignal` is one; whoever makes thousands of short calls may bring something
 * that costs less to make.
 */
export interface CallSignal {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** One call, as the AI makes it. */
export interface PageToolCall {
  /** The page's spelling of the tool's name. */
  name: string
  /** From the AI: checked against the tool's schema before the page sees it. Missing counts as `{}`. */
  arguments: unknown
  /** Aborted when the turn is cancelled: the page is told that nobody waits. */
  signal?: CallSignal
}

/** A piece of a rich result (MCP content blocks); only pages that send `content` make these. */
export type ToolContent =
  | { type: 'text'; text: string }
  | { type: 'image'; data: string; mimeType: string }
  | { type: 'resource'; resource: JsonObject }
  | { type: 'resource_link'; uri: string; name: string }

/** How a call ended. A failure is told to the AI as a failed tool call; it never throws. */
export type ToolOutcome =
  | { ok: true; text: string; content?: readonly ToolContent[]; structuredContent?: JsonObject }
  | { ok: false; code: ToolFailure; error: string }

export const TOOL_FAILURES = [
  'unknown_tool',
  'invalid_arguments',
  'over_budget',
  'not_connected',
  'page_error',
  'timed_out',
  'cancelled',
  'session_ended',
  'too_large',
] as const
export type ToolFailure = (typeof TOOL_FAILURES)[number]

/** A limit that an adapter sets for the turn that begins. */
export interface CallLimit {
  /** Calls that are let through, 1 or more. */
  readonly maxCalls: number
  /** A call came that isn't: it was refused. Told once. */
  onOver(): void
}

/** The page's tools as an AI sees them. Lists are snapshots: a new array after each change. */
export interface PageTools {
  listTools(): readonly PageTool[]
  listResources(): readonly PageResource[]
  listPrompts(): readonly PagePrompt[]
  /** Calls a tool of the page. Never rejects. */
  call(call: PageToolCall): Promise<ToolOutcome>
  /**
   * Lets this many more calls through until the turn ends, whoever makes them and by whatever way they come: for AIs that
   * don't hold themselves to a number of steps. Another one takes its place.
   */
  limitCalls(limit: CallLimit): void
  /** Reads a resource. `value` is what the page answered. Never rejects. */
  readResource(uri: string, signal?: CallSignal): Promise<PageValue>
  /** Fills in a prompt. `value` is what the page answered. Never rejects. */
  getPrompt(name: string, args: unknown, signal?: CallSignal): Promise<PageValue>
  /** Tells when a list changed. Returns its undo. */
  subscribe(listener: (list: 'tools' | 'resources' | 'prompts') => void): () => void
}

export type PageValue = { ok: true; value: unknown } | { ok: false; code: ToolFailure; error: string }
