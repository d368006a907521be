/**
 * `leuria setup`: from nothing to an AI that answers. Asks on a terminal; elsewhere it takes the best AI found and says
 * what is missing.
 */
import { isCancel, log, select } from '@clack/prompts'
import { findBestAi, type ListedAi, type OpenVisitorAgents } from '@leuria/engine'
import { UserError } from '../fail.js'
import { printAnswer } from '../print-json.js'
import { withAgentParts } from '../agent-registry.js'
import { hasTerminal } from '../sign-in-terminal.js'
import { installAgent, updateAgents } from './agents-install.js'
import { saveAi } from './ai-use.js'
import { testAi } from './ai-test.js'
import { withVisitorAgents } from './ai.js'
import { login } from './login.js'

export interface SetupFlags {
  /** Installs newer versions of agents before. */
  update?: boolean
  json?: boolean
}

/** What can be chosen: an AI that is here, or an agent that would be installed first. */
interface Choice {
  id: string
  label: string
  hint?: string
  isInstalled: boolean
}

function choiceOf(ai: ListedAi, best: string | undefined): Choice {
  const notes = [ai.id === best && 'recommended', ai.default && 'your AI now', ai.problem].filter(Boolean)
  return { id: ai.id, label: ai.name, isInstalled: true, ...(notes.length === 0 ? {} : { hint: notes.join('; ') }) }
}

/** Agents of the public list that have been checked and aren't here. Nothing when the list can't be had. */
async function installable(agents: OpenVisitorAgents): Promise<Choice[]> {
  const here = new Set(agents.acp.known().map(({ id }) => id))
  const { findProfile } = await import('@leuria/agent-acp')
  const listing = await withAgentParts(({ registry }) => registry.list())
  return listing.agents
    .filter(({ id }) => !here.has(id) && findProfile(id).checkedVersions.length > 0)
    .map(({ id, name }) => ({ id, label: name, hint: 'will be installed', isInstalled: false }))
}

async function ask(choices: readonly Choice[], initial: string | undefined): Promise<Choice> {
  const picked = await select({
    message: 'Which AI should answer when a site asks?',
    options: choices.map(({ id, label, hint }) => ({ value: id, label, ...(hint === undefined ? {} : { hint }) })),
    ...(initial === undefined ? {} : { initialValue: initial }),
  })
  const choice = isCancel(picked) ? undefined : choices.find(({ id }) => id === picked)
  if (choice === undefined) throw new UserError('Nothing was changed.')
  return choice
}

/** Asks, installs what was chosen, and signs in. */
async function setUpByAsking(): Promise<void> {
  const choice = await withVisitorAgents(async (agents) => {
    await agents.refresh()
    const best = (await findBestAi(agents))?.ai.id
    const here = agents.list().map((ai) => choiceOf(ai, best))
    const more = await installable(agents).catch((error: unknown) => {
      log.warn(`Agents to install could not be listed: ${error instanceof Error ? error.message : String(error)}`)
      return []
    })
    return ask([...here, ...more], best)
  })
  if (!choice.isInstalled) await installAgent(choice.id, {})
  await withVisitorAgents(async (agents) => {
    await saveAi(agents, choice.id, undefined)
  })
  if (choice.id !== 'demo' && !choice.id.startsWith('llm:')) await login(choice.id, {})
}

/** Takes the best AI that is here; keeps a choice that was made. */
async function setUpByItself(json: boolean | undefined): Promise<void> {
  await withVisitorAgents(async (agents) => {
    await agents.refresh()
    const before = agents.config.value.agent
    const best = before === undefined ? await findBestAi(agents) : null
    if (best !== null) await saveAi(agents, best.ai.id, best.model)
    const id = agents.source.idFor(null)
    const name = agents.source.nameFor(null)
    const reason = best?.reason ?? (before === undefined ? 'no other AI was found' : 'you chose it')
    printAnswer(json, { value: { id, name, reason }, words: `${name} is your AI: ${reason}.` })
  })
}

/** Ends with a test of the AI; exit code 1 when it doesn't work. @throws UserError */
export async function setUp({ update, json }: SetupFlags): Promise<void> {
  if (update === true) await updateAgents(undefined, { json })
  if (json !== true && hasTerminal()) await setUpByAsking()
  else await setUpByItself(json)
  if (json !== true) await testAi(undefined, {})
}
