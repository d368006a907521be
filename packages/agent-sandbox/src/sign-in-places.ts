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

/** Those of `paths` that exist and may be shown, with the place where the agent looks for them. */
export async function placeSignIns(
  paths: readonly SignInPath[] = [],
  { home, folder, log }: SignInOptions,
): Promise<ShownPath[]> {
  if (paths.length === 0) return []
  const realHome = await realpath(home)
  const shown: ShownPath[] = []
  for (const path of paths) {
    const from = inside(realHome, path.home)
    const to = path.at === undefined ? inside(folder.home, path.home) : inside(folder.path, path.at)
    const found = await look(realHome, from)
    if (found === 'link') log?.(`The sign-in at ${from} is not used: there is a link on its path.`)
    if (found === 'real') shown.push({ from, to })
  }
  return shown
}

async function look(home: string, path: string): Promise<'absent' | 'link' | 'real'> {
  let at = home
  for (const part of relative(home, path).split(sep)) {
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
