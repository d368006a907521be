// Child processes of the tooling: run to the end with the output kept or shown, and stopped together with us.
// Each runs in a process group of its own, so that what it starts itself (turbo starts tsc) is stopped with it.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { ROOT } from './workspace-facts.js'

export interface RunResult {
  /** As a shell reports it: 128 + n for signal n. */
  code: number
  /** Both streams in the order they came; empty when shown. */
  output: string
}

/** How often to look whether our parent is still there. */
const PARENT_CHECK_MS = 250
/** How long a child may take to end after a signal before it is killed. */
const STOP_GRACE_MS = 8_000

const running = new Set<ChildProcess>()
let stopping = false

/**
 * Starts a command in the root folder. It ends with us at the latest: see `stopChildren`.
 * @throws once we are stopping.
 */
export function start(command: string, args: readonly string[], stdio: SpawnOptions['stdio']): ChildProcess {
  if (stopping) throw new Error(`${command} was not started: stopping`)
  const child = spawn(command, args, { cwd: ROOT, stdio, detached: process.platform !== 'win32' })
  running.add(child)
  child.on('close', () => running.delete(child))
  return child
}

/**
 * Runs a command from the root to its end. Its output is kept, or shown as it comes.
 * Never resolves once we are stopping, so that nobody goes on from there.
 */
export function run(command: string, args: readonly string[], output: 'keep' | 'show'): Promise<RunResult> {
  if (stopping) return new Promise(() => {})
  const child = start(command, args, output === 'show' ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'])
  const chunks: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk))
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: 1, output: `${command}: ${error.message}\n` }))
    child.on('close', (code, signal) => {
      if (!stopping) resolve({ code: code ?? exitCodeOf(signal), output: Buffer.concat(chunks).toString('utf8') })
    })
  })
}

/** Ends every running child and what it started; resolves once all are gone. */
export async function stopChildren(): Promise<void> {
  stopping = true
  const children = [...running]
  const gone = children.map((child) => new Promise<void>((resolve) => child.once('close', () => resolve())))
  for (const child of children) signalGroup(child, 'SIGTERM')
  const killer = setTimeout(() => children.forEach((child) => signalGroup(child, 'SIGKILL')), STOP_GRACE_MS)
  await Promise.all(gone)
  clearTimeout(killer)
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || process.platform === 'win32') return void child.kill(signal)
  try {
    process.kill(-child.pid, signal)
  } catch {
    // The group is gone already.
  }
}

/** Calls `stop` once, at the first Ctrl+C, SIGTERM or SIGHUP, or when whoever started us is gone. */
export function onStop(stop: (signal: NodeJS.Signals) => void): void {
  let stopped = false
  const once = (signal: NodeJS.Signals) => {
    if (stopped) return
    stopped = true
    stop(signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, once)
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && once('SIGTERM'), PARENT_CHECK_MS).unref()
}

/** The exit code a shell reports for a process that a signal ended. */
export function exitCodeOf(signal: NodeJS.Signals | null): number {
  return signal ? 128 + constants.signals[signal] : 1
}
