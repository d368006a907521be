/**
 * Sign-in methods that need a terminal, as data: what to run, with the visitor's own terminal, to sign in. Pure; the
 * other methods go through ACP's `authenticate` and are the adapter's.
 */
import * as z from 'zod/mini'
import type { RunnableAgent } from './manifest.js'

const terminalMethod = z.looseObject({
  type: z.literal('terminal'),
  args: z._default(z.array(z.string()), []),
  env: z._default(z.record(z.string(), z.string()), {}),
})
/** What agents sent before the method type existed. The command is the agent's own word and is not taken from it. */
const olderMethod = z.looseObject({
  _meta: z.looseObject({
    'terminal-auth': z.looseObject({
      args: z._default(z.array(z.string()), []),
      env: z._default(z.record(z.string(), z.string()), {}),
    }),
  }),
})

/** A program for the visitor's terminal: it ends with code 0 when they are signed in. */
export interface TerminalSignIn {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/**
 * What to run for an agent's sign-in method, or null when it isn't one for a terminal. It is always the agent's own
 * program: an agent can't have another one started this way.
 */
export function terminalSignIn(agent: RunnableAgent, method: unknown): TerminalSignIn | null {
  const current = terminalMethod.safeParse(method)
  if (current.success) {
    const { args, env } = current.data
    return { command: agent.command, args: [...agent.args, ...args], env: { ...agent.env, ...env } }
  }
  const older = olderMethod.safeParse(method)
  if (!older.success) return null
  const { args, env } = older.data._meta['terminal-auth']
  return { command: agent.command, args: [...startOf(agent), ...args], env: { ...agent.env, ...env } }
}

/** The older form names all arguments of the program; the script that a runtime runs comes before them. */
function startOf(agent: RunnableAgent): readonly string[] {
  const first = agent.args[0]
  return agent.command === process.execPath && first !== undefined ? [first] : []
}
