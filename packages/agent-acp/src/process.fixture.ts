/** Scripted agents as real programs, started plainly: no box around them but a process group. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AgentError, type LaunchAgent } from '@leuria/agent'
import type { AcpScript } from '@leuria/testing'
import { buildSync } from 'esbuild'
import { afterAll } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'leuria-acp-'))
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** Bundled once: each start is then as quick as Node's own. */
const program = join(folder, 'agent.mjs')
buildSync({
  entryPoints: [fileURLToPath(import.meta.resolve('@leuria/testing/acp-agent-program'))],
  outfile: program,
  bundle: true,
  format: 'esm',
  platform: 'node',
  logLevel: 'error',
})

let scripts = 0

/** Command and arguments that play this script. */
export function scriptedProgram(script: AcpScript): { command: string; args: string[] } {
  const path = join(folder, `script-${(scripts += 1)}.json`)
  writeFileSync(path, JSON.stringify(script))
  return { command: process.execPath, args: [program, path] }
}

export interface PlainLaunch {
  launch: LaunchAgent
  readonly pids: readonly number[]
}

/** @param waitMs between the steps of the end: stdin, SIGTERM, SIGKILL */
export function plainLaunch(waitMs = 200): PlainLaunch {
  const pids: number[] = []
  return {
    pids,
    async launch({ command, args, env }) {
      const cwd = await mkdtemp(join(folder, 'cwd-'))
      const child = spawn(command, args, { cwd, env: { PATH: process.env.PATH, ...env }, detached: true })
      const failed = once(child, 'error').then(([error]: unknown[]) => error)
      const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
        child.once('exit', (code, signal) => {
          resolve({ code, signal })
        })
      })
      const started = await Promise.race([once(child, 'spawn').then(() => null), failed])
      const { pid } = child
      if (started !== null || pid === undefined)
        throw new AgentError('unavailable', `${command} could not be started.`, { cause: started })
      pids.push(pid)
      const signalGroup = (signal: NodeJS.Signals): void => {
        try {
          process.kill(-pid, signal)
        } catch {
          // Nobody is left.
        }
      }
      const within = (): Promise<boolean> =>
        Promise.race([
          exited.then(() => true),
          new Promise<boolean>((resolve) => setTimeout(resolve, waitMs, false).unref()),
        ])
      let killing: Promise<void> | null = null
      const kill = async (): Promise<void> => {
        child.stdin.end()
        if (!(await within())) {
          signalGroup('SIGTERM')
          await within()
        }
        // Whatever it started and left behind is in its group.
        signalGroup('SIGKILL')
        await exited
        await rm(cwd, { recursive: true, force: true })
      }
      return {
        stdin: child.stdin,
        stdout: child.stdout,
        stderr: child.stderr,
        cwd,
        exited,
        kill: () => (killing ??= kill()),
      }
    },
  }
}

/** A dead program that nobody has asked after yet (a zombie) counts as dead. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^\d+ \(.*\) Z/.test(statOf(pid))
  } catch {
    return false
  }
}

function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return ''
  }
}
