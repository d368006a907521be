/**
 * The events of `GET /session/:id/stream` (Stream events) and what each carries.
 * Types only: the engine writes them, a client reads them. Fields marked additive are ours; clients ignore what they don't know.
 */
import type { StopReason, ToolCallStatus } from './session-status.js'

/** `tool_call`: one for each call and each change of it. */
export interface ToolCallData {
  toolCallId: string
  title?: string
  kind?: string
  status?: ToolCallStatus
  /** `mcp__webmcp__<name>` for the page's tools. */
  toolName?: string
}

export interface TurnCompletedData {
  /** The whole turn's text. */
  text: string
  durationMs: number
  /** Additive. */
  stopReason?: StopReason
}

/** Event name → data. `null` is written as the JSON word. */
export interface StreamEventData {
  webmcp_ready: { registrationToken: string; webmcpUrl: string }
  ready: null
  turn_start: null
  chunk: string
  thought: string
  tool_call: ToolCallData
  permission: { toolName: string; allow: boolean }
  log: string
  turn_completed: TurnCompletedData
  completed: null
  cancelled: null
  failed: string
  /** Additive: what the AI is busy with in plain words, for example "Loading the model". */
  status: { text: string }
  /** Additive: what the turn has used so far, from the AI's own figures. */
  usage: { inputTokens?: number; outputTokens?: number }
}

export type StreamEventName = keyof StreamEventData

/** One event, as a union over its name. */
export type StreamEvent = { [Name in StreamEventName]: { event: Name; data: StreamEventData[Name] } }[StreamEventName]

/** Events after which the stream ends. */
export const FINAL_EVENTS = ['completed', 'cancelled', 'failed'] as const satisfies readonly StreamEventName[]

/** Events that the page doesn't name; a client may meet them and must ignore them if it doesn't know them. */
export const ADDITIVE_EVENTS = ['status', 'usage'] as const satisfies readonly StreamEventName[]
