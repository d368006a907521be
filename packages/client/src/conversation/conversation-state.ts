/** Where a conversation stands: what a page reads, and the two small state machines behind it. */
import type { LeuriaError } from '../errors.js'
import type { Message, ToolCallPart } from '../message/message.js'
import type { ProviderInfo } from '../provider/provider.js'

/** Immutable; the same object until something changed, and in a new one only what changed is new. */
export interface ConversationState {
  readonly messages: readonly Message[]
  readonly status: ConversationStatus
  /** With `error`: what the visitor may be told. */
  readonly error: LeuriaError | null
  /** Who answers, or answered last. */
  readonly provider: ProviderInfo | null
  readonly session: SessionStatus
  /** Messages that wait for the turn under way. */
  readonly queued: number
  /** Calls that the visitor has to answer. */
  readonly pendingInputs: readonly ToolCallPart[]
}

/** `error`: the last turn failed; the next message starts anew. */
export type ConversationStatus = 'idle' | 'running' | 'error'
/** Of the provider's session behind the conversation. */
export type SessionStatus = 'none' | 'starting' | 'ready'

export type StatusStep = 'begin' | 'finish' | 'fail' | 'stop' | 'reset'
export type SessionStep = 'open' | 'opened' | 'drop'

export const STATUS_STEPS: Readonly<Record<ConversationStatus, Readonly<Record<StatusStep, ConversationStatus>>>> = {
  idle: { begin: 'running', finish: 'idle', fail: 'error', stop: 'idle', reset: 'idle' },
  running: { begin: 'running', finish: 'idle', fail: 'error', stop: 'idle', reset: 'idle' },
  error: { begin: 'running', finish: 'idle', fail: 'error', stop: 'error', reset: 'idle' },
}

export const SESSION_STEPS: Readonly<Record<SessionStatus, Readonly<Record<SessionStep, SessionStatus>>>> = {
  none: { open: 'starting', opened: 'none', drop: 'none' },
  starting: { open: 'starting', opened: 'ready', drop: 'none' },
  ready: { open: 'starting', opened: 'ready', drop: 'none' },
}
