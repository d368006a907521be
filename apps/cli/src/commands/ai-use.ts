/** `leuria ai use`: the default AI and its model, checked against what is there. Sessions on the old one end. */
import type { ListedAi, OpenVisitorAgents } from '@leuria/engine'
import { findModel } from '@leuria/language-model'
import { parseAgentId } from '@leuria/protocol'
import { UserError } from '../fail.js'
import { printAnswer } from '../print-json.js'
import { withVisitorAgents } from './ai.js'

export interface AiChoice {
  json?: boolean
  id: string
  /** `auto`: whichever model the service would take by itself. */
  model?: string
}

/** Takes back the model chosen earlier. */
const AUTO = 'auto'

/** The AI's id without its model, and the model. @throws UserError for an id that can't be one, or two models */
export function readAi({ id, model }: AiChoice): { agent: string; model: string | undefined } {
  const parsed = parseAgentId(id)
  if (parsed?.kind !== 'llm') {
    if (parsed?.kind === 'demo' && model !== undefined) throw new UserError('The demo AI has no models.')
    return { agent: id, model }
  }
  if (parsed.model !== undefined && model !== undefined)
    throw new UserError(`"${id}" names a model already; leave --model out.`)
  return { agent: `llm:${parsed.provider}`, model: parsed.model ?? model }
}

/** The AI of this id, as it was found. @throws UserError when there is none */
export function findAi(agents: OpenVisitorAgents, id: string): ListedAi {
  const found = agents.list().find((ai) => ai.id === id)
  if (found === undefined || agents.source.find(id) === null)
    throw new UserError(`There is no AI "${id}". leuria ai lists them.`)
  return found
}

/** The model's id as its service spells it. @throws UserError for a model that can't answer */
function checkModel(ai: ListedAi, wanted: string): string {
  const found = findModel(ai.models, wanted)
  if (found?.type === 'embedding')
    throw new UserError(`${found.id} only turns texts into numbers; it can't talk. Choose another model.`)
  // Other services may list less than they have, or nothing at all.
  const listsAll = ai.kind === 'llm' && ai.service?.kind !== 'openai' && ai.models.length > 0
  if (found === undefined && listsAll) {
    const chat = ai.models.filter(({ type }) => type === 'chat').map(({ id }) => id)
    throw new UserError(`${ai.name} doesn't have the model "${wanted}". It has: ${chat.join(', ') || 'none'}.`)
  }
  return found?.id ?? wanted
}

/** Writes the choice. `undefined` as the model leaves the one chosen earlier. */
export async function saveAi({ config }: OpenVisitorAgents, agent: string, model: string | undefined): Promise<void> {
  await config.update((saved) => {
    const { [agent]: before, ...others } = saved.models ?? {}
    const chosen = model === AUTO ? undefined : (model ?? before)
    return { ...saved, agent, models: chosen === undefined ? others : { ...others, [agent]: chosen } }
  })
}

/** @throws UserError for an unknown AI or model */
export async function useAi({ json, ...choice }: AiChoice): Promise<void> {
  const { agent, model } = readAi(choice)
  await withVisitorAgents(async (agents) => {
    findAi(agents, agent)
    await agents.refresh()
    const ai = findAi(agents, agent)
    await saveAi(agents, agent, model === undefined || model === AUTO ? model : checkModel(ai, model))
    const now = findAi(agents, agent)
    const name = agents.source.nameFor(null)
    const { id, model: taken = null, usable, problem = null } = now
    printAnswer(json, { value: { id, name, model: taken, usable, problem }, words: describe(now, name) })
  })
}

function describe({ problem, models }: ListedAi, name: string): string {
  const lines = [`${name} is your AI from now on. Sites that you gave another one keep it.`]
  if (problem !== undefined) lines.push(`Right now it can't be used: ${problem}`)
  else if (models.find((one) => one.default)?.tools === false)
    lines.push("It can't use the tools of a page; for those, choose another model.")
  return lines.join('\n')
}
