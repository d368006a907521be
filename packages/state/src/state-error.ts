/**
 * What can go wrong with private files: one class, codes to act on, words for people.
 * Never reaches the wire: whoever answers a request turns it into an `EngineError`.
 */

export const STATE_ERROR_CODES = [
  /** No space or quota left. Nothing was changed. */
  'disk_full',
  /** The folder or file may not be written. Nothing was changed. */
  'not_writable',
  /** The file exists and can't be read, so nothing may be assumed about what it says. */
  'unreadable',
  /** Writing failed in another way (EIO and the like). */
  'write_failed',
  /** A newer Leuria wrote the file. It is left alone. */
  'newer_version',
  /** Another process held the file's lock for the whole wait. */
  'locked',
  /** The value to be written doesn't fit the file's own schema: a mistake in the calling code. */
  'invalid_value',
  /** Used after `close`. */
  'closed',
] as const
export type StateErrorCode = (typeof STATE_ERROR_CODES)[number]

/** A private file could not be read or changed. The message says what happened and what to do. */
export class StateError extends Error {
  override readonly name = 'StateError'
  constructor(
    readonly code: StateErrorCode,
    message: string,
    options: { cause?: unknown } = {},
  ) {
    super(message, options)
  }
}

/** The system's code (`ENOSPC`), or `undefined` when the error has none. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
const FORBIDDEN = new Set(['EACCES', 'EPERM', 'EROFS'])

/** Says in words what kept `path` from being written; a `StateError` passes through. */
export function writeError(path: string, cause: unknown): StateError {
  if (cause instanceof StateError) return cause
  const errno = errnoOf(cause)
  if (errno !== undefined && FULL.has(errno))
    return new StateError('disk_full', `There is no space left to save ${path}. Free some space and try again.`, {
      cause,
    })
  if (errno !== undefined && FORBIDDEN.has(errno))
    return new StateError('not_writable', `${path} can't be written. Check who owns the folder and its permissions.`, {
      cause,
    })
  return new StateError('write_failed', `${path} could not be saved (${errno ?? 'unknown error'}).`, { cause })
}

/** Says in words that `path` exists and can't be read. */
export function readError(path: string, cause: unknown): StateError {
  if (cause instanceof StateError) return cause
  return new StateError(
    'unreadable',
    `${path} can't be read (${errnoOf(cause) ?? 'unknown error'}). Check who owns it and its permissions.`,
    { cause },
  )
}
