/** What an AI sends, checked by the validator that a page gave as a schema. */
import { isStandard } from './read-schema.js'
import type { SchemaInput } from './schema-input.js'

/** What came of checking a value. */
export type Checked = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: string }

/** Asks a validator; the value may come out changed. A JSON Schema isn't checked here: anything passes. */
export async function checkStandard(schema: SchemaInput | undefined, value: unknown): Promise<Checked> {
  if (!schema || !isStandard(schema)) return { ok: true, value }
  const result = await schema['~standard'].validate(value)
  if (!result.issues) return { ok: true, value: result.value }
  return { ok: false, error: result.issues.map(({ message, path }) => [pathText(path), message].join('')).join('; ') }
}

function pathText(path: readonly unknown[] = []): string {
  const keys = path.map((step) => String(typeof step === 'object' && step && 'key' in step ? step.key : step))
  return keys.length > 0 ? `${keys.join('.')}: ` : ''
}
