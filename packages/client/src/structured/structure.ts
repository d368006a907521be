/**
 * An answer that must have a shape: what the AI is told, and what becomes of what it gives.
 * Either the provider holds it to a schema itself, or the AI hands its answer in with a tool, `submit_result`.
 */
import { badSchema, messageOf } from '../errors.js'
import { isFields } from '../engine/unknown-value.js'
import { type Checked, checkStandard, isStandard, jsonSchemaOf } from '../tool/read-schema.js'
import type { JsonSchema, SchemaInput } from '../tool/schema-input.js'
import type { ToolDeclaration } from '../provider/provider.js'

/** The reserved tool with which an AI hands its answer in. */
export const SUBMIT_TOOL = 'submit_result'

/** Added to the system text where the AI has to use the tool. */
export const SUBMIT_WORDS = `Give your answer by calling the tool ${SUBMIT_TOOL} once, when you have it. Only what you give there counts.`

export interface Structure {
  /** For a provider with `structured`. */
  readonly schema: JsonSchema
  /** For one without: tools take objects, so anything else is handed in as `{ value }`. */
  readonly submitTool: ToolDeclaration
  /** Checks an answer. `mayBeWrapped`: it may have come as `{ value }`. `undefined` is no answer at all. */
  check(answer: unknown, mayBeWrapped: boolean): Promise<Checked>
}

/** @throws LeuriaError `bad_schema` when a validator can't tell its JSON Schema */
export function createStructure(input: SchemaInput, validate?: (value: unknown) => unknown): Structure {
  const schema = jsonSchemaOf(input)
  const isWrapped = schema['type'] !== 'object'
  return {
    schema,
    submitTool: {
      name: SUBMIT_TOOL,
      description: 'Hands in your final answer.',
      inputSchema: isWrapped ? wrap(schema) : schema,
    },
    check: (answer, mayBeWrapped) =>
      checkAnswer(mayBeWrapped && isWrapped && isFields(answer) && 'value' in answer ? answer['value'] : answer),
  }

  async function checkAnswer(value: unknown): Promise<Checked> {
    if (value === undefined) return { ok: false, error: 'There is no JSON in it.' }
    const checked = isStandard(input) ? await checkStandard(input, value) : await checkSchema(schema, value)
    return checked.ok && validate ? checkWith(validate, checked.value) : checked
  }
}

/** What the AI is asked for after an answer that didn't fit. */
export function repairWords(error: string): string {
  return `Your answer doesn't fit: ${error}\nGive the whole answer again, corrected, and nothing else.`
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
  return {
    type: 'object',
    properties: { value },
    required: ['value'],
    ...($schema !== undefined && { $schema }),
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  }
}
