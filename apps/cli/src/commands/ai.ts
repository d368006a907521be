/** `leuria ai`: which AIs there are and what each can do, and the visitor's choice among them. A running engine sees it at once. */
import { type ListedAi, type ListedModel, openVisitorAgents, type OpenVisitorAgents } from '@leuria/engine'
import { bridgeCommand } from '../bridge-command.js'
import { homeOptions, using } from '../home.js'
import { formatTable } from '../table.js'
import { showNumber } from '../usage-words.js'
import { printJson } from '../print-json.js'

/** The visitor's AIs from the home's files. */
export async function withVisitorAgents<Result>(
  work: (agents: OpenVisitorAgents) => Promise<Result> | Result,
): Promise<Result> {
  const { home, log } = homeOptions()
  return using(openVisitorAgents(home, log, await bridgeCommand()), work)
}

/** What a model can do, in words; nothing is said of what isn't known. */
function abilities({ type, tools, images, thinking }: ListedModel): string {
  if (type === 'embedding') return 'embeddings'
  const can = [tools === true && 'tools', images === true && 'images', thinking === true && 'thinking']
  return can.filter((word) => word !== false).join(', ') || (tools === false ? 'text' : '?')
}

function notes(ai: ListedAi, model: ListedModel): string {
  const all = [
    model.default && ai.default && 'your default',
    model.default && !ai.default && `what ${ai.name} uses`,
    model.loaded === true && 'in memory',
    !model.local && 'not on this computer',
    model.type === 'chat' && model.tools === false && "can't use a page's tools",
  ]
  return all.filter((note) => note !== false).join('; ')
}

/** A row for each model; one for the AI itself where it has none, or where something is wrong with it. */
function rows(ai: ListedAi): string[][] {
  const isOwn = ai.models.length === 0 || !ai.usable
  const known = [ai.kind === 'agent' && ai.name, ai.problem, ai.default && 'your default'].filter(Boolean).join('; ')
  const note = ai.usable ? known : (ai.problem ?? '')
  const own = [ai.default ? '*' : ' ', ai.id, ai.usable && ai.kind !== 'llm' ? 'tools' : '', '', note]
  return [
    ...(isOwn ? [own] : []),
    ...ai.models.map((model) => [
      ai.default && ai.usable && model.default ? '*' : ' ',
      `${ai.id}/${model.id}`,
      abilities(model),
      model.contextTokens === undefined ? '' : showNumber(model.contextTokens),
      notes(ai, model),
    ]),
  ]
}

/** For other programs: the list with its defaults, and what embeddings use. */
function toJson(agents: OpenVisitorAgents): object {
  const { embeddings, config } = agents
  return {
    ais: agents.list(),
    embeddings: { choice: config.value.embed ?? 'auto', current: embeddings.current() ?? null },
  }
}

/** Looks for AIs and lists them. */
export async function listAis(flags: { json?: boolean }): Promise<void> {
  await withVisitorAgents(async (agents) => {
    await agents.refresh()
    if (flags.json === true) {
      printJson(toJson(agents))
      return
    }
    console.log(formatTable([[' ', 'AI', 'CAN', 'CONTEXT', 'NOTE'], ...agents.list().flatMap(rows)]))
    const current = agents.embeddings.current()
    if (current !== undefined) console.log(`\nEmbeddings for sites: ${current.provider}/${current.model}`)
  })
}
