/** Stream events, narrowed: name and JSON text → a typed event. `null`: unknown, malformed, or not for pages. */
import type { StreamEvent, StreamEventData } from '@leuria/protocol/browser'
import { asText, fieldsOf, parseJson } from './unknown-value.js'

/** What a session tells its page of what the engine says. `webmcp_ready` is the transport's own. */
export type EngineEvent = Exclude<StreamEvent, { event: 'webmcp_ready' }>

type Name = EngineEvent['event']

const TOOL_CALL_STATUSES = ['pending', 'in_progress', 'completed', 'failed'] as const
const STOP_REASONS = ['end_turn', 'max_tokens', 'max_turns', 'refusal', 'cancelled'] as const

function oneOf<T>(known: readonly T[], value: unknown): T | undefined {
  return known.find((each) => each === value)
}

function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

const nothing = (): null => null

/** Name → how its data is read; `undefined`: it can't be. Data that isn't an object reads as one without fields. */
const READERS: { readonly [N in Name]: (data: unknown) => StreamEventData[N] | undefined } = {
  ready: nothing,
  turn_start: nothing,
  completed: nothing,
  cancelled: nothing,
  chunk: asText,
  thought: asText,
  log: asText,
  failed: (data) => asText(data) ?? '',
  tool_call: (data) => {
    const { toolCallId, title, kind, status, toolName } = fieldsOf(data)
    if (typeof toolCallId !== 'string') return undefined
    const known = oneOf(TOOL_CALL_STATUSES, status)
    return { toolCallId, title: asText(title), kind: asText(kind), status: known, toolName: asText(toolName) }
  },
  turn_completed: (data) => {
    const { text, durationMs, stopReason } = fieldsOf(data)
    const known = oneOf(STOP_REASONS, stopReason)
    return { text: asText(text) ?? '', durationMs: asNumber(durationMs) ?? 0, stopReason: known }
  },
  permission: (data) => {
    const { toolName, allow } = fieldsOf(data)
    return typeof toolName === 'string' && typeof allow === 'boolean' ? { toolName, allow } : undefined
  },
  status: (data) => {
    const text = asText(fieldsOf(data).text)
    return text === undefined ? undefined : { text }
  },
  usage: (data) => {
    const { inputTokens, outputTokens } = fieldsOf(data)
    return { inputTokens: asNumber(inputTokens), outputTokens: asNumber(outputTokens) }
  },
}

function isKnown(name: string): name is Name {
  return Object.hasOwn(READERS, name)
}

/** @param data the event's `data:` as it came */
export function readEvent(name: string, data: string): EngineEvent | null {
  if (!isKnown(name)) return null
  const known = READERS[name](parseJson(data))
  // The table pairs each name with its own data; a union over both can't be told to the compiler otherwise.
  return known === undefined ? null : ({ event: name, data: known } as EngineEvent)
}
