/**
 * Unpacks a tar archive into a folder. Everything in it is looked at before anything is written: the library keeps
 * paths inside by itself; the rules here are ours, and stricter.
 */
import * as tar from 'tar'
import { containedLink, containedPath } from './contained-path.js'
import { RegistryError } from './registry-error.js'

/** Far above any agent, far below what fills a disk. */
export const MAX_UNPACKED_BYTES = 4 * 1_073_741_824
export const MAX_ENTRIES = 200_000

const FILES = new Set(['File', 'OldFile', 'ContiguousFile'])

/** @throws RegistryError `bad_package` */
export async function unpackTar(archive: string, folder: string): Promise<void> {
  try {
    await lookThrough(archive)
    await tar.extract({
      file: archive,
      cwd: folder,
      strict: true,
      preserveOwner: false,
      onReadEntry: (entry) => {
        // Modes of strangers: nothing setuid, nothing that others may write, and always ours to remove.
        entry.mode = ((entry.mode ?? 0) & 0o755) | (entry.type === 'Directory' ? 0o700 : 0o600)
      },
    })
  } catch (error) {
    if (error instanceof RegistryError) throw error
    throw new RegistryError('bad_package', 'The archive of this AI is damaged.', { cause: error })
  }
}

async function lookThrough(archive: string): Promise<void> {
  let [entries, bytes] = [0, 0]
  const faults: string[] = []
  await tar.list({
    file: archive,
    strict: true,
    onReadEntry: (entry) => {
      entries += 1
      bytes += entry.size
      const isTooMuch = entries > MAX_ENTRIES || bytes > MAX_UNPACKED_BYTES
      const fault = faultOf(entry) ?? (isTooMuch ? 'it holds too much' : null)
      if (fault !== null && faults.length === 0) faults.push(fault)
    },
  })
  const [fault] = faults
  if (fault !== undefined) throw new RegistryError('bad_package', `The archive of this AI was not unpacked: ${fault}.`)
}

function faultOf(entry: { path: string; type: string; linkpath?: string }): string | null {
  if (containedPath(entry.path) === null) return `it writes outside of its folder ("${entry.path}")`
  if (FILES.has(entry.type) || entry.type === 'Directory') return null
  const target = entry.linkpath ?? ''
  if (entry.type === 'SymbolicLink' && containedLink(entry.path, target) !== null) return null
  if (entry.type === 'Link' && containedPath(target) !== null) return null
  if (entry.type === 'SymbolicLink' || entry.type === 'Link') return `it links out of its folder ("${entry.path}")`
  return `it holds something that is no file ("${entry.path}")`
}
