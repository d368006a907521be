/** Agents that the visitor added by command line, in `own-agents.json`. */
import { join } from 'node:path'
import { allowedEnvironment, type Environment, findProgram } from '@leuria/agent-sandbox'
import type { Clock } from '@leuria/clock'
import { openJsonFile } from '@leuria/state'
import * as z from 'zod/mini'
import { parseCommandLine } from './command-line.js'
import type { RunnableAgent } from './manifest.js'
import { agentId } from './registry-document.js'
import { RegistryError } from './registry-error.js'

const ownAgent = z.looseObject({
  id: agentId,
  name: z.string(),
  command: z.string(),
  args: z._default(z.array(z.string()), []),
  /** May hold keys: the file is 0600. */
  env: z._default(z.record(z.string(), z.string()), {}),
  readable: z._default(z.array(z.string()), []),
})
const ownAgentsFile = z.looseObject({ version: z._default(z.number(), 1), agents: z.array(ownAgent) })

/** What the visitor says. */
export interface OwnAgentInput {
  readonly id: string
  /** @default the id */
  readonly name?: string
  /** As typed: a program and its arguments. No shell is involved. */
  readonly commandLine: string
  readonly env?: Readonly<Record<string, string>>
  /** Folders besides the program itself that it needs to read to run, absolute. */
  readonly readable?: readonly string[]
}

export interface OwnAgents {
  list(): RunnableAgent[]
  add(input: OwnAgentInput): Promise<RunnableAgent>
  remove(id: string): Promise<boolean>
  close(): Promise<void>
}

export interface OwnAgentsOptions {
  readonly home: string
  readonly env: Environment
  readonly clock: Clock
  readonly log: (line: string) => void
}

export async function openOwnAgents({ home, env, clock, log }: OwnAgentsOptions): Promise<OwnAgents> {
  const path = join(home, 'own-agents.json')
  const file = await openJsonFile({
    path,
    schema: ownAgentsFile,
    empty: () => ({ version: 1, agents: [] }),
    clock,
    log,
  })
  return {
    list: () => file.value.agents.map(runnable),
    add: async (input) => {
      const agent = await understand(input, env)
      await file.update((value) => ({
        ...value,
        agents: [...value.agents.filter(({ id }) => id !== agent.id), agent],
      }))
      return runnable(agent)
    },
    remove: async (id) => {
      const isThere = file.value.agents.some((agent) => agent.id === id)
      await file.update((value) => {
        const agents = value.agents.filter((agent) => agent.id !== id)
        return agents.length === value.agents.length ? value : { ...value, agents }
      })
      return isThere
    },
    close: () => file.close(),
  }
}

/** The program is looked up now, by the visitor's PATH: later a box has another one. */
async function understand(input: OwnAgentInput, env: Environment): Promise<z.infer<typeof ownAgent>> {
  if (!agentId.safeParse(input.id).success)
    throw new RegistryError(
      'invalid',
      `"${input.id}" can't be an id: small letters, digits and "-", beginning with a letter.`,
    )
  const line = parseCommandLine(input.commandLine)
  if (!line.ok) throw new RegistryError('invalid', line.message)
  const command = await findProgram(line.command, { path: env['PATH'], pathExt: env['PATHEXT'] })
  if (command === null)
    throw new RegistryError(
      'invalid',
      `There is no program "${line.command}". Give its whole path, or a name on the PATH.`,
    )
  const { id, name = input.id, readable = [] } = input
  return { id, name, command, args: [...line.args], env: checkedVariables(input.env), readable: [...readable] }
}

function checkedVariables(env: Readonly<Record<string, string>> = {}): Record<string, string> {
  const reserved = Object.keys(env).find((name) => /^LEURIA_/i.test(name))
  if (reserved !== undefined) throw new RegistryError('invalid', `"${reserved}" is a variable of Leuria's own.`)
  try {
    return allowedEnvironment({}, env)
  } catch (error) {
    throw new RegistryError('invalid', error instanceof Error ? error.message : 'A variable is wrong.', {
      cause: error,
    })
  }
}

function runnable({ id, name, command, args, env, readable }: z.infer<typeof ownAgent>): RunnableAgent {
  return { id, name, version: null, origin: 'own', command, args, env, readable }
}
