/** What a page gives as a schema, read: its JSON Schema for the AI. Checking what the AI sends is `check-standard`'s. */
import { badSchema } from '../errors.js'
import type { JsonSchema, SchemaInput, StandardSchema } from './schema-input.js'

/** True for a validator of zod, valibot, arktype and others; false for a JSON Schema. */
export function isStandard(schema: SchemaInput): schema is StandardSchema {
  return '~standard' in schema
}

/**
 * Gives a validator that can't tell its JSON Schema (zod/mini, valibot) one, for example
 * `withJsonSchema(schema, z.toJSONSchema(schema, { io: 'input' }))`.
 */
export function withJsonSchema<Output>(schema: StandardSchema<Output>, jsonSchema: object): StandardSchema<Output> {
  return { '~standard': { ...schema['~standard'], jsonSchema: { input: () => ({ ...jsonSchema }) } } }
}

/** The JSON Schema of what may be sent, as plain data. @throws LeuriaError `bad_schema` when a validator can't tell it */
export function jsonSchemaOf(schema: SchemaInput): JsonSchema {
  if (!isStandard(schema)) return schema
  const { vendor, jsonSchema } = schema['~standard']
  const { toJsonSchema } = schema as { toJsonSchema?: () => object }
  try {
    // Validators add members of their own, which must not reach an AI.
    const found: unknown = JSON.parse(
      JSON.stringify(jsonSchema ? jsonSchema.input({ target: 'draft-2020-12' }) : toJsonSchema?.call(schema)),
    )
    return found as JsonSchema
  } catch (cause) {
    const words = `A ${vendor} schema of this page has no JSON Schema; give it one: withJsonSchema(schema, jsonSchema).`
    throw badSchema(words, cause)
  }
}
