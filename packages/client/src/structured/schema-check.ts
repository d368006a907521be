/** Checking a value against a page's JSON Schema. Loaded only when an answer must have a shape: it brings a library along. */
import { type SchemaDraft, Validator } from '@cfworker/json-schema'
import type { JsonSchema } from '../tool/schema-input.js'

/** How many faults an AI is told at most; the first ones say what to mend. */
const MAX_FAULTS = 5

/** What doesn't fit, in words for the AI; `null`: it fits. Throws for a schema that is none. */
export function schemaFaults(schema: JsonSchema, value: unknown): string | null {
  const { valid, errors } = new Validator(schema, draftOf(schema), false).validate(value)
  if (valid) return null
  // A parent's fault only says that a child has one.
  const own = errors.filter(({ instanceLocation }, at) => {
    const next = errors[at + 1]?.instanceLocation
    return next === undefined || next === instanceLocation || !next.startsWith(`${instanceLocation}/`)
  })
  return own
    .slice(0, MAX_FAULTS)
    .map(({ instanceLocation, error }) => `${instanceLocation.replace(/^#\/?/, '') || 'the answer'}: ${error}`)
    .join('; ')
}

function draftOf({ $schema }: JsonSchema): SchemaDraft {
  const year = /draft-0?(4|7)|draft\/(2019-09)/.exec(String($schema))
  return (year?.[1] ?? year?.[2] ?? '2020-12') as SchemaDraft
}
