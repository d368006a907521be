/**
 * Sign-in methods that need a terminal, as data: what to run, with the visitor's own terminal, to sign in. Pure; the
 * other methods go through ACP's `authenticate` and are the adapter's.
 */
import { basename, isAbsolute } from 'node:path'
import * as z from 'zod/mini'
import { isInside } from './contained-path.js'
import type { RunnableAgent } from './manifest.js'

const terminalMethod = z.looseObject({
  type: z.literal('terminal'),
  args: z._default(z.array(z.string()), []),
  env: z._default(z.record(z.string(), z.string()), {}),
})
/** What agents sent before the method type existed: a whole command of their own. */
const olderMethod = z.looseObject({
  _meta: z.looseObject({
    'terminal-auth': z.looseObject({
      command: z.string(),
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
 * What to run for an agent's sign-in method, or null when it isn't one for a terminal. It is always a program out of
 * the agent's own folders: an agent can't have another one started in the visitor's terminal this way.
 */
export function terminalSignIn(agent: RunnableAgent, method: unknown): TerminalSignIn | null {
  const current = terminalMethod.safeParse(method)
  if (current.success) {
    const { args, env } = current.data
    return { command: agent.command, args: [...agent.args, ...args], env: { ...agent.env, ...env } }
  }
  const older = olderMethod.safeParse(method)
  if (!older.success) return null
  const { command, args, env } = older.data._meta['terminal-auth']
  const start = ownProgram(agent, command, args)
  return start === null ? null : { ...start, env: { ...agent.env, ...env } }
}

/** A script of the agent's run by Node.js (ours, whichever it names), or a program of the agent's. */
function ownProgram(agent: RunnableAgent, command: string, args: readonly string[]) {
  const isOwn = (path: string | undefined): boolean =>
    path !== undefined && isAbsolute(path) && agent.readable.some((folder) => isInside(folder, path))
  if (/^node(\.exe)?$/.test(basename(command))) return isOwn(args[0]) ? { command: process.execPath, args } : null
  return command === agent.command || isOwn(command) ? { command, args } : null
}
