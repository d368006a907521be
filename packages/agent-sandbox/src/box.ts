/**
 * The box around an agent, as a thing to open, look at and launch programs in. Joins scratch folder, environment,
 * sandbox, proof and process; which agents may run without a sandbox is the caller's rule.
 */
import { realpath } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { AgentError, type LaunchAgent } from '@leuria/agent'
import { type Clock, systemClock } from '@leuria/clock'
import { type BoxSetup, launchInBox } from './box-launch.js'
import { type BoxProof, removeOldCanaries } from './box-proof.js'
import { isWithin } from './box-view.js'
import type { StartedProgram } from './agent-program.js'
import type { Environment } from './environment.js'
import { type BoxKind, findSandbox, trySandbox } from './sandbox-choice.js'
import { openScratch } from './scratch.js'

export interface BoxOptions {
  /** Absolute paths of what the agent needs to run: its install folder. Seen read-only. The runtime is added. */
  readonly readable?: readonly string[]
  /** False: no sandbox even where there is one; scratch folder, environment and ending stay. @default true */
  readonly sandbox?: boolean
  /** What must stay out of reach, and what sign-ins are looked for in. @default the user's home folder */
  readonly visitorHome?: string
  /** Where the scratch folders are made. @default the system's folder for temporary files */
  readonly scratchParent?: string
  /** Filtered by the allow-list before anything gets it. @default process.env */
  readonly env?: Environment
  /** Where `bwrap` is. @default looked for on the PATH of `env` */
  readonly bubblewrap?: string
  /** @default systemClock */
  readonly clock?: Clock
  /** A line for debugging; never holds secrets. */
  readonly log?: (line: string) => void
}

export interface Box {
  /** `none` unless a sandbox is there and its proof holds. */
  readonly kind: BoxKind
  /** How the sandbox did when the box was opened, in words for people. */
  readonly proof: BoxProof
  /** Proves the box again, in the very surroundings the program will have, then starts the program. */
  readonly launch: LaunchAgent
  /** Ends everything launched and removes all folders. Idempotent, never rejects. */
  close(): Promise<void>
}

/**
 * Opens a box for an agent: tries the machine's sandbox, and removes what dead processes left.
 * @throws AgentError `failed` when what is to be readable would show the visitor's home
 */
export async function openBox(options: BoxOptions = {}): Promise<Box> {
  const setup = await prepare(options)
  const found = await findSandbox(options, setup.env)
  const proof = found.wrap === null ? found.proof : await trySandbox(found.wrap, setup)
  const active = proof.holds ? found : { kind: 'none' as const, wrap: null }
  const running = new Set<StartedProgram>()
  const launch: LaunchAgent = async (request) => {
    const started = await launchInBox(active.wrap, request, setup)
    running.add(started)
    void started.gone.then(() => running.delete(started))
    return started.agent
  }
  const close = async (): Promise<void> => {
    await Promise.all([...running].map(({ agent }) => agent.kill()))
    await setup.scratch.remove().catch(() => undefined)
  }
  let closing: Promise<void> | undefined
  return { kind: active.kind, proof, launch, close: () => (closing ??= close()) }
}

async function prepare(options: BoxOptions): Promise<BoxSetup> {
  const { clock = systemClock, log = () => undefined, env = process.env } = options
  const visitorHome = await realpath(options.visitorHome ?? homedir())
  const readable = await readablePaths([process.execPath, ...(options.readable ?? [])], visitorHome)
  await removeOldCanaries(visitorHome)
  const scratch = await openScratch(options.scratchParent ?? tmpdir())
  return { readable, visitorHome, env, clock, log, scratch }
}

/** Each path and what it really is, links followed: both places must be there for the link to lead somewhere. */
async function readablePaths(paths: readonly string[], home: string): Promise<string[]> {
  const both = await Promise.all(paths.map(async (path) => [path, await realpath(path).catch(() => path)]))
  const all = [...new Set(both.flat())]
  for (const path of all)
    if (isWithin(path, home))
      throw new AgentError('failed', `The AI's box can't show ${path}: the home folder is inside.`)
  return all
}
