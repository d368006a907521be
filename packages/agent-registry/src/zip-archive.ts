/** Unpacks a zip archive into a folder: files and folders only, paths contained, sizes held to what the archive says. */
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Readable } from 'node:stream'
import * as yauzl from 'yauzl'
import { containedPath } from './contained-path.js'
import { RegistryError } from './registry-error.js'
import { MAX_ENTRIES, MAX_UNPACKED_BYTES } from './tar-archive.js'

/** The kind of a file in Unix mode bits, which zip keeps in the upper half of its external attributes. */
const KIND_BITS = 0o170000
const KINDS = { none: 0, folder: 0o040000, file: 0o100000 } as const
const EXECUTE_BITS = 0o111

/** @throws RegistryError `bad_package` */
export async function unpackZip(archive: string, folder: string): Promise<void> {
  try {
    const zip = await open(archive)
    try {
      await unpackAll(zip, folder)
    } finally {
      zip.close()
    }
  } catch (error) {
    if (error instanceof RegistryError) throw error
    throw new RegistryError('bad_package', 'The archive of this AI is damaged, or leads out of its folder.', {
      cause: error,
    })
  }
}

function open(path: string): Promise<yauzl.ZipFile> {
  return new Promise((resolve, reject) => {
    // The library itself refuses absolute paths, `..`, and data that is longer than announced.
    yauzl.open(path, { lazyEntries: true, autoClose: false }, (error, zip) => {
      if (error === null) resolve(zip)
      else reject(error)
    })
  })
}

async function unpackAll(zip: yauzl.ZipFile, folder: string): Promise<void> {
  if (zip.entryCount > MAX_ENTRIES) throw tooMuch()
  let bytes = 0
  for (let entry = await next(zip); entry !== null; entry = await next(zip)) {
    bytes += entry.uncompressedSize
    if (bytes > MAX_UNPACKED_BYTES) throw tooMuch()
    await unpack(zip, entry, folder)
  }
}

function next(zip: yauzl.ZipFile): Promise<yauzl.Entry | null> {
  return new Promise((resolve, reject) => {
    const done = (): void => {
      zip.removeAllListeners()
    }
    zip.once('entry', (entry: yauzl.Entry) => {
      done()
      resolve(entry)
    })
    zip.once('end', () => {
      done()
      resolve(null)
    })
    zip.once('error', (error: Error) => {
      done()
      reject(error)
    })
    zip.readEntry()
  })
}

async function unpack(zip: yauzl.ZipFile, entry: yauzl.Entry, folder: string): Promise<void> {
  const path = containedPath(entry.fileName)
  const mode = entry.externalFileAttributes >>> 16
  const kind = mode & KIND_BITS
  if (path === null || (kind !== KINDS.none && kind !== KINDS.folder && kind !== KINDS.file))
    throw new RegistryError(
      'bad_package',
      `The archive of this AI was not unpacked: "${entry.fileName}" is no plain file in its folder.`,
    )
  const target = join(folder, path)
  if (entry.fileName.endsWith('/')) {
    await mkdir(target, { recursive: true })
    return
  }
  await mkdir(dirname(target), { recursive: true })
  const isProgram = (mode & EXECUTE_BITS) !== 0
  await pipeline(await read(zip, entry), createWriteStream(target, { flags: 'wx', mode: isProgram ? 0o755 : 0o644 }))
}

function read(zip: yauzl.ZipFile, entry: yauzl.Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error === null) resolve(stream)
      else reject(error)
    })
  })
}

function tooMuch(): RegistryError {
  return new RegistryError('bad_package', 'The archive of this AI was not unpacked: it holds too much.')
}
