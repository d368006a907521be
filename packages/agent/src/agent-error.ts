/** Why an AI could not start or finish a turn: a code to act on and words for people. */

export const AGENT_ERROR_CODES = [
  /** Nothing answers: the service isn't running, the program isn't installed. */
  'unavailable',
  /** The AI wants the visitor to sign in, or refused the key. */
  'signed_out',
  /** The AI asks to slow down; tries were made. */
  'rate_limited',
  /** The chosen model doesn't exist or can't do this. */
  'model_missing',
  /** The conversation is longer than the model can take. */
  'too_long',
  /** The AI answered with an error or something unreadable. */
  'failed',
  /** The AI ended in the middle of a turn. */
  'crashed',
  /** Nothing came within the limit. */
  'timed_out',
] as const
export type AgentErrorCode = (typeof AGENT_ERROR_CODES)[number]

/** Thrown by adapters. The message is shown in `failed` events: plain words, no secrets. */
export class AgentError extends Error {
  override readonly name = 'AgentError'
  constructor(
    readonly code: AgentErrorCode,
    message: string,
    options: { cause?: unknown } = {},
  ) {
    super(message, options)
  }
}
