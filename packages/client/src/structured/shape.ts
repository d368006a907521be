/**
 * An answer that must have a shape: what the AI is told, and what becomes of what it gives. Either the provider holds it to
 * the schema itself, or the AI hands its answer in with a tool. Loaded only by conversations with a schema.
 */
import { isFields } from '../engine/unknown-value.js'
import { badSchema, messageOf } from '../errors.js'
import type { ToolDeclaration } from '../provider/provider.js'
import { type Checked, checkStandard } from '../tool/check-standard.js'
import { failed } from '../tool/failed.js'
import { isStandard, jsonSchemaOf } from '../tool/read-schema.js'
import type { JsonSchema, SchemaInput } from '../tool/schema-input.js'
import type { ToolOutcome } from '../tool/tool.js'
import { extractJson } from './extract-json.js'
import { StructuredOutputError } from './structured-output-error.js'
import { SUBMIT_TOOL } from './submit-tool.js'

/** Of a conversation. */
export interface Shape {
  /** For a provider with `structured`. */
  readonly schema: JsonSchema
  /** For one without: tools take objects, so anything else is handed in as `{ value }`. */
  readonly submitTool: ToolDeclaration
  /** Added to the system text where the AI has to use the tool. */
  readonly submitWords: string
  /** A turn begins. `isNative`: its provider holds answers to the schema itself. */
  review(isNative: boolean): ShapeReview
}

/** Of a turn: the AI is told once what doesn't fit. */
export interface ShapeReview {
  /** Once the answer fits. */
  readonly answer: { readonly object: unknown } | null
  /** The AI hands its answer in. @throws StructuredOutputError the second time that it doesn't fit; `bad_schema` */
  readonly submit?: (answer: unknown) => Promise<ToolOutcome>
  /** The AI is done. What it must be told to do it again; `null`: its answer fits. @throws as `submit` */
  retry(text: string): Promise<string | null>
}

const SUBMIT_WORDS = `Give your answer by calling the tool ${SUBMIT_TOOL} once, when you have it. Only what you give there counts.`

/** @throws LeuriaError `bad_schema` when a validator can't tell its JSON Schema */
export function createShape(input: SchemaInput, validate?: (value: unknown) => unknown): Shape {
  const schema = jsonSchemaOf(input)
  const isWrapped = schema['type'] !== 'object'
  const check = async (answer: unknown, isNative: boolean): Promise<Checked> => {
    const value = !isNative && isWrapped && isFields(answer) && 'value' in answer ? answer['value'] : answer
    if (value === undefined) return { ok: false, error: 'There is no JSON in it.' }
    const checked = isStandard(input) ? await checkStandard(input, value) : await checkSchema(schema, value)
    return checked.ok && validate ? checkWith(validate, checked.value) : checked
  }
  return {
    schema,
    submitTool: {
      name: SUBMIT_TOOL,
      description: 'Hands in your final answer.',
      inputSchema: isWrapped ? wrap(schema) : schema,
    },
    submitWords: SUBMIT_WORDS,
    review: (isNative) => new Review((answer) => check(answer, isNative), isNative),
  }
}

class Review implements ShapeReview {
  answer: { object: unknown } | null = null
  readonly submit?: (answer: unknown) => Promise<ToolOutcome>
  readonly #check: (answer: unknown) => Promise<Checked>
  #isTold = false

  constructor(check: (answer: unknown) => Promise<Checked>, isNative: boolean) {
    this.#check = check
    if (isNative) return
    this.submit = async (answer) => {
      const words = await this.#judge(answer, JSON.stringify(answer))
      return words === null ? { ok: true, result: 'Taken.' } : failed(words)
    }
  }

  async retry(text: string): Promise<string | null> {
    return this.answer ? null : this.#judge(extractJson(text), text)
  }

  async #judge(answer: unknown, text: string): Promise<string | null> {
    const checked = await this.#check(answer)
    if (checked.ok) {
      this.answer = { object: checked.value }
      return null
    }
    if (this.#isTold) throw new StructuredOutputError(text, { detail: checked.error })
    this.#isTold = true
    return `Your answer doesn't fit: ${checked.error}\nGive the whole answer again, corrected, and nothing else.`
  }
}

async function checkSchema(schema: JsonSchema, value: unknown): Promise<Checked> {
  try {
    const { schemaFaults } = await import('./schema-check.js')
    const error = schemaFaults(schema, value)
    return error === null ? { ok: true, value } : { ok: false, error }
  } catch (cause) {
    // The page's own fault, or it couldn't be loaded: nothing that the AI could mend.
    throw badSchema('This answer could not be checked.', cause)
  }
}

async function checkWith(validate: (value: unknown) => unknown, value: unknown): Promise<Checked> {
  try {
    return { ok: true, value: await validate(value) }
  } catch (error) {
    return { ok: false, error: messageOf(error) }
  }
}

/** References start at the root of a schema, so its definitions stay there. */
function wrap({ $schema, $defs, definitions, ...value }: JsonSchema): JsonSchema {
  const root = { $schema, $defs, definitions }
  const definedRoot = Object.entries(root).filter(([, each]) => each !== undefined)
  return {
    ...Object.fromEntries(definedRoot),
    type: 'object',
    properties: { value },
    required: ['value'],
  }
}
