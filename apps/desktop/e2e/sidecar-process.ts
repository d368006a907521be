/** Runs the built sidecar as the desktop app does: token in the environment, JSON lines on stdout, ends with its stdin. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { processEvent, type ProcessEvent } from '@leuria/protocol'
import { vi } from 'vitest'

const SIDECAR = fileURLToPath(new URL('../dist/leuria-sidecar.js', import.meta.url))
export const TOKEN = 'a-fresh-admin-token-of-43-characters-aaaaaa'

export interface Sidecar {
  child: ChildProcess
  /** What it printed so far. */
  lines: ProcessEvent[]
  /** What it said on stderr so far. */
  readonly said: string
  /** Its exit code, once it has ended. */
  ended: Promise<number | null>
}

export interface SidecarOptions {
  home: string
  /** Beside the home. */
  env?: Readonly<Record<string, string>>
  args?: readonly string[]
}

/** Whoever starts it ends it: its stdin, or by a signal. */
export function startSidecar({
  home,
  env = { LEURIA_ADMIN_TOKEN: TOKEN },
  args = ['--port', '0'],
}: SidecarOptions): Sidecar {
  const child = spawn(process.execPath, [SIDECAR, ...args], {
    env: { PATH: process.env.PATH, LEURIA_HOME: home, ...env },
  })
  const lines: ProcessEvent[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(processEvent.parse(JSON.parse(line))))
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return {
    child,
    lines,
    get said() {
      return said
    },
    ended: new Promise((resolve) => child.on('close', resolve)),
  }
}

/** The port that it says it listens on; for hooks and tests alike. */
export async function readyPort({ lines }: Sidecar): Promise<number> {
  const first = await vi.waitUntil(() => lines[0], { timeout: 30_000 })
  if (first.event !== 'ready') throw new Error(`the sidecar did not start: ${JSON.stringify(first)}`)
  return first.port
}
