/**
 * A child process as an `AgentProcess`: starting it as the leader of a group, and ending all of it in steps.
 * What surrounds it (box, folders) is the caller's, who is told when everything is gone.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import type { AgentProcess } from '@leuria/agent'
import { AgentError } from '@leuria/agent'
import { type Clock, pause, withDeadline } from '@leuria/clock'
import type { Command } from './box-view.js'
import type { ProcessGroup } from './process-group.js'

/** After the end of stdin. Most agents are gone within half a second; some never take notice. */
const AFTER_STDIN_MS = 1_500
/** After SIGTERM: time to write down a sign-in that was renewed. */
const AFTER_TERM_MS = 2_500
/** After SIGKILL. Longer only in a system that hangs. */
const AFTER_KILL_MS = 1_500
/** After a program's end, until the system has cleared away its group, and its folders are gone: seconds where much goes on. All ends together last 8 s. */
const CLEAR_AWAY_MS = 2_500
const LOOK_AGAIN_MS = 10
/** The longest delay a timer takes; nothing ever happens at its end. */
const MAX_TIMER_MS = 2 ** 31 - 1

export interface ProgramOptions {
  readonly start: Command
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly boxed: boolean
  readonly clock: Clock
  readonly group: (leader: number) => ProcessGroup
  /** Called once, when all processes are gone: removes the folders. */
  readonly cleanUp: () => Promise<void>
  /** What people know the program by, for messages. */
  readonly name: string
}

export interface StartedProgram {
  readonly agent: AgentProcess
  /** Resolves when the program and all it started are gone and `cleanUp` is done, however it ended. Never rejects. */
  readonly gone: Promise<void>
}

/** @throws AgentError `unavailable` when it can't be started; `cleanUp` is the caller's then */
export async function startProgram(options: ProgramOptions): Promise<StartedProgram> {
  const child = spawn(options.start.command, [...options.start.args], {
    cwd: options.cwd,
    env: options.env,
    stdio: 'pipe',
    // The leader of a group of its own: what it starts can be ended with it.
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  // A program that went away breaks the pipe; whoever writes is told by `exited`.
  child.stdin.on('error', () => undefined)
  const leader = await started(child, options.name)
  const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('exit', (code, signal) => {
      resolve({ code, signal })
    })
  })
  const group = options.group(leader)
  const gone = exited.then(() => awake(() => clearAway(group, options)))
  let ending: Promise<void> | undefined
  const kill = (): Promise<void> =>
    (ending ??= endInSteps(child, { group, exited, clock: options.clock }).then(() =>
      Promise.race([gone, pause(options.clock, CLEAR_AWAY_MS)]),
    ))
  const agent: AgentProcess = {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    cwd: options.cwd,
    boxed: options.boxed,
    exited,
    kill,
  }
  return { agent, gone }
}

function started(child: ChildProcessWithoutNullStreams, name: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('spawn', () => {
      child.on('error', () => undefined)
      resolve(child.pid ?? 0)
    })
    child.once('error', (cause) => {
      reject(new AgentError('unavailable', `The AI's program "${name}" can't be started.`, { cause }))
    })
  })
}

interface Ending {
  readonly group: ProcessGroup
  readonly exited: Promise<unknown>
  readonly clock: Clock
}

async function endInSteps(child: ChildProcessWithoutNullStreams, { group, exited, clock }: Ending): Promise<void> {
  const isGone = (limitMs: number): Promise<boolean> =>
    withDeadline(clock, limitMs, exited).then(
      () => true,
      () => false,
    )
  child.stdin.end()
  // Unread output would keep a program waiting that wants to say goodbye.
  child.stdout.resume()
  child.stderr.resume()
  if (await isGone(AFTER_STDIN_MS)) return
  await group.ask()
  if (await isGone(AFTER_TERM_MS)) return
  await group.force()
  await isGone(AFTER_KILL_MS)
}

/** Does `work` and keeps this process running for it: a clock's timers don't. */
async function awake(work: () => Promise<void>): Promise<void> {
  const hold = setInterval(() => undefined, MAX_TIMER_MS)
  try {
    await work()
  } finally {
    clearInterval(hold)
  }
}

/** The program has ended: whatever it left running ends too, then its folders go. */
async function clearAway(group: ProcessGroup, { clock, cleanUp }: ProgramOptions): Promise<void> {
  await group.force()
  const until = clock.now() + CLEAR_AWAY_MS
  while ((await group.isAlive()) && clock.now() < until) await pause(clock, LOOK_AGAIN_MS)
  await cleanUp().catch(() => undefined)
}
