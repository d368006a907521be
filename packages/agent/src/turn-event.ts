/**
 * What an AI reports while it works on a turn. Adapters make these; sessions turn them into stream events.
 * Every turn ends with exactly one `turn_end`, unless the iterator throws.
 */
import type { StopReason, ToolCallStatus } from '@leuria/protocol'

/** A call of a tool, when it begins and at each change. */
export interface ToolCallEvent {
  type: 'tool_call'
  toolCallId: string
  title?: string
  kind?: string
  status?: ToolCallStatus
  /** `mcp__webmcp__<name>` for the page's tools. */
  toolName?: string
}

export type TurnEvent =
  /** A piece of the answer, in order. Never empty. */
  | { type: 'text'; text: string }
  /** A piece of the AI's reasoning. */
  | { type: 'thought'; text: string }
  | ToolCallEvent
  /** A permission the AI asked for and what the engine's policy said. */
  | { type: 'permission'; toolName: string; allow: boolean }
  /** What the AI is busy with before it can answer, in plain words. */
  | { type: 'status'; text: string }
  /** What the turn has used so far, from the AI's own figures. */
  | { type: 'usage'; inputTokens?: number; outputTokens?: number }
  | { type: 'turn_end'; stopReason: StopReason }
