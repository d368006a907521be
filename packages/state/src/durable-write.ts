/**
 * Replacing a file so that a crash or a power cut at any moment leaves the old content or the new, whole; and taking
 * away what a crash left beside it. The caller holds the file's lock.
 */
import { randomBytes } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import type { FileFacts, OpenFile, StateFs } from './file-system.js'
import { writeError } from './state-error.js'

/** Writes all of `data`, in as many pieces as the system wants. */
export async function writeAll(file: OpenFile, data: Buffer): Promise<void> {
  let done = 0
  while (done < data.length) done += await file.write(data.subarray(done))
}

export interface ReplaceOptions {
  fs: StateFs
  /** Asked once the new content is safe, just before it takes the old one's place. False: leave the old one. */
  mayReplace: () => Promise<boolean>
}

/**
 * Puts `content` in the place of `path`. `null`: `mayReplace` said no. The name is safe only after `syncFolder`.
 * @throws StateError; the old file is then still whole and nothing is left behind, as far as the disk allows.
 */
export async function replaceFile(path: string, content: string, options: ReplaceOptions): Promise<FileFacts | null> {
  const { fs, mayReplace } = options
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const facts = await writeTemporary(temporary, content, fs)
    if (await mayReplace()) {
      await fs.rename(temporary, path)
      return facts
    }
  } catch (error) {
    await fs.remove(temporary).catch(() => undefined)
    throw writeError(path, error)
  }
  await fs.remove(temporary).catch(() => undefined)
  return null
}

async function writeTemporary(path: string, content: string, fs: StateFs): Promise<FileFacts> {
  const file = await fs.open(path, 'create')
  try {
    await writeAll(file, Buffer.from(content))
    await file.sync()
    return await file.facts()
  } finally {
    await file.close()
  }
}

/** True for a name that only a crash leaves behind: `x.json.<random>.tmp`, `x.json.lock.<identity>`. */
function isLeftover(name: string, base: string): boolean {
  if (!name.startsWith(`${base}.`)) return false
  const rest = name.slice(base.length + 1)
  return /^[0-9a-f]{12}\.tmp$/.test(rest) || /^lock(\.[0-9a-f]{16})+$/.test(rest)
}

/** Names beside `path` that a crash left. Those of a writer at work look the same: remove them under the lock only. */
export async function findLeftovers(path: string, fs: StateFs): Promise<string[]> {
  const names = await fs.list(dirname(path)).catch((): string[] => [])
  return names.filter((name) => isLeftover(name, basename(path))).map((name) => join(dirname(path), name))
}

/** Never throws: leftovers do no harm. */
export async function removeLeftovers(path: string, fs: StateFs): Promise<void> {
  for (const leftover of await findLeftovers(path, fs)) await fs.remove(leftover).catch(() => undefined)
}
