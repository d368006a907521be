/** A program under measurement: started until it says `ready`, its CPU time and memory read from the system. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { processEvent, type ProcessEvent } from '@leuria/protocol'
import * as z from 'zod/mini'

/** Ticks a second of the figures in /proc/<pid>/stat (proc(5), USER_HZ): 100 on every Linux that Node runs on. */
const TICKS_PER_S = 100
/** A program that hasn't started by then never will. */
const START_LIMIT_MS = 30_000

export interface MeasuredProcess {
  readonly port: number
  /** From the start of the process to its word that it listens, in ms. */
  readonly startMs: number
  /** CPU time so far, all threads, in µs. NaN where the system doesn't tell. */
  cpuUs: () => number
  /** Resident memory in KB. NaN where the system doesn't tell. */
  memoryKb: () => number
  /** The first event that fits, past or to come. */
  next: (fits: (event: ProcessEvent) => boolean) => Promise<ProcessEvent>
  stop: () => Promise<void>
}

export interface ProgramToMeasure {
  script: string
  args?: readonly string[]
  env?: Readonly<Record<string, string>>
}

function readProc(child: ChildProcess, file: string): string {
  try {
    return readFileSync(`/proc/${child.pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

function cpuUs(child: ChildProcess): number {
  // The fields after the command's name, which may hold spaces itself.
  const fields = readProc(child, 'stat')
    .replace(/^.*\) /, '')
    .split(' ')
  const [user, system] = [fields[11], fields[12]].map(Number)
  return (((user ?? Number.NaN) + (system ?? Number.NaN)) / TICKS_PER_S) * 1_000_000
}

function memoryKb(child: ChildProcess): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readProc(child, 'status'))?.[1] ?? Number.NaN)
}

/** Follows the lines of JSON that the program prints. */
function followEvents(child: ChildProcess): MeasuredProcess['next'] {
  if (child.stdout === null) throw new Error('the program was started without a pipe')
  const events: ProcessEvent[] = []
  const waiting = new Set<() => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    events.push(z.parse(processEvent, JSON.parse(line)))
    for (const look of waiting) look()
  })
  return (fits) =>
    new Promise((resolve, reject) => {
      const limit = setTimeout(() => {
        reject(new Error('the program said nothing of the kind in time'))
      }, START_LIMIT_MS)
      const look = (): void => {
        const found = events.find(fits)
        if (found === undefined) return
        clearTimeout(limit)
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      look()
    })
}

/** Starts a program and waits until it listens. The caller stops it. */
export async function startMeasured({ script, args = [], env = {} }: ProgramToMeasure): Promise<MeasuredProcess> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [script, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const next = followEvents(child)
  const ready = await next((event) => event.event === 'ready')
  const startMs = performance.now() - startedAt
  return {
    port: ready.event === 'ready' ? ready.port : 0,
    startMs,
    cpuUs: () => cpuUs(child),
    memoryKb: () => memoryKb(child),
    next,
    stop: () =>
      new Promise((resolve) => {
        child.once('close', () => {
          resolve()
        })
        child.kill('SIGTERM')
      }),
  }
}
