/** Appends whole lines to one file. A line that a crash or a full disk cut short never spoils the one after it. */
import { join } from 'node:path'
import type { OpenFile, StateFs } from './file-system.js'

const NEWLINE = 0x0a

export interface AppendOptions {
  folder: string
  fs: StateFs
  maxFileBytes: number
  /** Told how many lines are in the file for good, also when the rest then fails. */
  wrote: (count: number) => void
}

/**
 * Appends lines that end in a line break. `full`: they don't fit into this file any more and nothing was written (an
 * empty file takes any line).
 * @throws the system's error
 */
export async function appendLines(
  name: string,
  lines: readonly Buffer[],
  options: AppendOptions,
): Promise<'written' | 'full'> {
  const { folder, fs, maxFileBytes, wrote } = options
  const data = Buffer.concat(lines)
  const file = await fs.open(join(folder, name), 'append')
  try {
    const { size } = await file.facts()
    if (size > 0 && size + data.length > maxFileBytes) return 'full'
    if (size > 0 && !(await endsWithNewline(file, size))) await file.write(Buffer.from('\n'))
    await writeCounting(file, data, (bytes) => {
      wrote(countLines(lines, bytes))
    })
    return 'written'
  } finally {
    await file.close()
  }
}

async function endsWithNewline(file: OpenFile, size: number): Promise<boolean> {
  const last = Buffer.alloc(1)
  await file.read(last, size - 1)
  return last[0] === NEWLINE
}

/** Tells how many bytes went, whether or not writing failed before the end. */
async function writeCounting(file: OpenFile, data: Buffer, wrote: (bytes: number) => void): Promise<void> {
  let done = 0
  try {
    while (done < data.length) done += await file.write(data.subarray(done))
  } finally {
    wrote(done)
  }
}

function countLines(lines: readonly Buffer[], bytes: number): number {
  let end = 0
  const cut = lines.findIndex((line) => (end += line.length) > bytes)
  return cut === -1 ? lines.length : cut
}
