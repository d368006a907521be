/**
 * A tool as a page declared it → a tool that every AI can take.
 * One odd declaration must not make an AI's whole list of tools unreadable; what is mended is said in a warning.
 */
import type { JsonObject, PageTool } from '@leuria/agent'
import type { ToolDeclaration } from '@leuria/protocol'
import { type ArgumentCheck, createArgumentCheck } from './argument-check.js'
import { isJsonObject } from './plain-object.js'
import { isTextList, isTypeName } from './schema-keywords.js'

export interface CleanTool {
  tool: PageTool
  check: ArgumentCheck
  /** What is odd, for the page's developer. */
  warnings: string[]
}

const EMPTY_SCHEMA: JsonObject = { type: 'object', properties: {} }

export function cleanTool(declaration: ToolDeclaration): CleanTool {
  const warnings: string[] = []
  const { schema, check } = cleanSchema(declaration.inputSchema, warnings)
  const annotations = cleanAnnotations(declaration.annotations, warnings)
  const description = cleanText(declaration.description, { name: 'description', warnings }) ?? ''
  const tool: PageTool = {
    name: declaration.name,
    description,
    inputSchema: schema,
    ...(annotations && { annotations }),
  }
  return { tool, check, warnings }
}

/** An optional text field: anything else is left out, with a warning. */
export function cleanText(value: unknown, field: { name: string; warnings: string[] }): string | undefined {
  if (typeof value === 'string') return value
  if (value !== undefined && value !== null) field.warnings.push(`${field.name} is not a text and was left out`)
  return undefined
}

function cleanSchema(declared: unknown, warnings: string[]): { schema: JsonObject; check: ArgumentCheck } {
  if (declared === undefined || declared === null)
    return { schema: EMPTY_SCHEMA, check: createArgumentCheck(EMPTY_SCHEMA) }
  if (!isJsonObject(declared)) {
    warnings.push('inputSchema is not an object: arguments are not checked')
    return { schema: EMPTY_SCHEMA, check: createArgumentCheck(EMPTY_SCHEMA) }
  }
  const check = isForObjects(declared)
    ? createArgumentCheck(declared)
    : { broken: 'its type must be "object"', faults: () => null }
  if (check.broken === undefined) return { schema: forObjects(declared), check }
  warnings.push(`inputSchema can't be used (${check.broken}): arguments are not checked`)
  return { schema: outlineOf(declared), check }
}

/** Arguments are an object, always (MCP, Tools). */
function isForObjects({ type }: JsonObject): boolean {
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))
}

/** The same schema in the form that MCP clients insist on: `type` is "object", properties are objects. */
function forObjects(schema: JsonObject): JsonObject {
  const { properties } = schema
  const mended =
    isJsonObject(properties) && Object.values(properties).some((each) => typeof each === 'boolean')
      ? { properties: mapProperties(properties, (each) => (each === true ? {} : each === false ? { not: {} } : each)) }
      : {}
  return schema.type === 'object' && !('properties' in mended) ? schema : { ...schema, type: 'object', ...mended }
}

/** What can be saved of a broken schema: names, notes and plain types, so that the AI still knows what to send. */
function outlineOf({ properties, required, description }: JsonObject): JsonObject {
  return {
    type: 'object',
    ...(typeof description === 'string' && { description }),
    properties: isJsonObject(properties) ? mapProperties(properties, outlineOfProperty) : {},
    ...(isTextList(required) && { required }),
  }
}

function outlineOfProperty(property: unknown): JsonObject {
  if (!isJsonObject(property)) return {}
  return {
    ...(isTypeName(property.type) && { type: property.type }),
    ...(typeof property.description === 'string' && { description: property.description }),
  }
}

function mapProperties(properties: JsonObject, map: (property: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, map(each)]))
}

/** The types of MCP's own annotations; others are passed on as they are. */
const ANNOTATION_TYPES: Readonly<Record<string, 'string' | 'boolean'>> = {
  title: 'string',
  readOnlyHint: 'boolean',
  destructiveHint: 'boolean',
  idempotentHint: 'boolean',
  openWorldHint: 'boolean',
}

function cleanAnnotations(declared: unknown, warnings: string[]): JsonObject | undefined {
  if (declared === undefined || declared === null) return undefined
  if (!isJsonObject(declared)) {
    warnings.push('annotations is not an object and was left out')
    return undefined
  }
  const isOdd = ([name, value]: [string, unknown]): boolean =>
    Object.hasOwn(ANNOTATION_TYPES, name) && typeof value !== ANNOTATION_TYPES[name]
  const entries = Object.entries(declared)
  const odd = entries.filter(isOdd).map(([name]) => name)
  if (odd.length === 0) return declared
  warnings.push(`annotations: ${odd.join(', ')} has a wrong type and was left out`)
  return Object.fromEntries(entries.filter((entry) => !isOdd(entry)))
}
