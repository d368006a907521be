/** The states a session can be in (Sessions, Lifecycle). */

export const SESSION_STATUSES = ['pending_approval', 'running', 'idle', 'completed', 'cancelled', 'failed'] as const

/** Where a session is in its life. The last three are its ends. */
export type SessionStatus = (typeof SESSION_STATUSES)[number]

/** True while the session can still do something: it counts towards its origin's limit. */
export function isLive(status: SessionStatus): boolean {
  return status === 'pending_approval' || status === 'running' || status === 'idle'
}

/** Why a turn ended (additive field of `turn_completed`; the names are ACP's, `max_turns` for a used up step budget). */
export const STOP_REASONS = ['end_turn', 'max_tokens', 'max_turns', 'refusal', 'cancelled'] as const
export type StopReason = (typeof STOP_REASONS)[number]

/** Where a tool call is (`tool_call` events; the names are ACP's). */
export const TOOL_CALL_STATUSES = ['pending', 'in_progress', 'completed', 'failed'] as const
export type ToolCallStatus = (typeof TOOL_CALL_STATUSES)[number]
