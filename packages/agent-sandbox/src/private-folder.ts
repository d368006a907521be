/**
 * One session's private folder: what is in it at the start, and the stand-in for its path in what a launch says.
 * Making and removing the folder itself is `scratch.ts`.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, normalize, sep } from 'node:path'
import { AgentError, PRIVATE_FOLDER } from '@leuria/agent'
import { PRIVATE_FOLDER_MODE } from './scratch.js'

/** All absolute, all made. */
export interface PrivateFolder {
  /** What `{private}` stands for. */
  readonly path: string
  /** HOME. */
  readonly home: string
  /** The working folder: empty. */
  readonly work: string
  readonly temp: string
  /** Files of the box itself, which the agent doesn't see at this place. */
  readonly outside: string
}

/** Lays out `folder`, which exists and is empty. */
export async function layOut(folder: string): Promise<PrivateFolder> {
  const path = join(folder, 'private')
  const made = {
    path,
    home: join(path, 'home'),
    work: join(path, 'work'),
    temp: join(path, 'tmp'),
    outside: join(folder, 'box'),
  }
  for (const each of Object.values(made)) await mkdir(each, { recursive: true, mode: PRIVATE_FOLDER_MODE })
  return made
}

/** Puts the folder's path where its stand-in is. */
export function fillIn(text: string, folder: PrivateFolder): string {
  return text.replaceAll(PRIVATE_FOLDER, folder.path)
}

/** A path with `/`, below `root` whatever it says. @throws AgentError `failed` when it leads out or is empty */
export function inside(root: string, path: string): string {
  const clean = normalize(path)
  const leadsOut = isAbsolute(path) || clean === '..' || clean.startsWith(`..${sep}`) || path.includes('\0')
  if (leadsOut || clean === '.' || path === '')
    throw new AgentError('failed', `The AI's settings name a path that leads out of its folder: "${path}".`)
  return join(root, clean)
}

/** Writes the launch's files, 0600, with the folder's path filled in. */
export async function writeFiles(folder: PrivateFolder, files: Readonly<Record<string, string>> = {}): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = inside(folder.path, name)
    await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER_MODE })
    await writeFile(path, fillIn(text, folder), { mode: 0o600 })
  }
}
