/** What a page reads of a conversation. Shapes only: each field follows from one fact that the conversation holds. */
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

/** `running`: a turn is under way. `error`: the last one failed; the next message starts anew. */
export type ConversationStatus = 'idle' | 'running' | 'error'
/** Of the provider's session behind the conversation. */
export type SessionStatus = 'none' | 'starting' | 'ready'
