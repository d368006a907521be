/**
 * A JSON Schema as far as arguments can be filled from words: kinds, bounds, choices. Reads outside data: every part of a
 * schema may be anything, refer to itself or be huge. Whether arguments truly fit is checked by whoever carries the call.
 */

export type Scalar = string | number | boolean | null

interface Described {
  /** Title and description, for words. */
  readonly about: string
  readonly fallback?: unknown
}

export interface ObjectShape extends Described {
  readonly kind: 'object'
  readonly properties: readonly Property[]
}

export interface NumberShape extends Described {
  readonly kind: 'number'
  readonly isInteger: boolean
  readonly min?: number
  readonly max?: number
}

export interface ArrayShape extends Described {
  readonly kind: 'array'
  readonly items: Shape
  readonly minItems: number
  readonly maxItems: number
}

export interface StringShape extends Described {
  readonly kind: 'string'
  readonly format?: string
  readonly minLength: number
  readonly maxLength: number
}

export interface ChoiceShape extends Described {
  readonly kind: 'choice'
  readonly values: readonly Scalar[]
}

/** `any`: no type given, or one that words can't fill. */
export type Shape =
  | ObjectShape
  | ArrayShape
  | StringShape
  | NumberShape
  | ChoiceShape
  | (Described & { readonly kind: 'boolean' | 'any' })

export interface Property {
  readonly name: string
  readonly isRequired: boolean
  readonly shape: Shape
}

/** How deep schemas are followed; deeper parts count as `any`. */
const MAX_DEPTH = 5
/** Most properties of one object that are looked at. */
const MAX_PROPERTIES = 60
/** Most values of one choice that are looked at. */
const MAX_CHOICES = 300

type Fields = Readonly<Record<string, unknown>>

/** Reads a tool's input schema; anything that isn't an object with properties takes no arguments. */
export function readInputShape(schema: unknown): ObjectShape {
  const shape = readShape(schema, { root: schema, depth: 0 })
  return shape.kind === 'object' ? shape : { kind: 'object', about: '', properties: [] }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readShape(source: unknown, at: { root: unknown; depth: number }): Shape {
  if (!isFields(source) || at.depth > MAX_DEPTH) return { kind: 'any', about: '' }
  const schema = resolve(source, at.root)
  const described = describe(schema)
  const values = readChoices(schema)
  if (values.length > 0) return { ...described, kind: 'choice', values }
  const type = readType(schema)
  const inner = { root: at.root, depth: at.depth + 1 }
  if (type === 'string') return { ...described, kind: 'string', ...stringLimits(schema) }
  if (type === 'number' || type === 'integer') return { ...described, kind: 'number', ...numberLimits(schema, type) }
  if (type === 'boolean') return { ...described, kind: 'boolean' }
  if (type === 'array')
    return { ...described, kind: 'array', items: readShape(schema.items, inner), ...itemLimits(schema) }
  if (type === 'object') return { ...described, kind: 'object', properties: readProperties(schema, inner) }
  const branch = firstBranch(schema)
  return branch === undefined ? { ...described, kind: 'any' } : { ...readShape(branch, inner), ...described }
}

function describe(schema: Fields): Described {
  const about = [schema.title, schema.description].filter((text) => typeof text === 'string').join(' ')
  return 'default' in schema ? { about, fallback: schema.default } : { about }
}

/** Follows references inside the same schema (`#/$defs/x`), a few steps at most. */
function resolve(schema: Fields, root: unknown): Fields {
  let current = schema
  for (let step = 0; step < MAX_DEPTH && typeof current.$ref === 'string'; step += 1) {
    if (!current.$ref.startsWith('#/')) break
    let target: unknown = root
    for (const key of current.$ref.slice(2).split('/')) {
      target = isFields(target) && Object.hasOwn(target, key) ? target[key] : undefined
    }
    if (!isFields(target)) break
    current = target
  }
  return current
}

function readType(schema: Fields): unknown {
  if (Array.isArray(schema.type)) return schema.type.find((type) => type !== 'null')
  if (schema.type === undefined && isFields(schema.properties)) return 'object'
  return schema.type
}

function firstBranch(schema: Fields): unknown {
  for (const branches of [schema.anyOf, schema.oneOf, schema.allOf]) {
    if (!Array.isArray(branches)) continue
    const branch: unknown = branches.find((one) => isFields(one) && one.type !== 'null')
    if (branch !== undefined) return branch
  }
  return undefined
}

/** `enum`, `const`, and the `oneOf: [{ const }]` way of writing an enum. */
function readChoices(schema: Fields): Scalar[] {
  const branches = schema.oneOf ?? schema.anyOf
  const listed = Array.isArray(schema.enum)
    ? schema.enum
    : 'const' in schema
      ? [schema.const]
      : Array.isArray(branches) && branches.every((one) => isFields(one) && 'const' in one)
        ? branches.map((one: Fields) => one.const)
        : []
  return listed.slice(0, MAX_CHOICES).filter(isScalar)
}

export function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

const numberField = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

function stringLimits(schema: Fields): { format?: string; minLength: number; maxLength: number } {
  return {
    ...(typeof schema.format === 'string' ? { format: schema.format } : {}),
    minLength: numberField(schema.minLength) ?? 0,
    maxLength: numberField(schema.maxLength) ?? Infinity,
  }
}

function numberLimits(schema: Fields, type: string): { isInteger: boolean; min?: number; max?: number } {
  const isInteger = type === 'integer'
  const step = isInteger ? 1 : Number.EPSILON
  const above = numberField(schema.exclusiveMinimum)
  const below = numberField(schema.exclusiveMaximum)
  const min = numberField(schema.minimum) ?? (above === undefined ? undefined : above + step)
  const max = numberField(schema.maximum) ?? (below === undefined ? undefined : below - step)
  return { isInteger, ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }
}

function itemLimits(schema: Fields): { minItems: number; maxItems: number } {
  return { minItems: numberField(schema.minItems) ?? 0, maxItems: numberField(schema.maxItems) ?? MAX_CHOICES }
}

function readProperties(schema: Fields, at: { root: unknown; depth: number }): Property[] {
  if (!isFields(schema.properties)) return []
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  return Object.entries(schema.properties)
    .slice(0, MAX_PROPERTIES)
    .map(([name, source]) => ({ name, isRequired: required.has(name), shape: readShape(source, at) }))
}
