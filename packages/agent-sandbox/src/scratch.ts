/**
 * Where the private folders of this process's sessions are: one root, named after the process, so that what a process
 * left that is gone can be told and removed. What is inside a session's folder is `private-folder.ts`.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** For the user alone. */
export const PRIVATE_FOLDER_MODE = 0o700

const ROOT_NAME = /^leuria-box-(\d+)-[0-9a-f]{12}$/
/** Roots of this process. One with this process's id that isn't here was left by an earlier process of that id. */
const mine = new Set<string>()

export interface Scratch {
  /** A new empty folder, 0700. */
  makeFolder(): Promise<string>
  /** Removes everything that is left. */
  remove(): Promise<void>
}

/** Makes a root in `parent` and removes the roots there whose process is gone. */
export async function openScratch(parent: string): Promise<Scratch> {
  const real = await realpath(parent)
  await removeStale(real)
  const name = `leuria-box-${process.pid}-${randomBytes(6).toString('hex')}`
  mine.add(name)
  const root = join(real, name)
  await mkdir(root, { mode: PRIVATE_FOLDER_MODE })
  return {
    makeFolder: () => mkdtemp(join(root, 's-')),
    remove: async () => {
      await removeTree(root)
      mine.delete(name)
    },
  }
}

/** Best effort: a folder that can't be removed (another user's, still written to) is looked at again at the next start. */
async function removeStale(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => [])
  for (const name of names) {
    const pid = ROOT_NAME.exec(name)?.[1]
    if (pid === undefined || mine.has(name) || isAlive(Number(pid))) continue
    await removeTree(join(parent, name)).catch(() => undefined)
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: alive, another user's.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

/** Tries again while something still writes into it (ENOTEMPTY). Links are removed, never followed. */
export async function removeTree(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
}
