/**
 * Runs an installer's program (npm, uv, an unpacker): few variables, its own group, a time limit, an end when called
 * off. Gives back what it wrote; what that means is the caller's.
 */
import { spawn } from 'node:child_process'
import { allowedEnvironment, type Environment } from '@leuria/agent-sandbox'
import type { Clock } from '@leuria/clock'
import { checkCancelled, RegistryError } from './registry-error.js'

/** The longest an installation may take. */
export const TOOL_LIMIT_MS = 10 * 60_000
/** Enough for every error message; installers that chatter are cut at the front. */
const MAX_OUTPUT_CHARACTERS = 64_000

/** Where installers find the visitor's own settings (a company's registry, its certificate) and keep caches. */
const INSTALLER_NAMES = /^(HOME|USERPROFILE|APPDATA|LOCALAPPDATA|XDG_(CACHE|CONFIG|DATA)_HOME|NPM_CONFIG_.*|UV_.*)$/i

export interface ToolOptions {
  readonly command: readonly string[]
  readonly cwd: string
  readonly env: Environment
  readonly signal: AbortSignal
  readonly clock: Clock
}

export interface ToolResult {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

/** The environment of installers: what any child gets, and their own settings. */
export function installerEnvironment(env: Environment): Record<string, string> {
  return allowedEnvironment(env, Object.fromEntries(Object.entries(env).filter(([name]) => INSTALLER_NAMES.test(name))))
}

/** @throws RegistryError `needs_program`, `cancelled`, or `install_failed` when the time is over */
export async function runTool({ command, cwd, env, signal, clock }: ToolOptions): Promise<ToolResult> {
  checkCancelled(signal)
  const [program = '', ...args] = command
  const detached = process.platform !== 'win32'
  const child = spawn(program, args, { cwd, env, detached, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true })
  let [output, errors, isLate] = ['', '', false]
  child.stdout.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-MAX_OUTPUT_CHARACTERS)))
  child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-MAX_OUTPUT_CHARACTERS)))
  const end = (): void => {
    endGroup(child.pid, detached)
  }
  const stopTimer = clock.setTimer(TOOL_LIMIT_MS, () => {
    isLate = true
    end()
  })
  signal.addEventListener('abort', end)
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('close', resolve)
      child.once('error', (cause) => {
        reject(new RegistryError('needs_program', `"${program}" can't be started.`, { cause }))
      })
    })
    checkCancelled(signal)
    if (isLate) throw new RegistryError('install_failed', `"${program}" took too long.`)
    return { code, output, errors }
  } finally {
    stopTimer()
    signal.removeEventListener('abort', end)
  }
}

/** An installer holds nothing worth a farewell: its folder is thrown away. */
function endGroup(pid: number | undefined, isGroup: boolean): void {
  if (pid === undefined) return
  try {
    process.kill(isGroup ? -pid : pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}
