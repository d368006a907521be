/**
 * The errors of this package. `message` is plain words that a visitor may read; `detail` is what the engine said, for logs;
 * `code` and `status` are what to branch on.
 */

export interface LeuriaErrorOptions {
  /** HTTP status of the engine's answer, when there was one. */
  status?: number
  /** What to branch on: the engine's own code, or one of this package's (README, Errors). */
  code?: string
  /** The engine's own words. For logs, never for visitors. */
  detail?: string
  /** Whole seconds until it is worth trying again. */
  retryAfterS?: number
  cause?: unknown
}

/** Everything that this package throws or reports. */
export class LeuriaError extends Error {
  override name = 'LeuriaError'
  declare readonly status?: number
  declare readonly code?: string
  declare readonly detail?: string
  declare readonly retryAfterS?: number

  constructor(message: string, { cause, ...facts }: LeuriaErrorOptions = {}) {
    super(message, { cause })
    Object.assign(this, facts)
  }
}

/** The visitor hasn't connected this site, said no, or took the connection back. */
export class LeuriaNotConnectedError extends LeuriaError {
  override name = 'LeuriaNotConnectedError'
}

/** Nothing readable came from the engine: it isn't running, or isn't installed. */
export class LeuriaNotRunningError extends LeuriaNotConnectedError {
  override name = 'LeuriaNotRunningError'

  constructor(
    message = "Leuria isn't running on this computer, or isn't installed.",
    options: LeuriaErrorOptions = {},
  ) {
    super(message, { code: 'not_running', ...options })
  }
}

/** The caller called it off. */
export class AbortError extends LeuriaError {
  override name = 'AbortError'

  constructor(message = 'This was stopped.', options: LeuriaErrorOptions = {}) {
    super(message, { code: 'aborted', ...options })
  }
}

/** What the caller's own signal ends something with. */
export function stopped(signal: AbortSignal): AbortError {
  return new AbortError(undefined, { cause: signal.reason })
}

/** The engine took longer than this package waits. */
export class TimeoutError extends LeuriaError {
  override name = 'TimeoutError'

  constructor(message = 'Leuria took too long to answer.', options: LeuriaErrorOptions = {}) {
    super(message, { code: 'timeout', ...options })
  }
}

/** The engine said something that this package can't read. */
export function badAnswer(): LeuriaError {
  return new LeuriaError('Leuria answered with something unreadable.', { code: 'bad_answer' })
}

/** This site has no permission, or no longer has one. */
export function notConnected(options: LeuriaErrorOptions = {}): LeuriaNotConnectedError {
  return new LeuriaNotConnectedError("This site isn't connected to Leuria.", { code: 'not_paired', ...options })
}

/** Ours as it is; anything else means that nothing readable came. */
export function toLeuriaError(error: unknown): LeuriaError {
  return error instanceof LeuriaError ? error : new LeuriaNotRunningError(undefined, { cause: error })
}

/** Ours as it is; anything else that a provider or a page's code threw means that the AI can't go on. */
export function aiFailed(error: unknown): LeuriaError {
  if (error instanceof LeuriaError) return error
  const detail = messageOf(error)
  return new LeuriaError('The AI stopped because of an error.', { code: 'ai_failed', detail, cause: error })
}

/** What a thrown value says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** A page's schema that is of no use. */
export function badSchema(message: string, cause: unknown): LeuriaError {
  return new LeuriaError(message, { code: 'bad_schema', detail: messageOf(cause), cause })
}
