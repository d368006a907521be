/**
 * LM Studio's lists of models in its three interfaces, newest first, read as it answers: fields that are missing or of
 * another kind count as not known. It answers paths it doesn't know with status 200 and an error, so only shapes count.
 */
import type { ModelInfo } from '@leuria/agent'
import { modelName, parseBillions } from '@leuria/ai-choice'
import { looksLikeEmbedder } from '@leuria/language-model'
import * as z from 'zod/mini'

const perhaps = <Schema extends z.core.$ZodType>(schema: Schema) => z.catch(z.optional(schema), undefined)
const text = perhaps(z.string())
const flag = perhaps(z.boolean())
const count = perhaps(z.number().check(z.positive()))
const id = z.string().check(z.minLength(1))

/** A model, and the id by which its loaded instance answers: that may be another than its own. */
export interface ListedModel {
  info: ModelInfo
  instance?: string
}

function entriesOf<Schema extends z.core.$ZodType>(list: unknown, schema: Schema): z.output<Schema>[] | null {
  if (!Array.isArray(list)) return null
  return (list as unknown[]).flatMap((entry) => {
    const parsed = z.safeParse(schema, entry)
    return parsed.success ? [parsed.data] : []
  })
}

const fieldOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, name)
    ? (body as Record<string, unknown>)[name]
    : undefined

const v1Entry = z.object({
  key: id,
  type: text,
  display_name: text,
  size_bytes: count,
  params_string: text,
  max_context_length: count,
  loaded_instances: z.catch(z.array(z.object({ id, config: perhaps(z.object({ context_length: count })) })), []),
  capabilities: perhaps(z.object({ vision: flag, trained_for_tool_use: flag, reasoning: z.optional(z.unknown()) })),
})

/** `GET /api/v1/models` (LM Studio 0.4 and newer). `null`: it is something else. */
export function readV1(body: unknown, local: boolean): ListedModel[] | null {
  const entries = entriesOf(fieldOf(body, 'models'), v1Entry)
  return entries?.map((entry) => v1Model(entry, local)) ?? null
}

function v1Model(entry: z.infer<typeof v1Entry>, local: boolean): ListedModel {
  const { key, capabilities } = entry
  const [instance] = entry.loaded_instances
  const contextTokens = instance?.config?.context_length ?? entry.max_context_length
  const billions = parseBillions(entry.params_string ?? '')
  const info: ModelInfo = {
    id: key,
    name: entry.display_name ?? modelName(key),
    type: entry.type === 'embedding' ? 'embedding' : 'chat',
    local,
    loaded: instance !== undefined,
    ...toolsOf(capabilities?.trained_for_tool_use),
    ...(capabilities?.vision === undefined ? {} : { images: capabilities.vision }),
    ...(capabilities?.reasoning === undefined ? {} : { thinking: isGiven(capabilities.reasoning) }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(billions === null ? {} : { billions }),
    ...(entry.size_bytes === undefined ? {} : { sizeBytes: entry.size_bytes }),
  }
  return { info, ...(instance === undefined ? {} : { instance: instance.id }) }
}

const v0Entry = z.object({
  id,
  type: text,
  state: text,
  max_context_length: count,
  loaded_context_length: count,
  capabilities: perhaps(z.array(z.string())),
})

/** `GET /api/v0/models` (0.3.6 and newer). `null`: it is something else. */
export function readV0(body: unknown, local: boolean): ListedModel[] | null {
  const entries = entriesOf(fieldOf(body, 'data'), v0Entry)
  // The OpenAI list has the same frame, without any of these facts.
  if (entries === null || (entries.length > 0 && entries.every(({ state }) => state === undefined))) return null
  return entries.map((entry) => {
    const contextTokens = entry.loaded_context_length ?? entry.max_context_length
    return {
      info: {
        id: entry.id,
        name: modelName(entry.id),
        type: entry.type === 'embeddings' ? 'embedding' : 'chat',
        local,
        loaded: entry.state === 'loaded',
        ...toolsOf(entry.capabilities?.includes('tool_use')),
        ...(entry.type === undefined ? {} : { images: entry.type === 'vlm' }),
        ...(contextTokens === undefined ? {} : { contextTokens }),
      },
    }
  })
}

/** `GET /v1/models`. `null`: it is something else. */
export function readOpenAi(body: unknown, local: boolean): ListedModel[] | null {
  const entries = entriesOf(fieldOf(body, 'data'), z.object({ id }))
  return (
    entries?.map((entry) => ({
      info: {
        id: entry.id,
        name: modelName(entry.id),
        type: looksLikeEmbedder(entry.id) ? 'embedding' : 'chat',
        local,
      },
    })) ?? null
  )
}

/** LM Studio has a way of offering tools to models that were not trained for them too: those are not known to lack them. */
const toolsOf = (trained: boolean | undefined): { tools?: boolean } => (trained === true ? { tools: true } : {})

const isGiven = (value: unknown): boolean => value !== false && value !== null

/** What `POST /api/v1/models/load` answers: the new instance's id. `null`: it did something else. */
export function readLoaded(body: unknown): string | null {
  const found = [fieldOf(body, 'instance_id'), fieldOf(body, 'model_instance_id')].find(
    (value) => typeof value === 'string' && value !== '',
  )
  return typeof found === 'string' ? found : null
}
