/**
 * The few operations on files that this package uses, as an interface: tests put faults and counters behind it.
 * Everything is asynchronous; nothing here ever blocks a request. Errors are Node's own, with `code`.
 */
import { constants, watch } from 'node:fs'
import { chmod, mkdir, open, readdir, realpath, rename, stat, unlink } from 'node:fs/promises'
import { PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE } from './private-modes.js'

/** How a file stands. `identity` changes whenever the content was written or the file was replaced. */
export interface FileFacts {
  identity: string
  size: number
  /** Permission bits, sticky bit included. */
  mode: number
  /** The owner's id; 0 on Windows. */
  uid: number
}

/** An open file. Whoever opened it closes it. */
export interface OpenFile {
  /** Everything from the start. */
  readAll(): Promise<Buffer>
  /** Fills at most `target`, from `position`; returns how many bytes came, 0 at the end. */
  read(target: Buffer, position: number): Promise<number>
  /** Writes at the file's place (its end when opened for appending); returns how many bytes went. May be fewer. */
  write(data: Buffer): Promise<number>
  /** Resolves when the content would survive a power cut. */
  sync(): Promise<void>
  facts(): Promise<FileFacts>
  close(): Promise<void>
}

/** `create` fails with EEXIST when the name is taken; `append` creates what is missing; both make private files. */
export type OpenMode = 'read' | 'create' | 'append'

export interface StateFs {
  open(path: string, mode: OpenMode): Promise<OpenFile>
  /** Follows links. */
  facts(path: string): Promise<FileFacts>
  realPath(path: string): Promise<string>
  list(folder: string): Promise<string[]>
  rename(from: string, to: string): Promise<void>
  remove(path: string): Promise<void>
  /** Makes the folder and those above it, private to the user. No error when it exists. */
  makeFolder(path: string): Promise<void>
  setMode(path: string, mode: number): Promise<void>
  /** Makes a rename or removal in `folder` survive a power cut, where the system can do that. */
  syncFolder(folder: string): Promise<void>
  /** Tells of changes inside `folder`, by name where known. Returns its undo. Throws when it can't watch. */
  watch(folder: string, changed: (name: string | null) => void): () => void
}

const FLAGS: Record<OpenMode, number> = {
  read: constants.O_RDONLY,
  create: constants.O_RDWR | constants.O_CREAT | constants.O_EXCL,
  append: constants.O_RDWR | constants.O_CREAT | constants.O_APPEND,
}

interface BigFacts {
  ino: bigint
  mtimeNs: bigint
  size: bigint
  mode: bigint
  uid: bigint
}

function toFacts(from: BigFacts): FileFacts {
  return {
    identity: `${from.ino}:${from.mtimeNs}:${from.size}`,
    size: Number(from.size),
    mode: Number(from.mode) & 0o7777,
    uid: Number(from.uid),
  }
}

async function openFile(path: string, mode: OpenMode): Promise<OpenFile> {
  const handle = await open(path, FLAGS[mode], PRIVATE_FILE_MODE)
  return {
    readAll: () => handle.readFile(),
    read: async (target, position) => (await handle.read(target, 0, target.length, position)).bytesRead,
    write: async (data) => (await handle.write(data, 0, data.length, null)).bytesWritten,
    sync: () => handle.sync(),
    facts: async () => toFacts(await handle.stat({ bigint: true })),
    close: () => handle.close(),
  }
}

/** Windows can't open a folder to sync it, and some network file systems refuse; the rename itself is still whole. */
const CANNOT_SYNC_FOLDERS = new Set(['EISDIR', 'EPERM', 'EINVAL', 'ENOTSUP'])

async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, constants.O_RDONLY)
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && CANNOT_SYNC_FOLDERS.has(String(error.code))) return
    throw error
  }
}

function watchFolder(folder: string, changed: (name: string | null) => void): () => void {
  const watcher = watch(folder, { persistent: false }, (_kind, name) => {
    changed(name)
  })
  // A watcher that breaks later goes quiet; the slow poll of whoever watches still sees every change.
  watcher.on('error', () => {
    watcher.close()
  })
  return () => {
    watcher.close()
  }
}

/** The machine's own file system. */
export const nodeFs: StateFs = {
  open: openFile,
  facts: async (path) => toFacts(await stat(path, { bigint: true })),
  realPath: (path) => realpath(path),
  list: (folder) => readdir(folder),
  rename,
  remove: unlink,
  makeFolder: async (path) => {
    await mkdir(path, { recursive: true, mode: PRIVATE_FOLDER_MODE })
  },
  setMode: chmod,
  syncFolder,
  watch: watchFolder,
}
