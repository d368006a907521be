/** Why an agent can't be found, installed or added: a code to act on and words for people. */

export const REGISTRY_ERROR_CODES = [
  /** Neither in the list, nor installed, nor on this computer. */
  'unknown_agent',
  /** Nothing of it fits this computer. */
  'not_for_this_computer',
  /** It wants a newer Node.js than the one that runs here. */
  'needs_newer_node',
  /** npm, uv or an unpacker isn't there. */
  'needs_program',
  /** Nothing could be fetched. What is installed keeps working. */
  'offline',
  /** Its maker gives no checksum, and the visitor did not insist. */
  'unverified',
  /** What came isn't what its checksum says. */
  'wrong_checksum',
  /** An archive or package that is damaged or tries to write elsewhere. */
  'bad_package',
  'install_failed',
  'cancelled',
  /** An id, command line or variable that can't be used. */
  'invalid',
  /** The id belongs to another agent. */
  'taken',
] as const
export type RegistryErrorCode = (typeof REGISTRY_ERROR_CODES)[number]

/** The message is for people: plain words, no secrets. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError'
  constructor(
    readonly code: RegistryErrorCode,
    message: string,
    options: { cause?: unknown } = {},
  ) {
    super(message, options)
  }
}

/** Throws when the install was called off. */
export function checkCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new RegistryError('cancelled', 'The installation was called off.')
}
