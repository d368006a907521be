/** What a page has of one running AI. The shapes only; the session itself is `engine-session`'s. */
import type { Attachment } from '@leuria/protocol/browser'
import type { LeuriaError } from '../errors.js'
import type { EngineEvent } from './read-event.js'
import type { SessionPhase } from './session-state.js'

/** Which of a session's two connections. */
export type SessionLink = 'stream' | 'channel'

/** The engine's events (Stream events), and two of the client's own about its connections. */
export type BridgeEvent =
  | EngineEvent
  /** A connection dropped; attempt number `attempt` (from 1) follows. */
  | { event: 'reconnecting'; data: { link: SessionLink; attempt: number } }
  | { event: 'reconnected'; data: { link: SessionLink } }

export type SessionOutcome = 'completed' | 'cancelled' | 'failed'

export interface PromptOptions {
  /** At most 10. */
  attachments?: readonly Attachment[]
  /** Gives the prompt up: the turn, if it has begun, is cancelled. */
  signal?: AbortSignal
}

/** One running AI for this page. Made by `BridgeClient.startSession`; what it is made of is loaded with the first one. */
export abstract class BridgeSession {
  abstract readonly id: string
  /** `starting` until the AI is up, then `idle` and `running` in turns, then `ended` for good. */
  abstract get status(): SessionPhase
  /** The text of the turn under way, or of the last one. */
  abstract get text(): string
  /** How it ended; `null` while it lives. */
  abstract get outcome(): SessionOutcome | null
  /** Why it failed. */
  abstract get error(): LeuriaError | null
  /** Hears everything from the session's beginning, if it is the first listener. Returns its undo. */
  abstract onEvent(listener: (event: BridgeEvent) => void): () => void
  /**
   * Asks the AI; resolves when the engine has taken the prompt, the answer comes as events. Waits while the AI is starting.
   * @throws LeuriaError `busy` during a turn, `ended` after the end; AbortError; what the engine answers
   */
  abstract prompt(prompt: string, options?: PromptOptions): Promise<void>
  /** Stops the turn under way and keeps the session. Nothing to stop: nothing happens. */
  abstract cancelTurn(): Promise<void>
  /** Ends the session as `cancelled`. Resolves when the engine knows, or can't be reached. */
  abstract cancel(): Promise<void>
  /** Ends the session as `completed`. The request outlives the page. Resolves when the engine knows, or can't be reached. */
  abstract close(): Promise<void>
  /** @internal The session can't go on. */
  abstract fail(error: LeuriaError): void
}
