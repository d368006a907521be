/**
 * Checks an AI's arguments against a tool's JSON Schema, interpreting it: no code is ever made from a page's words.
 * Draft 2020-12 unless `$schema` names 4, 6, 7 or 2019-09. References stay inside the schema; nothing is fetched.
 */
import { dereference, type OutputUnit, type Schema, type SchemaDraft, validate } from '@cfworker/json-schema'
import type { JsonObject } from '@leuria/agent'
import { CheckEffort, EffortExceeded } from './check-effort.js'
import { BrokenSchema, checkableSchema } from './checkable-schema.js'
import type { JsonExtent } from './json-extent.js'
import { isJsonObject } from './plain-object.js'
import { listFaults } from './schema-faults.js'

export interface ArgumentCheck {
  /** What keeps the schema from being used; then nothing is checked. */
  readonly broken?: string
  /** What is wrong with the arguments, or `null`: they fit, or it can't be told within the effort allowed. */
  faults(args: JsonObject, extent: JsonExtent): string | null
}

interface Compiled {
  schema: Schema | boolean
  draft: SchemaDraft
  lookup: Record<string, Schema | boolean>
  effort: CheckEffort
}

const EMPTY: JsonExtent = { length: 2, nodes: 1, depth: 1, longestText: 0, widest: 0 }

/** Prepares a check once per declaration. Never throws: a broken schema makes a check that lets everything pass. */
export function createArgumentCheck(schema: JsonObject): ArgumentCheck {
  if (asksForNothing(schema)) return { faults: () => null }
  try {
    const compiled = compile(schema)
    // Finds a schema that refers to itself without end before an AI does.
    run(compiled, {}, EMPTY)
    return { faults: (args, extent) => tryRun(compiled, args, extent) }
  } catch (error) {
    return { broken: describe(error), faults: () => null }
  }
}

function compile(schema: JsonObject): Compiled {
  const effort = new CheckEffort()
  const copy = checkableSchema(schema, effort)
  const lookup = dereference(copy)
  for (const part of Object.values(lookup)) {
    if (typeof part === 'boolean' || part.$ref === undefined) continue
    if (lookup[part.__absolute_ref__ ?? ''] === undefined)
      throw new BrokenSchema(`$ref "${part.$ref.slice(0, 100)}" leads to nothing in this schema`)
  }
  return { schema: copy, draft: draftOf(schema), lookup, effort }
}

function draftOf({ $schema }: JsonObject): SchemaDraft {
  if (typeof $schema !== 'string') return '2020-12'
  if ($schema.includes('draft-04')) return '4'
  if ($schema.includes('draft-06') || $schema.includes('draft-07')) return '7'
  return $schema.includes('2019-09') ? '2019-09' : '2020-12'
}

function run({ schema, draft, lookup, effort }: Compiled, args: JsonObject, extent: JsonExtent): OutputUnit[] {
  effort.begin(extent)
  const { valid, errors } = validate(args, schema, draft, lookup, false)
  return valid || effort.skippedPattern ? [] : errors
}

function tryRun(compiled: Compiled, args: JsonObject, extent: JsonExtent): string | null {
  try {
    const errors = run(compiled, args, extent)
    return errors.length === 0 ? null : listFaults(errors)
  } catch {
    // Too much work (`EffortExceeded`), or too deep for the stack: the page decides.
    return null
  }
}

function describe(error: unknown): string {
  if (error instanceof BrokenSchema) return error.message
  if (error instanceof EffortExceeded || error instanceof RangeError) return 'it refers to itself without end'
  return error instanceof Error ? error.message.slice(0, 300) : 'it cannot be read'
}

/** What a tool without arguments declares. */
function asksForNothing(schema: JsonObject): boolean {
  return Object.keys(schema).every(
    (key) =>
      key === 'type' || (key === 'properties' && isJsonObject(schema[key]) && Object.keys(schema[key]).length === 0),
  )
}
