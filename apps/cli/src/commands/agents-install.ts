/** `leuria agents install` and `update`: with progress, one at a time, called off by Ctrl+C. */
import { type AgentRegistry, type InstallOptions, RegistryError, type RunnableAgent } from '@leuria/agent-registry'
import { untilInterrupted, withAgentParts } from '../agent-registry.js'
import { UserError } from '../fail.js'
import { warn } from '../home.js'
import { type ProgressLines, progressLines } from '../progress-lines.js'
import { printAnswer, printJson } from '../print-json.js'

export interface InstallFlags {
  /** Also where its maker gives no checksum. */
  insist?: boolean
  json?: boolean
}

/** Runs `work` with progress on the error output, and tells what the visitor can do about a refusal. */
async function showing<Result>(
  flags: InstallFlags,
  work: (options: InstallOptions) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const lines: ProgressLines = progressLines(process.stderr)
  try {
    return await work({
      signal,
      insist: flags.insist === true,
      onProgress: (progress) => {
        // Its own last words are the answer, on standard output.
        if (progress.stage !== 'done') lines.show(progress)
      },
    })
  } catch (error) {
    if (error instanceof RegistryError && error.code === 'unverified')
      throw new UserError(`${error.message} To install it all the same: add --insist.`, { cause: error })
    throw error
  } finally {
    lines.end()
  }
}

function said({ name, version }: RunnableAgent): string {
  return version === null ? name : `${name} ${version}`
}

/** What became of one update. `words`: for people; a failure is told where errors are. */
interface Outcome {
  id: string
  updated: boolean
  error?: string
  words?: string
}

/** For programs. */
function facts({ id, name, version }: RunnableAgent): { id: string; name: string; version: string | null } {
  return { id, name, version }
}

/** @throws RegistryError why not, UserError */
export async function installAgent(id: string, flags: InstallFlags): Promise<void> {
  await withAgentParts(async ({ registry }) => {
    const agent = await showing(flags, (options) => registry.install(id, options), untilInterrupted())
    printAnswer(flags.json, {
      value: facts(agent),
      words: `${said(agent)} is installed.\nSign in: leuria login ${agent.id}. Make it your AI: leuria ai use ${agent.id}`,
    })
  })
}

/** What to update: the one named, else all that are installed. @throws UserError when there is none */
async function chosen(registry: AgentRegistry, id: string | undefined): Promise<string[]> {
  const ids = [...new Set((await registry.installed()).map((agent) => agent.id))]
  if (id === undefined) return ids
  const agent = await registry.find(id)
  if (agent === null) throw new UserError(`${id} is not installed. Install it: leuria agents install ${id}`)
  if (agent.origin === 'own') throw new UserError(`${agent.name} is your own; Leuria does not update it.`)
  if (agent.origin === 'found')
    throw new UserError(
      `${agent.name} was not installed by Leuria. Update it the way it came, or have one of Leuria's own: leuria agents install ${agent.id}`,
    )
  return [agent.id]
}

/** One that fails is told and keeps no other from its turn. Exit code 1 when one failed. @throws UserError */
export async function updateAgents(id: string | undefined, flags: InstallFlags): Promise<void> {
  await withAgentParts(async ({ registry }) => {
    const ids = await chosen(registry, id)
    if (ids.length === 0) {
      printAnswer(flags.json, {
        value: { agents: [] },
        words: 'No agent is installed. leuria agents lists those that can be.',
      })
      return
    }
    const { list } = await registry.list({ again: true })
    if (list.message !== null) throw new RegistryError('offline', `Nothing was updated. ${list.message}`)
    const signal = untilInterrupted()
    const outcomes: Outcome[] = []
    for (const each of ids) {
      if (signal.aborted) break
      const outcome = await updateOne(registry, each, (work) => showing(flags, work, signal))
      outcomes.push(outcome)
      if (flags.json !== true && outcome.words !== undefined) console.log(outcome.words)
    }
    if (flags.json === true) printJson({ agents: outcomes.map(({ words: _, ...rest }) => rest) })
  })
}

async function updateOne(
  registry: AgentRegistry,
  id: string,
  show: (work: (options: InstallOptions) => Promise<RunnableAgent | null>) => Promise<RunnableAgent | null>,
): Promise<Outcome> {
  try {
    const agent = await show((options) => registry.update(id, options))
    if (agent === null) return { id, updated: false, words: `${id} is the newest already.` }
    return { ...facts(agent), updated: true, words: `${said(agent)} is installed.` }
  } catch (error) {
    if (!(error instanceof RegistryError || error instanceof UserError)) throw error
    process.exitCode = 1
    warn(`leuria: ${id} was not updated: ${error.message}`)
    return { id, updated: false, error: error.message }
  }
}
