/** The AI for somebody who has chosen none: the best one found, saved as the default, and said. */
import { findBestAi } from '@leuria/engine'
import { saveAi } from './commands/ai-use.js'
import { withVisitorAgents } from './commands/ai.js'

/** What is said when only the demo AI is there. */
const ONLY_DEMO = [
  'No AI of yours was found, so the demo AI answers: it needs nothing, and knows little.',
  'To use a real one, start Ollama or LM Studio, or install an agent: leuria setup',
].join('\n')

/**
 * Takes the best AI, when none was chosen, and says which and why. A running engine follows at once.
 * @returns what to say. `null`: there is a choice already
 */
export async function takeFirstAi(): Promise<string | null> {
  return withVisitorAgents(async (agents) => {
    const isChosen = (): boolean => agents.config.value.agent !== undefined
    if (isChosen()) return null
    await agents.refresh()
    const best = await findBestAi(agents)
    // Looking takes seconds: the visitor may have chosen meanwhile.
    await agents.config.refresh()
    if (isChosen()) return null
    if (best === null) return ONLY_DEMO
    await saveAi(agents, best.ai.id, best.model)
    const name = agents.source.nameFor(null)
    return `${name} is your AI: ${best.reason}. Another one: leuria ai list, then leuria ai use <id>`
  })
}
