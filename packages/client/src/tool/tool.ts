/** What a page lets an AI call: tools, their outcomes, and the layers around each call. Shapes only. */
import type { TurnContextData } from '../message/message.js'
import type { SchemaInput } from './schema-input.js'

export interface ToolContext {
  /** What the page gave along with the message (`send(input, { context })`). */
  readonly context: TurnContextData
  /** Which call of this tool in this turn it is, from 1. */
  readonly callCount: number
  readonly callId: string
  readonly turnId: string
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
  /** Ends the turn as a success with this outcome; what the AI still says is dropped. */
  readonly endTurn: (outcome?: unknown) => void
}

export interface Tool<Args = unknown> {
  /** Unique in a conversation; `submit_result` is reserved. */
  name: string
  description: string
  /** JSON Schema for an object, or a Standard Schema validator that can tell its JSON Schema. @default any object */
  inputSchema?: SchemaInput
  /**
   * Runs in the page; texts reach the AI as they are, anything else as JSON. Without it the call waits for the visitor
   * (`pendingInputs`, `submitToolResult`, `rejectToolCall`). Arguments come from the AI: check them, or give a validator.
   */
  execute?: (args: Args, context: ToolContext) => unknown
  /** MCP tool annotations, for example `{ readOnlyHint: true }`. */
  annotations?: object
}

export interface ToolCall {
  readonly callId: string
  readonly turnId: string
  readonly name: string
  readonly args: unknown
  readonly context: TurnContextData
}

export type ToolOutcome =
  { readonly ok: true; readonly result: unknown } | { readonly ok: false; readonly error: string }

/** A layer around each tool call; the client's are outermost. What it throws becomes a failed outcome. */
export type Middleware = (
  call: ToolCall,
  next: (call?: ToolCall) => Promise<ToolOutcome>,
) => ToolOutcome | Promise<ToolOutcome>
