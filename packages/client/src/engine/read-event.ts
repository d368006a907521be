/** Stream events, narrowed: name and JSON text → a typed event. `null`: unknown, malformed, or not for pages. */
import type { StreamEvent, ToolCallData, TurnCompletedData } from '@leuria/protocol/browser'
import { asText, type Fields, isFields, parseJson } from './unknown-value.js'

/** What a session tells its page of what the engine says. `webmcp_ready` is the transport's own. */
export type EngineEvent = Exclude<StreamEvent, { event: 'webmcp_ready' }>

type EngineEventName = EngineEvent['event']
type Reader = (data: unknown) => EngineEvent | null

const TOOL_CALL_STATUSES: readonly string[] = ['pending', 'in_progress', 'completed', 'failed']
const STOP_REASONS: readonly string[] = ['end_turn', 'max_tokens', 'max_turns', 'refusal', 'cancelled']

function isToolCallStatus(value: unknown): value is ToolCallData['status'] {
  return typeof value === 'string' && TOOL_CALL_STATUSES.includes(value)
}

function isStopReason(value: unknown): value is TurnCompletedData['stopReason'] {
  return typeof value === 'string' && STOP_REASONS.includes(value)
}

function toolCall({ toolCallId, title, kind, status, toolName }: Fields): EngineEvent | null {
  if (typeof toolCallId !== 'string') return null
  const data: ToolCallData = { toolCallId }
  if (typeof title === 'string') data.title = title
  if (typeof kind === 'string') data.kind = kind
  if (isToolCallStatus(status)) data.status = status
  if (typeof toolName === 'string') data.toolName = toolName
  return { event: 'tool_call', data }
}

function turnCompleted({ text, durationMs, stopReason }: Fields): EngineEvent {
  const data: TurnCompletedData = {
    text: asText(text) ?? '',
    durationMs: typeof durationMs === 'number' ? durationMs : 0,
  }
  if (isStopReason(stopReason)) data.stopReason = stopReason
  return { event: 'turn_completed', data }
}

function usage({ inputTokens, outputTokens }: Fields): EngineEvent {
  return {
    event: 'usage',
    data: {
      ...(typeof inputTokens === 'number' ? { inputTokens } : {}),
      ...(typeof outputTokens === 'number' ? { outputTokens } : {}),
    },
  }
}

/** Name → how its data is read. A member that isn't an object reads as one without fields. */
const READERS: Readonly<Record<EngineEventName, Reader>> = {
  ready: () => ({ event: 'ready', data: null }),
  turn_start: () => ({ event: 'turn_start', data: null }),
  completed: () => ({ event: 'completed', data: null }),
  cancelled: () => ({ event: 'cancelled', data: null }),
  chunk: (data) => (typeof data === 'string' ? { event: 'chunk', data } : null),
  thought: (data) => (typeof data === 'string' ? { event: 'thought', data } : null),
  log: (data) => (typeof data === 'string' ? { event: 'log', data } : null),
  failed: (data) => ({ event: 'failed', data: asText(data) ?? '' }),
  tool_call: (data) => toolCall(isFields(data) ? data : {}),
  turn_completed: (data) => turnCompleted(isFields(data) ? data : {}),
  usage: (data) => usage(isFields(data) ? data : {}),
  permission: (data) =>
    isFields(data) && typeof data.toolName === 'string' && typeof data.allow === 'boolean'
      ? { event: 'permission', data: { toolName: data.toolName, allow: data.allow } }
      : null,
  status: (data) =>
    isFields(data) && typeof data.text === 'string' ? { event: 'status', data: { text: data.text } } : null,
}

function isKnown(name: string): name is EngineEventName {
  return Object.hasOwn(READERS, name)
}

/** @param data the event's `data:` as it came */
export function readEvent(name: string, data: string): EngineEvent | null {
  return isKnown(name) ? READERS[name](parseJson(data)) : null
}
