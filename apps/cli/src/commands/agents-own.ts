/** `leuria agents add` and `remove`: agents of the visitor's own by command line, and taking any away again. */
import { stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import type { RunnableAgent } from '@leuria/agent-registry'
import { openConfig } from '@leuria/state'
import { withAgentParts } from '../agent-registry.js'
import { UserError } from '../fail.js'
import { homeOptions, using, warn } from '../home.js'
import { printAnswer } from '../print-json.js'
import { setTrusted } from '../trusted-agents.js'

export interface NewAgent {
  command: string
  name?: string
  /** Each as `NAME=VALUE`. */
  env?: readonly string[]
  /** Absolute paths that its box shows, read-only. */
  read?: readonly string[]
  json?: boolean
}

/** @throws UserError for what isn't `NAME=VALUE`, or a name given twice */
function readVariables(given: readonly string[]): Record<string, string> {
  const variables = new Map<string, string>()
  for (const text of given) {
    const at = text.indexOf('=')
    // What was typed may be a key: it is not repeated.
    if (at < 1) throw new UserError('--env takes NAME=VALUE.')
    const name = text.slice(0, at)
    if (variables.has(name)) throw new UserError(`--env ${name} is given twice.`)
    variables.set(name, text.slice(at + 1))
  }
  return Object.fromEntries(variables)
}

async function checkReadable(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    if (!isAbsolute(path))
      throw new UserError(`--read takes a whole path, beginning with the root: "${path}" is not one.`)
    if ((await stat(path).catch(() => null)) === null) throw new UserError(`There is nothing at ${path}.`)
  }
}

/** Files on its command line that its box does not show. */
async function hidden({ args, readable }: RunnableAgent): Promise<string[]> {
  const covered = (path: string): boolean => readable.some((shown) => path === shown || path.startsWith(`${shown}/`))
  const paths = args.filter((arg) => isAbsolute(arg) && !covered(arg))
  const there = await Promise.all(paths.map((path) => stat(path).catch(() => null)))
  return paths.filter((_, at) => there[at] !== null)
}

/** Adds or replaces it. @throws UserError, RegistryError */
export async function addAgent(id: string, { command, name, env = [], read = [], json }: NewAgent): Promise<void> {
  const variables = readVariables(env)
  await checkReadable(read)
  await withAgentParts(async ({ registry, signIns }) => {
    const agent = await registry.addOwn({
      id,
      name: name?.trim(),
      commandLine: command,
      env: variables,
      readable: read,
    })
    // Another program under this id may be another account, and nobody's word was meant for it.
    await signIns.forget(id)
    const wasTrusted = await setTrusted(id, false)
    printAnswer(json, {
      value: { id: agent.id, name: agent.name, command: [agent.command, ...agent.args] },
      words: `Added ${agent.name} (${agent.id}): ${[agent.command, ...agent.args].join(' ')}`,
    })
    if (wasTrusted) warn(`You trusted the one before. To trust this one, too: leuria agents trust ${agent.id}`)
    for (const path of await hidden(agent))
      warn(`Its box does not show ${path}. If it needs it to run, add it again with --read and its folder.`)
    if (json !== true)
      console.log(`Nobody has checked it, so it runs in a sandbox only. Make it your AI: leuria ai use ${agent.id}`)
  })
}

async function isDefault(id: string): Promise<boolean> {
  return using(openConfig(homeOptions()), (config) => config.value.agent === id)
}

/** @throws UserError when there is none, or it isn't ours to remove */
export async function removeAgent(id: string, { json }: { json?: boolean } = {}): Promise<void> {
  await withAgentParts(async ({ registry, signIns }) => {
    const agent = await registry.find(id)
    if (agent === null) throw new UserError(`${id} is not on this computer. leuria agents lists those that are.`)
    if (agent.origin === 'found')
      throw new UserError(`${agent.name} was not installed by Leuria. Remove it the way it came.`)
    await registry.remove(agent.id)
    await signIns.forget(agent.id)
    await setTrusted(agent.id, false)
    const wasDefault = await isDefault(agent.id)
    const advice = wasDefault ? '\nIt was your AI. Choose another one: leuria ai lists them.' : ''
    printAnswer(json, { value: { removed: agent.id, wasDefault }, words: `Removed ${agent.name}.${advice}` })
  })
}
