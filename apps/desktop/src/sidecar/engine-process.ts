/** The engine as a process of its own: started with a token that only its environment has, heard by its JSON lines. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { processEvent, type ProcessEvent } from '@leuria/protocol'

/** How long it may take to end its sessions before it is killed. */
const STOP_LIMIT_MS = 15_000

export interface EngineProcess {
  /** Of this process alone. Secret. */
  readonly token: string
  /** Ends its stdin, which it takes as the end of the app; kills it when it doesn't end. */
  stop(): Promise<void>
  /** Kills it now. */
  kill(): void
}

export interface EngineProcessOptions {
  /** The sidecar's file. */
  file: string
  env: NodeJS.ProcessEnv
  args?: readonly string[]
  onEvent: (event: ProcessEvent) => void
  /** What it says for people. */
  onLine: (line: string) => void
  /** It has ended, by itself or not. Called once. */
  onEnd: (how: string) => void
}

/** `null`: not an event that this version knows. */
function readEvent(line: string): ProcessEvent | null {
  try {
    const read = processEvent.safeParse(JSON.parse(line))
    return read.success ? read.data : null
  } catch {
    return null
  }
}

function stop(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.stdin?.end()
  const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
  return ended.then(() => {
    clearTimeout(limit)
  })
}

export function startEngineProcess(options: EngineProcessOptions): EngineProcess {
  const { file, env, args = [], onEvent, onLine, onEnd } = options
  const token = randomBytes(32).toString('base64url')
  // Arguments can be read by every user of this computer, an environment only by this one.
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...env, LEURIA_ADMIN_TOKEN: token },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => undefined)
  createInterface({ input: child.stdout }).on('line', (line) => {
    const event = readEvent(line)
    if (event !== null) onEvent(event)
  })
  createInterface({ input: child.stderr }).on('line', onLine)
  const ended = new Promise<void>((resolve) => {
    let told = false
    const end = (how: string): void => {
      if (!told) onEnd(how)
      told = true
      resolve()
    }
    child.once('error', (error) => {
      end(error.message)
    })
    child.once('close', (code, signal) => {
      end(signal === null ? `code ${code ?? 0}` : signal)
    })
  })
  return { token, stop: () => stop(child, ended), kill: () => child.kill('SIGKILL') }
}
