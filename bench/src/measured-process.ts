/** A program under measurement: started until it says `ready`, its CPU time and memory read from the system. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { processEvent, type ProcessEvent } from '@leuria/protocol'
import { followProgram, type ProgramEvents } from '@leuria/testing/program-events'
import * as z from 'zod/mini'

/** Ticks a second of the figures in /proc/<pid>/stat (proc(5), USER_HZ): 100 on every Linux that Node runs on. */
const TICKS_PER_S = 100

export interface MeasuredProcess {
  readonly port: number
  /** From the start of the process to its word that it listens, in ms. */
  readonly startMs: number
  /** CPU time so far, all threads, in µs. NaN where the system doesn't tell. */
  cpuUs: () => number
  /** Resident memory in KB. NaN where the system doesn't tell. */
  memoryKb: () => number
  /** The first event that fits, past or to come. */
  next: ProgramEvents<ProcessEvent>['next']
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

/** From the scheduler, which counts in ns; a thread that has ended is no longer in it. NaN where there is none. */
function scheduledUs(child: ChildProcess): number {
  try {
    const threads = readdirSync(`/proc/${child.pid}/task`)
    const ns = threads.map((thread) => Number.parseInt(readProc(child, `task/${thread}/schedstat`), 10))
    return ns.reduce((sum, each) => sum + each, 0) / 1_000
  } catch {
    return Number.NaN
  }
}

function cpuUs(child: ChildProcess): number {
  const scheduled = scheduledUs(child)
  return Number.isNaN(scheduled) ? tickedUs(child) : scheduled
}

/** Coarse: whole ticks. */
function tickedUs(child: ChildProcess): number {
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

/** Starts a program and waits until it listens. The caller stops it. */
export async function startMeasured({ script, args = [], env = {} }: ProgramToMeasure): Promise<MeasuredProcess> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [script, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const { next } = followProgram(child, (line) => z.parse(processEvent, line))
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
