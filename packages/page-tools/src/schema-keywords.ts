/**
 * What a JSON Schema's keywords must hold, as a table: enough to tell a broken schema from a good one.
 * Keywords that aren't here say nothing about a value and are left out of checks; `format` is one of them, because
 * the standard's default is that it is a note (JSON Schema 2020-12 Validation §7.2.1) and pages use it loosely.
 */

export type KeywordKind =
  | 'schema'
  | 'schemas'
  | 'schema or schemas'
  | 'schema map'
  | 'dependencies'
  | 'type'
  | 'text'
  | 'pattern'
  | 'texts'
  | 'text lists'
  | 'list'
  | 'any'
  | 'number'
  | 'number or flag'
  | 'count'
  | 'flag'

export const KEYWORDS: Readonly<Record<string, KeywordKind>> = {
  $id: 'text',
  $anchor: 'text',
  $ref: 'text',
  $defs: 'schema map',
  definitions: 'schema map',
  type: 'type',
  const: 'any',
  enum: 'list',
  required: 'texts',
  not: 'schema',
  anyOf: 'schemas',
  allOf: 'schemas',
  oneOf: 'schemas',
  if: 'schema',
  then: 'schema',
  else: 'schema',
  properties: 'schema map',
  patternProperties: 'schema map',
  additionalProperties: 'schema',
  unevaluatedProperties: 'schema',
  propertyNames: 'schema',
  minProperties: 'count',
  maxProperties: 'count',
  dependentRequired: 'text lists',
  dependentSchemas: 'schema map',
  dependencies: 'dependencies',
  prefixItems: 'schemas',
  items: 'schema or schemas',
  additionalItems: 'schema',
  unevaluatedItems: 'schema',
  contains: 'schema',
  minContains: 'count',
  maxContains: 'count',
  minItems: 'count',
  maxItems: 'count',
  uniqueItems: 'flag',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number or flag',
  exclusiveMaximum: 'number or flag',
  multipleOf: 'number',
  minLength: 'count',
  maxLength: 'count',
  pattern: 'pattern',
}

const TYPES: ReadonlySet<unknown> = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'])

export function isTypeName(value: unknown): value is string {
  return TYPES.has(value)
}

export function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

/** Kinds whose values hold no schemas: is this one right? */
export const PLAIN_KINDS = {
  type: (value) => isTypeName(value) || (Array.isArray(value) && value.length > 0 && value.every(isTypeName)),
  text: (value) => typeof value === 'string',
  texts: isTextList,
  'text lists': (value) => typeof value === 'object' && value !== null && Object.values(value).every(isTextList),
  list: (value) => Array.isArray(value),
  any: () => true,
  number: (value) => typeof value === 'number',
  'number or flag': (value) => typeof value === 'number' || typeof value === 'boolean',
  count: (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0,
  flag: (value) => typeof value === 'boolean',
} as const satisfies Partial<Record<KeywordKind, (value: unknown) => boolean>>

export type PlainKind = keyof typeof PLAIN_KINDS

export function isPlainKind(kind: KeywordKind): kind is PlainKind {
  return Object.hasOwn(PLAIN_KINDS, kind)
}
