/** Runs an agent's own sign-in in the visitor's terminal. It is the agent as its maker made it: no box is around it. */
import { spawn } from 'node:child_process'
import { homedir } from 'node:os'
import type { TerminalSignIn } from '@leuria/agent-registry'
import { allowedEnvironment } from '@leuria/agent-sandbox'
import { UserError } from './fail.js'

/** Who one is, where one's files are, and how a browser is opened from here. */
const PERSONAL = [
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'TEMP',
  'TMP',
  'TMPDIR',
  'BROWSER',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'DBUS_SESSION_BUS_ADDRESS',
  'SSH_CONNECTION',
  'SSH_TTY',
] as const

/** Somebody sits there who sees what is asked and can answer. */
export function hasTerminal(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY
}

/** The visitor's own surroundings without keys of services and without what is Leuria's. */
function environment(env: TerminalSignIn['env']): Record<string, string> {
  const personal = Object.fromEntries(PERSONAL.map((name) => [name, process.env[name]]))
  return allowedEnvironment(process.env, { ...personal, ...env })
}

/** Until it ends; Ctrl+C goes to it. @throws UserError when it doesn't end well */
export async function runInTerminal({ command, args, env }: TerminalSignIn, name: string): Promise<void> {
  const ignore = (): void => undefined
  process.on('SIGINT', ignore)
  try {
    const child = spawn(command, args, { stdio: 'inherit', cwd: homedir(), env: environment(env) })
    const end = await new Promise<string | number | null>((resolve) => {
      child.once('error', (error) => {
        resolve(error.message)
      })
      child.once('exit', (code, signal) => {
        resolve(code ?? signal)
      })
    })
    if (end !== 0) throw new UserError(`The sign-in of ${name} did not end well (${end ?? 'it was stopped'}).`)
  } finally {
    process.off('SIGINT', ignore)
  }
}
