/**
 * One launch: makes the session's surroundings (folders, files, sign-ins, variables), proves the box in just those, and
 * starts the program. Whatever fails or is called off on the way leaves nothing behind.
 */
import { randomBytes } from 'node:crypto'
import { realpath, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AgentError, type AgentLaunch } from '@leuria/agent'
import type { Clock } from '@leuria/clock'
import { type StartedProgram, startProgram } from './agent-program.js'
import { type BoxProof, proveBox } from './box-proof.js'
import type { BoxView, Command, WrapCommand } from './box-view.js'
import { allowedEnvironment, type Environment } from './environment.js'
import { fillIn, layOut, type PrivateFolder, writeFiles } from './private-folder.js'
import { boxedGroup, MARK_VARIABLE, plainGroup } from './process-group.js'
import { findProgram } from './program-search.js'
import { removeTree, type Scratch } from './scratch.js'
import { keepSignIns } from './sign-in-keep.js'
import { linkSignIns, placeSignIns, type ShownPath } from './sign-in-places.js'

/** What all launches of a box share. */
export interface BoxSetup {
  readonly readable: readonly string[]
  readonly visitorHome: string
  readonly env: Environment
  readonly clock: Clock
  readonly log: (line: string) => void
  readonly scratch: Scratch
}

/** What one program finds around it. */
export interface Surroundings {
  readonly folder: PrivateFolder
  readonly shown: readonly ShownPath[]
  /** Where a sign-in would be that there isn't yet. */
  readonly absent: readonly ShownPath[]
  readonly users: BoxView['users']
  readonly env: Readonly<Record<string, string>>
  readonly remove: () => Promise<void>
}

type Wanted = Pick<AgentLaunch, 'env' | 'files' | 'signIn'>

/** @throws AgentError `failed` when a file or sign-in of the launch leads out of its place */
export async function makeSurroundings(wanted: Partial<Wanted>, setup: BoxSetup): Promise<Surroundings> {
  const top = await setup.scratch.makeFolder()
  const remove = (): Promise<void> => removeTree(top)
  try {
    const folder = await layOut(top)
    await writeFiles(folder, wanted.files)
    const places = await placeSignIns(wanted.signIn, { home: setup.visitorHome, folder, log: setup.log })
    const users = await writeUsers(folder)
    return { folder, ...places, users, env: environmentFor(wanted.env, folder, setup), remove }
  } catch (error) {
    await remove().catch(() => undefined)
    throw error
  }
}

/** The machine's list of users names the visitor and everybody's home; the box gets one of its own. */
async function writeUsers(folder: PrivateFolder): Promise<BoxView['users']> {
  const uid = process.getuid?.() ?? 0
  const gid = process.getgid?.() ?? 0
  const users = { passwd: join(folder.outside, 'passwd'), group: join(folder.outside, 'group') }
  await writeFile(users.passwd, `visitor:x:${uid}:${gid}:Visitor:${folder.home}:/bin/sh\n`)
  await writeFile(users.group, `visitor:x:${gid}:\n`)
  return users
}

function environmentFor(added: Readonly<Record<string, string>> = {}, folder: PrivateFolder, setup: BoxSetup) {
  const filled = Object.entries(added).map(([name, value]) => [name, fillIn(value, folder)] as const)
  const places = {
    HOME: folder.home,
    USERPROFILE: folder.home,
    TMPDIR: folder.temp,
    TEMP: folder.temp,
    TMP: folder.temp,
    // The engine's own runtime first: an agent that starts `node` gets the one it was checked with.
    PATH: [dirname(process.execPath), setup.env['PATH']].filter(Boolean).join(process.platform === 'win32' ? ';' : ':'),
  }
  return allowedEnvironment(setup.env, { ...places, ...Object.fromEntries(filled) })
}

/** Proves a box in the surroundings that a program will have. */
export function proveIn(wrap: WrapCommand, around: Surroundings, setup: BoxSetup): Promise<BoxProof> {
  const view = viewOf(around, setup, [])
  return proveBox({ wrap: (command) => wrap(command, view), visitorHome: setup.visitorHome, env: around.env })
}

function viewOf(around: Surroundings, setup: BoxSetup, programs: readonly string[]): BoxView {
  return {
    readable: [...new Set([...setup.readable, ...programs])],
    writable: [around.folder.path],
    shown: around.shown,
    cwd: around.folder.work,
    users: around.users,
  }
}

/** `wrap` null: without a sandbox. @throws AgentError, see `LaunchAgent` */
export async function launchInBox(
  wrap: WrapCommand | null,
  launch: AgentLaunch,
  setup: BoxSetup,
): Promise<StartedProgram> {
  const around = await makeSurroundings(launch, setup)
  try {
    const command = await commandOf(launch, around)
    if (wrap === null) await linkSignIns(around.shown)
    else mustHold(await proveIn(wrap, around, setup))
    checkCalledOff(launch)
    const started = await startProgram(await programOf(wrap, command, { around, setup, launch }))
    if (launch.signal.aborted) await started.agent.kill()
    checkCalledOff(launch)
    return started
  } catch (error) {
    await around.remove().catch(() => undefined)
    throw error
  }
}

async function commandOf(launch: AgentLaunch, around: Surroundings): Promise<Command> {
  const program = await findProgram(fillIn(launch.command, around.folder), { path: around.env['PATH'] })
  if (program === null)
    throw new AgentError('unavailable', `The AI's program "${launch.command}" is not on this computer.`)
  return { command: program, args: launch.args.map((each) => fillIn(each, around.folder)) }
}

function mustHold(proof: BoxProof): void {
  if (!proof.holds) throw new AgentError('failed', `The AI was not started: its box does not hold. ${proof.message}`)
}

function checkCalledOff({ signal }: AgentLaunch): void {
  if (signal.aborted) throw new AgentError('failed', "The start of the AI's program was called off.")
}

interface Place {
  readonly around: Surroundings
  readonly setup: BoxSetup
  readonly launch: AgentLaunch
}

/** After the end of the program and all it started. */
async function cleanUp({ around, setup, launch }: Place): Promise<void> {
  const { visitorHome: home, log } = setup
  if (launch.keepSignIn === true) await keepSignIns(around.absent, { home, privateFolder: around.folder.path, log })
  await around.remove()
}

async function programOf(wrap: WrapCommand | null, command: Command, place: Place) {
  const { around, setup, launch } = place
  const mark = randomBytes(12).toString('hex')
  // A program may be a link out of what the system shows: its target is shown too.
  const programs = [command.command, await realpath(command.command)]
  const shared = {
    cwd: around.folder.work,
    clock: setup.clock,
    cleanUp: () => cleanUp(place),
    name: launch.command,
  }
  if (wrap === null)
    return {
      ...shared,
      start: command,
      boxed: false,
      env: { ...around.env, [MARK_VARIABLE]: mark },
      group: (leader: number) => plainGroup(leader, mark),
    }
  // Other sandboxes keep the processes in the machine's own world; there the group is all there is.
  const group = process.platform === 'linux' ? boxedGroup : (leader: number) => plainGroup(leader, mark)
  const start = wrap(command, viewOf(around, setup, programs))
  return { ...shared, start, boxed: true, env: around.env, group }
}
