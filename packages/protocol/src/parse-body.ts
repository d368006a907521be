/** One way from an unknown value to a typed one: the schema's word, or a 400 that says what is wrong and where. */
import * as z from 'zod/mini'
import { EngineError } from './engine-error.js'

/** `attachments[2].data` */
function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at === 0 ? '' : '.'}${String(part)}`))
    .join('')
}

/**
 * The value as the schema has it.
 * @throws EngineError `bad_request`, naming the first field that doesn't fit.
 */
export function parseBody<Schema extends z.core.$ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = z.safeParse(schema, value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const where = issue === undefined ? '' : formatPath(issue.path)
  const what = issue?.message ?? 'it has the wrong shape'
  throw new EngineError(
    'bad_request',
    where === '' ? `Malformed request: ${what}` : `Malformed request: ${where}: ${what}`,
  )
}
