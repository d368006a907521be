/** Ollama's own interface, read as it answers: fields that are missing or of another kind count as not known. */
import * as z from 'zod/mini'

const perhaps = <Schema extends z.core.$ZodType>(schema: Schema) => z.catch(z.optional(schema), undefined)
const text = perhaps(z.string())
const count = perhaps(z.number().check(z.positive()))

/** A model in `/api/tags` and `/api/ps`. */
const modelEntry = z.object({
  /** With its tag. */
  name: z.string().check(z.minLength(1)),
  size: count,
  digest: text,
  /** Cloud models: where they run. */
  remote_host: text,
  details: perhaps(z.object({ family: text, parameter_size: text })),
  /** Only in `/api/ps`, since 0.11: the context it was loaded with. */
  context_length: count,
})
export type ModelEntry = z.infer<typeof modelEntry>

/** `{ models: […] }`; entries that are none are left out. `null`: it is something else. */
export function readModelEntries(body: unknown): ModelEntry[] | null {
  const list = z.safeParse(z.object({ models: z.array(z.unknown()) }), body)
  if (!list.success) return null
  return list.data.models.flatMap((entry) => {
    const model = z.safeParse(modelEntry, entry)
    return model.success ? [model.data] : []
  })
}

const shown = z.object({
  /** Since 0.6: `completion`, `tools`, `vision`, `thinking`, `embedding`, `insert`. */
  capabilities: perhaps(z.array(z.string())),
  model_info: perhaps(z.record(z.string(), z.unknown())),
  /** The Modelfile's parameters, a line each. */
  parameters: text,
})

/** What `/api/show` says of one model. */
export interface ShownModel {
  capabilities?: readonly string[]
  /** Tokens: what its Modelfile sets, else the most it was trained for. */
  contextTokens?: number
  /** Billions. */
  billions?: number
}

export function readShownModel(body: unknown): ShownModel | null {
  const parsed = z.safeParse(shown, body)
  if (!parsed.success) return null
  const { capabilities, model_info = {}, parameters = '' } = parsed.data
  const contextTokens = positive(/^num_ctx\s+(\d+)\s*$/m.exec(parameters)?.[1]) ?? trainedContext(model_info)
  const parameterCount = positive(model_info['general.parameter_count'])
  return {
    ...(capabilities === undefined ? {} : { capabilities }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(parameterCount === undefined ? {} : { billions: parameterCount / 1e9 }),
  }
}

/** `llama.context_length`: the key begins with the model's architecture. */
function trainedContext(info: Readonly<Record<string, unknown>>): number | undefined {
  const architecture = info['general.architecture']
  return typeof architecture === 'string' ? positive(info[`${architecture}.context_length`]) : undefined
}

function positive(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : undefined
}

/** `{ data: [{ id }] }` of the OpenAI endpoint. `null`: it is something else. */
export function readOpenAiIds(body: unknown): string[] | null {
  const list = z.safeParse(z.object({ data: z.array(z.unknown()) }), body)
  if (!list.success) return null
  return list.data.data.flatMap((entry) => {
    const model = z.safeParse(z.object({ id: z.string().check(z.minLength(1)) }), entry)
    return model.success ? [model.data.id] : []
  })
}
