/**
 * Does a box hold? Runs a small shell program inside it that tries to read a canary file in the visitor's home, to list
 * that home, to see a process outside and to write outside, and believes only what came out. The same program runs
 * outside first: a probe that fails there too would prove nothing.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { lstat, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from './box-view.js'

/** Why a box doesn't count. */
export const PROOF_FAULTS = [
  /** This system has no sandbox that we know, or its program isn't there. */
  'no_sandbox',
  /** The sandbox's program failed: user namespaces switched off, for example. */
  'not_started',
  /** The probe could not do its work even outside the box. */
  'probe_failed',
  'home_readable',
  'processes_visible',
  'writes_outside',
  /** The caller asked for none. */
  'switched_off',
] as const
export type ProofFault = (typeof PROOF_FAULTS)[number]

export type BoxProof =
  | { readonly holds: true; readonly message: string }
  | { readonly holds: false; readonly fault: ProofFault; readonly message: string }

/** Far above what a shell takes to start on a busy machine (10 to 60 ms). */
const PROBE_LIMIT_MS = 10_000
/** Command lines of everything inside a box are a few kilobytes; outside only one process is looked at. */
const MAX_OUTPUT_BYTES = 1_048_576
const CANARY_NAME = /^\.leuria-canary-(\d+)-/
const DONE = 'leuria-probe-done'

/**
 * Reads the canary, lists the home, lists all processes, writes a file. What it looks for comes in variables: its own
 * command line is among those it prints.
 */
const PROBE = `
cat -- "$CANARY" 2>/dev/null
ls -a -- "$VISITOR_HOME" 2>/dev/null
for each in /proc/[0-9]*/cmdline; do cat "$each" 2>/dev/null; done
ps -axww -o pid=,args= 2>/dev/null
(: > "$WRITTEN") 2>/dev/null
echo ${DONE}
`
/** Outside, listing a whole machine would be slow: one process is enough. */
const CONTROL = `
cat -- "$CANARY" 2>/dev/null
cat "/proc/$WITNESS/cmdline" 2>/dev/null || ps -p "$WITNESS" -ww -o args= 2>/dev/null
(: > "$WRITTEN") 2>/dev/null
echo ${DONE}
`

export interface ProofOptions {
  /** Puts the probe into the box exactly as the agent will be. */
  readonly wrap: (command: Command) => Command
  readonly visitorHome: string
  readonly env: Readonly<Record<string, string>>
}

interface Bait {
  readonly secret: string
  readonly canary: string
  /** A file that a write outside the box would make. */
  readonly written: string
  readonly witness: ChildProcess
  readonly witnessName: string
}

/** Tries the box. Never rejects; leaves nothing behind. */
export async function proveBox(options: ProofOptions): Promise<BoxProof> {
  let bait: Bait
  try {
    bait = await layBait(options.visitorHome)
  } catch (error) {
    return fault('probe_failed', `A file to try the box with can't be made in ${options.visitorHome}: ${String(error)}`)
  }
  try {
    return (await tryOutside(bait, options)) ?? (await tryInside(bait, options))
  } finally {
    await takeBait(bait)
  }
}

async function layBait(home: string): Promise<Bait> {
  const name = `${process.pid}-${randomBytes(6).toString('hex')}`
  const secret = `leuria-secret-${randomBytes(12).toString('hex')}`
  const canary = join(home, `.leuria-canary-${name}`)
  await writeFile(canary, `${secret}\n`, { mode: 0o600, flag: 'wx' })
  const witnessName = `leuria-witness-${randomBytes(12).toString('hex')}`
  // Waits for the end of its stdin, so that it can't outlive this process.
  const witness = spawn('/bin/sh', ['-c', 'read -r line', witnessName], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
  })
  witness.on('error', () => undefined)
  return { secret, canary, written: join(home, `.leuria-canary-${name}-written`), witness, witnessName }
}

async function takeBait(bait: Bait): Promise<void> {
  const gone = new Promise((resolve) => {
    if (bait.witness.pid === undefined || bait.witness.exitCode !== null) resolve(null)
    bait.witness.once('exit', resolve)
  })
  bait.witness.stdin?.on('error', () => undefined)
  bait.witness.kill('SIGKILL')
  await gone
  await rm(bait.canary, { force: true }).catch(() => undefined)
  await rm(bait.written, { force: true }).catch(() => undefined)
}

function variables(bait: Bait, { visitorHome, env }: ProofOptions): Record<string, string> {
  const { canary, written, witness } = bait
  return { ...env, CANARY: canary, WRITTEN: written, VISITOR_HOME: visitorHome, WITNESS: String(witness.pid) }
}

async function tryOutside(bait: Bait, options: ProofOptions): Promise<BoxProof | null> {
  const { output } = await run({ command: '/bin/sh', args: ['-c', CONTROL] }, variables(bait, options))
  const works = output.includes(bait.secret) && output.includes(bait.witnessName) && (await wasWritten(bait))
  await rm(bait.written, { force: true })
  return works ? null : fault('probe_failed', 'The probe of the box fails even outside of it.')
}

async function tryInside(bait: Bait, options: ProofOptions): Promise<BoxProof> {
  const probe = options.wrap({ command: '/bin/sh', args: ['-c', PROBE] })
  const { output, trouble } = await run(probe, variables(bait, options))
  if (!output.includes(DONE)) return fault('not_started', `The box can't be built: ${trouble}`)
  if (output.includes(bait.secret) || output.includes('.leuria-canary-'))
    return fault('home_readable', 'Inside the box the home folder can be read.')
  if (output.includes(bait.witnessName))
    return fault('processes_visible', 'Inside the box other programs of this computer can be seen.')
  if (await wasWritten(bait)) return fault('writes_outside', 'Inside the box files of the home folder can be written.')
  return {
    holds: true,
    message: 'The home folder, other programs and writing outside were tried and are out of reach.',
  }
}

async function wasWritten({ written }: Bait): Promise<boolean> {
  return (await lstat(written).catch(() => null)) !== null
}

function fault(code: ProofFault, message: string): BoxProof {
  return { holds: false, fault: code, message }
}

function run(
  { command, args }: Command,
  env: Readonly<Record<string, string>>,
): Promise<{ output: string; trouble: string }> {
  return new Promise((resolve) => {
    const limits = { timeout: PROBE_LIMIT_MS, killSignal: 'SIGKILL', maxBuffer: MAX_OUTPUT_BYTES } as const
    const child = execFile(command, [...args], { ...limits, env }, (error, output, errors) => {
      const trouble = errors.trim() || (error === null ? 'it said nothing' : error.message)
      resolve({ output, trouble: trouble.slice(0, 500) })
    })
    child.stdin?.on('error', () => undefined)
    child.stdin?.end()
  })
}

/** Removes canaries that a process left which was killed in the middle of a proof. */
export async function removeOldCanaries(home: string): Promise<void> {
  for (const name of await readdir(home).catch(() => [])) {
    const pid = CANARY_NAME.exec(name)?.[1]
    if (pid !== undefined && isGone(Number(pid))) await rm(join(home, name), { force: true }).catch(() => undefined)
  }
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}
