/** The answer didn't take the shape that was asked for. */
import { LeuriaError, type LeuriaErrorOptions } from '../errors.js'

/** Thrown when an answer doesn't fit its schema, after the AI was told once. */
export class StructuredOutputError extends LeuriaError {
  override name = 'StructuredOutputError'

  constructor(
    /** What the AI wrote instead. */
    readonly text: string,
    options: LeuriaErrorOptions = {},
  ) {
    super('The AI’s answer didn’t have the right form.', { code: 'bad_output', ...options })
  }
}
