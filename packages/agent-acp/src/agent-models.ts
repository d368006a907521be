/**
 * The models an agent offers: a config option of category `model` (ACP, Session config options), or the older
 * `models` list that two agents still have instead.
 */
import * as z from 'zod/mini'
import { list, text } from './lenient.js'
import { readList, type SessionAnswer } from './wire-shapes.js'

export interface AgentModel {
  readonly id: string
  readonly name: string
}

export interface AgentModels {
  readonly models: readonly AgentModel[]
  readonly current?: string
  /** How another is chosen. */
  readonly by: { readonly kind: 'config'; readonly configId: string } | { readonly kind: 'set_model' }
}

const option = z.object({ id: z.string(), category: text, type: text, currentValue: text, options: list })
const choice = z.object({ value: z.string(), name: text })
const group = z.object({ options: z.array(z.unknown()) })
const model = z.object({ modelId: z.string(), name: text })

export function readModels({ configOptions, models }: SessionAnswer): AgentModels | null {
  return modelsOfConfig(configOptions) ?? modelsOfList(models)
}

export function modelsOfConfig(configOptions: readonly unknown[] | undefined): AgentModels | null {
  const found = readList(option, configOptions).find(({ category, type }) => category === 'model' && type !== 'boolean')
  if (found === undefined) return null
  // Grouped options are lists in lists.
  const entries = (found.options ?? []).flatMap((entry) => {
    const grouped = group.safeParse(entry)
    return grouped.success ? grouped.data.options : [entry]
  })
  return {
    models: readList(choice, entries).map(({ value, name }) => ({ id: value, name: name ?? value })),
    current: found.currentValue,
    by: { kind: 'config', configId: found.id },
  }
}

function modelsOfList(models: SessionAnswer['models']): AgentModels | null {
  if (models?.availableModels === undefined) return null
  const known = readList(model, models.availableModels).map(({ modelId, name }) => ({
    id: modelId,
    name: name ?? modelId,
  }))
  return { models: known, current: models.currentModelId, by: { kind: 'set_model' } }
}

/** The request that chooses `wanted`; `null`: it is chosen already. `unknown`: the agent doesn't offer it. */
export function modelRequest(
  { models, current, by }: AgentModels,
  { sessionId, wanted }: { sessionId: string; wanted: string },
): { method: string; params: object } | 'unknown' | null {
  if (wanted === current) return null
  if (!models.some(({ id }) => id === wanted)) return 'unknown'
  return by.kind === 'config'
    ? { method: 'session/set_config_option', params: { sessionId, configId: by.configId, value: wanted } }
    : { method: 'session/set_model', params: { sessionId, modelId: wanted } }
}
