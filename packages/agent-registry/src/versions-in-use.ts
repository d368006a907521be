/**
 * Which installed versions are in use, by this process or another: a mark for each user in `agents/.in-use`, so that no
 * engine that starts removes what another one runs. A mark counts as long as its process lives.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createMark, isLeftBehind, openFolder, processMark, retireMark } from '@leuria/state'
import * as z from 'zod/mini'

/** No agent's id begins like this. */
const FOLDER = '.in-use'
const markFile = z.extend(processMark, { uses: z.string() })

/** Marks a version, `<id>@<version>`, as in use. The returned undo takes the mark away; it never rejects. */
export async function holdVersion(root: string, uses: string): Promise<() => Promise<void>> {
  const folder = join(root, FOLDER)
  await openFolder(folder)
  const mark = createMark()
  const path = join(folder, `${mark.id}.json`)
  await writeFile(path, JSON.stringify({ ...mark, uses }), { mode: 0o600 })
  return async () => {
    await rm(path, { force: true }).catch(() => undefined)
    retireMark(mark)
  }
}

/** All that are in use, as `<id>@<version>`. Marks that dead processes left are removed. */
export async function versionsInUse(root: string): Promise<ReadonlySet<string>> {
  const folder = join(root, FOLDER)
  const names = await readdir(folder).catch(() => [] as string[])
  const used = new Set<string>()
  for (const name of names) {
    const path = join(folder, name)
    const mark = await readMark(path)
    if (mark === null) continue
    if (isLeftBehind(mark)) await rm(path, { force: true }).catch(() => undefined)
    else used.add(mark.uses)
  }
  return used
}

/** One that can't be read is somebody's first moment, or nothing. */
async function readMark(path: string): Promise<z.infer<typeof markFile> | null> {
  try {
    const read = markFile.safeParse(JSON.parse(await readFile(path, 'utf8')))
    return read.success ? read.data : null
  } catch {
    return null
  }
}
