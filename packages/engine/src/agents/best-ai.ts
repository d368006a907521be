/** Which of the visitor's AIs to take when none was chosen: a rule about what was found, for the command line and the app. */
import type { ListedAi, ListedModel } from './ai-list.js'
import type { VisitorAgents } from './visitor-agents.js'

export interface BestAi {
  ai: ListedAi
  /** Where the AI's own choice isn't the right one. */
  model?: string
  /** Why this one, in words for people. */
  reason: string
}

/** Of models that can use a page's tools here: the AI's own choice, else one in memory, else the first. */
function bestModel({ models }: ListedAi): ListedModel | undefined {
  const able = models.filter(({ type, local, tools }) => type === 'chat' && local && tools === true)
  return able.find((model) => model.default) ?? able.find(({ loaded }) => loaded === true) ?? able[0]
}

/**
 * An agent that is known to be signed in, else a model on this computer that can use tools. Looks at what is in memory:
 * call `refresh()` before. `null`: only the demo AI is left.
 */
export async function findBestAi(agents: Pick<VisitorAgents, 'list' | 'acp'>): Promise<BestAi | null> {
  const usable = agents.list().filter((ai) => ai.usable)
  for (const ai of usable.filter(({ kind }) => kind === 'agent')) {
    const noted = await agents.acp.noted(ai.id)
    if (noted?.state === 'signed_in') return { ai, reason: 'it is installed and you are signed in' }
  }
  for (const ai of usable) {
    const model = bestModel(ai)
    if (model === undefined) continue
    const reason = "it runs on this computer, costs nothing, and can use a page's tools"
    return { ai, ...(model.default ? {} : { model: model.id }), reason }
  }
  return null
}
