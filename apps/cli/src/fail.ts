/** How a command ends when it can't do what was asked: one plain line, exit code 1, never a stack trace for a person's mistake. */

/** Something the person can mend; the message says how. */
export class UserError extends Error {
  override readonly name = 'UserError'
}

/** Prints why and sets the exit code. Only a fault of the program itself shows its stack. */
export function failWith(error: unknown): void {
  process.exitCode = 1
  if (error instanceof UserError || isPlain(error)) console.error(`leuria: ${error.message}`)
  else console.error(error)
}

/** Errors of the parts whose messages are written for people. */
const PLAIN_ERRORS: ReadonlySet<string> = new Set([
  'EngineError',
  'AgentError',
  'StateError',
  'ListenError',
  'RegistryError',
])

function isPlain(error: unknown): error is Error {
  return error instanceof Error && PLAIN_ERRORS.has(error.name)
}
