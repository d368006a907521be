/** A program under measurement: started until it says `ready`, its CPU time and memory read from the system. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { processEvent, type ProcessEvent } from '@leuria/protocol'
import { followProgram, type ProgramEvents } from '@leuria/testing/program-events'
import * as z from 'zod/mini'
import { keptKb } from './kept-memory.js'

/** Ticks a second of the figures in /proc/<pid>/stat (proc(5), USER_HZ): 100 on every Linux that Node runs on. */
const TICKS_PER_S = 100

/** BENCH_NODE_ARGS: for Node.js itself, of every program measured; `--cpu-prof` writes a profile of those that end by themselves. */
const NODE_ARGS = process.env.BENCH_NODE_ARGS?.split(' ') ?? []

export interface MeasuredProcess {
  readonly port: number
  /** From the start of the process to its word that it listens, in ms. */
  readonly startMs: number
  /** CPU time so far, all threads, in µs. NaN where the system doesn't tell. */
  cpuUs: () => number
  /** Resident memory in KB. NaN where the system doesn't tell. */
  memoryKb: () => number
  /** What it keeps after a collection, in KB. Only for a program started with `inspect`. */
  keptKb: () => Promise<number>
  /** The first event that fits, past or to come. */
  next: ProgramEvents<ProcessEvent>['next']
  stop: () => Promise<void>
}

export interface ProgramToMeasure {
  script: string
  args?: readonly string[]
  env?: Readonly<Record<string, string>>
  /** With V8's inspector open on a free port of this computer. */
  inspect?: boolean
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

/** Where the inspector listens, as Node says it on the error output, which is read past from then on. */
function inspectorUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let said = ''
    child.stderr?.on('data', (part: Buffer) => {
      said = (said + part.toString()).slice(-1_000)
      const url = /Debugger listening on (ws:\S+)/.exec(said)?.[1]
      if (url !== undefined) resolve(url)
    })
  })
}

/** Starts a program and waits until it listens. The caller stops it. */
export async function startMeasured({
  script,
  args = [],
  env = {},
  inspect = false,
}: ProgramToMeasure): Promise<MeasuredProcess> {
  const startedAt = performance.now()
  const nodeArgs = [...(inspect ? ['--inspect=127.0.0.1:0'] : []), ...NODE_ARGS]
  const child = spawn(process.execPath, [...nodeArgs, script, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', inspect ? 'pipe' : 'ignore'],
  })
  const inspector = inspect ? inspectorUrl(child) : null
  const { next } = followProgram(child, (line) => z.parse(processEvent, line))
  const ready = await next((event) => event.event === 'ready')
  const startMs = performance.now() - startedAt
  return {
    port: ready.event === 'ready' ? ready.port : 0,
    startMs,
    cpuUs: () => cpuUs(child),
    memoryKb: () => memoryKb(child),
    keptKb: async () => keptKb((await inspector) ?? ''),
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
