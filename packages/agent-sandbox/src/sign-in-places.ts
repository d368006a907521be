/**
 * An agent's own sign-in: the one thing of the visitor's home that its box shows. Decides what may be shown and where.
 * A link on the way is refused: an agent that may write its sign-in folder could point one at anything else.
 */
import { lstat, mkdir, realpath, symlink } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { SignInPath } from '@leuria/agent'
import { inside, type PrivateFolder } from './private-folder.js'
import { PRIVATE_FOLDER_MODE } from './scratch.js'

/** What is shown inside the box, writable, at another path than outside. */
export interface ShownPath {
  readonly from: string
  readonly to: string
}

export interface SignInOptions {
  /** The folder that the paths are in: the visitor's home. */
  readonly home: string
  readonly folder: PrivateFolder
  readonly log?: (line: string) => void
}

export interface SignInPlaces {
  /** They exist and may be shown. */
  readonly shown: readonly ShownPath[]
  /** Nothing is there. */
  readonly absent: readonly ShownPath[]
}

/** `paths` with the places where the agent looks for them. One with a link on its way is neither shown nor absent. */
export async function placeSignIns(
  paths: readonly SignInPath[] = [],
  { home, folder, log }: SignInOptions,
): Promise<SignInPlaces> {
  const realHome = await realpath(home)
  const shown: ShownPath[] = []
  const absent: ShownPath[] = []
  for (const path of paths) {
    const from = inside(realHome, path.home)
    const to = path.at === undefined ? inside(folder.home, path.home) : inside(folder.path, path.at)
    const found = await lookForLinks(realHome, from)
    if (found === 'link') log?.(`The sign-in at ${from} is not used: there is a link on its path.`)
    if (found === 'real') shown.push({ from, to })
    if (found === 'absent') absent.push({ from, to })
  }
  return { shown, absent }
}

/** `path` is below `root`, which is real itself. */
export async function lookForLinks(root: string, path: string): Promise<'absent' | 'link' | 'real'> {
  let at = root
  for (const part of relative(root, path).split(sep).filter(Boolean)) {
    at = join(at, part)
    const facts = await lstat(at).catch(() => null)
    if (facts === null) return 'absent'
    if (facts.isSymbolicLink()) return 'link'
  }
  return 'real'
}

/** Where no box can show a path elsewhere: a link at that place. */
export async function linkSignIns(shown: readonly ShownPath[]): Promise<void> {
  for (const { from, to } of shown) {
    await mkdir(dirname(to), { recursive: true, mode: PRIVATE_FOLDER_MODE })
    await symlink(from, to)
  }
}
