/** Runs the built command line as its users do: a process with a home of its own, its JSON lines read as they come. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { processEvent, type ProcessEvent } from '@leuria/protocol'
import { followProgram } from '@leuria/testing/program-events'
import * as z from 'zod/mini'

export const CLI = fileURLToPath(new URL('../dist/leuria.js', import.meta.url))

export interface Finished {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface RunOptions {
  home: string
  env?: Readonly<Record<string, string>>
  stdin?: string
}

/** Only what the command needs: a test must not depend on the machine's own settings. */
function environment({ home, env = {} }: RunOptions): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: home, LEURIA_HOME: home, ...env }
}

export async function temporaryHome(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'leuria-cli-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Runs a command to its end. */
export function runCli(args: readonly string[], options: RunOptions): Promise<Finished> {
  const child = spawn(process.execPath, [CLI, ...args], { env: environment(options), stdio: 'pipe' })
  child.stdin.end(options.stdin ?? '')
  return finish(child)
}

async function finish(child: ChildProcess, output = { stdout: '', stderr: '' }): Promise<Finished> {
  child.stdout?.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()))
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      resolve({ code, signal, ...output })
    })
  })
}

export interface RunningEngine {
  readonly ready: Extract<ProcessEvent, { event: 'ready' }>
  readonly events: readonly ProcessEvent[]
  readonly pid: number
  /** What it said for people so far. */
  readonly said: string
  /** Resolves with the next event (past ones included) that fits. */
  waitFor(fits: (event: ProcessEvent) => boolean): Promise<ProcessEvent>
  stop(signal?: NodeJS.Signals): Promise<Finished>
}

/** Starts an engine on a free port and waits until it is ready. Whoever starts it stops it. */
export async function startEngine(options: RunOptions & { args?: readonly string[] }): Promise<RunningEngine> {
  const args = ['start', '--json', ...(options.args ?? ['--port', '0'])]
  const child = spawn(process.execPath, [CLI, ...args], { env: environment(options), stdio: 'pipe' })
  const output = { stdout: '', stderr: '' }
  const finished = finish(child, output)
  const { events, next: waitFor } = followProgram(child, (line) => z.parse(processEvent, line))
  const ready = await waitFor((event) => event.event === 'ready')
  if (ready.event !== 'ready') throw new Error('unreachable: the event was chosen by its name')
  return {
    ready,
    events,
    pid: child.pid ?? 0,
    get said() {
      return output.stderr
    },
    waitFor,
    stop(signal = 'SIGINT') {
      child.kill(signal)
      return finished
    },
  }
}
