/**
 * Brings a first sign-in home: what an agent made in its box at the places of its sign-in, after its end. The agent wrote
 * it, so nothing of it is believed: plain files of a bounded size, no links, and nothing that is there is replaced.
 */
import { lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { PRIVATE_FOLDER_MODE } from './scratch.js'
import { lookForLinks, type ShownPath } from './sign-in-places.js'

/** Sign-ins are a few kilobytes; a folder of them holds a handful. */
export const MAX_SIGN_IN_BYTES = 1_048_576
export const MAX_SIGN_IN_FILES = 50

export interface KeepOptions {
  /** The visitor's, links followed. */
  readonly home: string
  /** The session's private folder. */
  readonly privateFolder: string
  readonly log: (line: string) => void
}

/** Never rejects: an agent that isn't signed in says so itself. `absent`: places that were empty at the start. */
export async function keepSignIns(absent: readonly ShownPath[], options: KeepOptions): Promise<void> {
  for (const place of absent) {
    try {
      await keep(place, options)
    } catch (error) {
      options.log(
        `The sign-in at ${place.from} was not kept: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }
}

async function keep({ from, to }: ShownPath, { home, privateFolder }: KeepOptions): Promise<void> {
  const made = await lookForLinks(privateFolder, to)
  if (made === 'absent') return
  if (made === 'link') throw new Error('there is a link on its path')
  const files = await plainFiles(to)
  for (const file of files) {
    const target = join(from, relative(to, file))
    if ((await lookForLinks(home, dirname(target))) === 'link') throw new Error('there is a link on its way home')
    await makeFolders(home, dirname(target))
    await writeFile(target, await readFile(file), { mode: 0o600, flag: 'wx' })
  }
}

/** The file itself, or all in the folder. @throws when there is anything else, or too much of it */
async function plainFiles(path: string): Promise<string[]> {
  const found: string[] = []
  let bytes = 0
  const add = async (each: string): Promise<void> => {
    const facts = await lstat(each)
    if (facts.isDirectory()) {
      for (const name of await readdir(each)) await add(join(each, name))
      return
    }
    if (!facts.isFile()) throw new Error('it holds something that is no file')
    bytes += facts.size
    found.push(each)
    if (bytes > MAX_SIGN_IN_BYTES || found.length > MAX_SIGN_IN_FILES) throw new Error('it is too large')
  }
  await add(path)
  return found
}

/** One by one, for the user alone. */
async function makeFolders(home: string, folder: string): Promise<void> {
  let at = home
  for (const part of relative(home, folder).split(sep).filter(Boolean)) {
    at = join(at, part)
    await mkdir(at, { mode: PRIVATE_FOLDER_MODE }).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    })
  }
}
