/** What the engine's events and the page's own tool calls mean for the chat. Pure; most events mean nothing. */
import type { BridgeEvent } from '@leuria/client'
import type { CallReport } from '../tools/report-calls.js'
import type { ChatEvent } from './chat-state.js'

/** The part of a tool's full name that comes before the page's own. */
const TOOL_PREFIX = /^mcp__webmcp__/u

export function callEvent(call: CallReport): ChatEvent {
  const { callId: id, tool } = call
  if (call.kind === 'began') return { type: 'call_began', id, tool, args: call.args }
  if (call.kind === 'ended') return { type: 'call_ended', id, result: call.result }
  return { type: 'call_failed', id, error: call.error }
}

/** Ends of the session aren't here: what they mean depends on why it ended. */
export function chatEvents(event: BridgeEvent): ChatEvent[] {
  switch (event.event) {
    case 'ready':
    case 'turn_start':
      return [{ type: 'ai_started' }]
    case 'chunk':
      return [{ type: 'text', text: event.data }]
    case 'status':
      return [{ type: 'busy_with', text: event.data.text }]
    case 'tool_call':
      return reportedCall(event.data)
    case 'turn_completed':
      return [endOfTurn(event.data.stopReason)]
    case 'reconnecting':
    case 'reconnected':
      return [{ type: event.event }]
    default:
      return []
  }
}

function reportedCall(call: Extract<BridgeEvent, { event: 'tool_call' }>['data']): ChatEvent[] {
  const name = call.toolName ?? call.title
  if (name === undefined || call.status === undefined || call.status === 'pending') return []
  const status = ({ in_progress: 'running', completed: 'done', failed: 'failed' } as const)[call.status]
  return [{ type: 'call_reported', id: call.toolCallId, tool: name.replace(TOOL_PREFIX, ''), status }]
}

type StopReason = Extract<BridgeEvent, { event: 'turn_completed' }>['data']['stopReason']

function endOfTurn(reason: StopReason): ChatEvent {
  switch (reason) {
    case 'cancelled':
      return { type: 'ended', how: 'stopped' }
    case 'max_turns':
      return { type: 'ended', how: 'done', notice: 'Your AI has used all its steps for one answer.' }
    case 'max_tokens':
      return { type: 'ended', how: 'done', notice: 'The answer was cut because it got too long.' }
    case 'refusal':
      return { type: 'ended', how: 'done', notice: 'Your AI chose not to answer this.' }
    case 'end_turn':
    case undefined:
      return { type: 'ended', how: 'done' }
  }
}
