/**
 * Where the user's files are, and making that folder private. What the files hold is others' business. Also alone, as
 * `@leuria/state/home`, for whoever starts: nothing is loaded that isn't needed.
 */
import { homedir } from 'node:os'
import { dirname, join, parse, resolve } from 'node:path'
import type { StateFs } from './file-system.js'
import { PRIVATE_FOLDER_MODE } from './private-modes.js'
import { errnoOf, writeError } from './state-error.js'

/** The folder of all state: `LEURIA_HOME` when set and not blank (relative to the working folder), else `~/.leuria`. */
export function resolveHome(env: Readonly<Record<string, string | undefined>>): string {
  const chosen = env['LEURIA_HOME']?.trim() ?? ''
  return chosen === '' ? join(homedir(), '.leuria') : resolve(chosen)
}

export interface FolderOptions {
  fs?: StateFs
  log?: (line: string) => void
}

const OTHERS_BITS = 0o077
const STICKY_BIT = 0o1000

/** A folder that more than Leuria lives in keeps its permissions: the files inside are private by themselves. */
function isShared(folder: string, facts: { mode: number; uid: number }): boolean {
  const mine = typeof process.getuid !== 'function' || process.getuid() === facts.uid
  return !mine || (facts.mode & STICKY_BIT) !== 0 || folder === homedir() || folder === parse(folder).root
}

async function makePrivateFolder(folder: string, fs: StateFs): Promise<void> {
  try {
    await fs.makeFolder(folder)
    await fs.syncFolder(dirname(folder))
  } catch (error) {
    throw writeError(folder, error)
  }
}

/**
 * Makes sure that the folder exists and that only the user can look inside (0700); one that was more open is closed.
 * The user's home folder, a sticky one (`/tmp`) or somebody else's is left as it is, with a line in the log.
 * @throws StateError `not_writable`, `disk_full` or `write_failed` when it can't be made.
 */
export async function openFolder(folder: string, options: FolderOptions = {}): Promise<void> {
  const { fs = (await import('./file-system.js')).nodeFs, log } = options
  const known = await fs.facts(folder).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return null
    throw writeError(folder, error)
  })
  if (known === null) {
    await makePrivateFolder(folder, fs)
    return
  }
  if (process.platform === 'win32' || (known.mode & OTHERS_BITS) === 0) return
  if (isShared(folder, known)) {
    log?.(`Other users can look into ${folder}; its permissions are left as they are.`)
    return
  }
  await fs.setMode(folder, PRIVATE_FOLDER_MODE).catch(() => {
    log?.(`Other users can look into ${folder}, and its permissions can't be changed.`)
  })
}
