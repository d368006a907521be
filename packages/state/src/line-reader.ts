/**
 * Reads a line log, oldest line first, and follows it while other processes write. Lines come out whole: one that is
 * still being written, or was cut short by a crash, is not shown.
 */
import { join } from 'node:path'
import { type Clock, systemClock } from '@leuria/clock'
import { nodeFs, type OpenFile, type StateFs } from './file-system.js'
import { watchFolder } from './folder-watch.js'
import { openFolder } from './home.js'
import { keepAlive } from './keep-alive.js'
import { listLogFiles } from './log-files.js'
import { errnoOf, readError } from './state-error.js'

/** Bytes per read. */
const CHUNK_BYTES = 64 * 1024
/** Longer lines are nobody's of ours and are passed over, so that a damaged file can't fill the memory. */
export const MAX_LINE_BYTES = 64 * 1024
const NEWLINE = 0x0a

export interface ReadLinesOptions {
  folder: string
  /** Files of earlier days (`2026-11-30`, UTC) are passed over. */
  fromDay?: string
  /** Go on with what is written from now on, until `signal` aborts. @default false */
  follow?: boolean
  signal?: AbortSignal
  /** @default systemClock */
  clock?: Clock
  /** @default nodeFs */
  fs?: StateFs
}

/**
 * The log's lines. Ends after the last one, or, following, when `signal` aborts (without an error).
 * @throws StateError `unreadable`
 */
export async function* readLines(options: ReadLinesOptions): AsyncGenerator<string, void, undefined> {
  const { folder, fs = nodeFs, clock = systemClock, follow = false, signal } = options
  const places = new Map<string, number>()
  if (!follow) {
    yield* readNew(options, places)
    return
  }
  await openFolder(folder, { fs })
  const bell = createBell(signal)
  const unwatch = watchFolder(folder, { fs, clock, concerns: (name) => name.endsWith('.jsonl'), look: bell.ring })
  const letGo = keepAlive()
  try {
    while (!isAborted(signal)) {
      yield* readNew(options, places)
      await bell.rung()
    }
  } finally {
    letGo()
    unwatch()
    bell.remove()
  }
}

/** A function, so that a check made before a pause isn't taken to hold after it. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true
}

interface Bell {
  ring: () => void
  /** Resolves at once when it rang since the last time. */
  rung(): Promise<void>
  remove(): void
}

function createBell(signal: AbortSignal | undefined): Bell {
  let isRung = false
  let wake: () => void = () => undefined
  const ring = (): void => {
    isRung = true
    wake()
  }
  signal?.addEventListener('abort', ring)
  return {
    ring,
    rung: async () => {
      if (!isRung && !isAborted(signal))
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      isRung = false
    },
    remove: () => signal?.removeEventListener('abort', ring),
  }
}

/** Everything that was not read before. `places` holds where each file's next line begins. */
async function* readNew(options: ReadLinesOptions, places: Map<string, number>): AsyncGenerator<string> {
  const { folder, fs = nodeFs, fromDay = '', signal } = options
  const files = await listLogFiles(folder, fs).catch((error: unknown) => {
    throw readError(folder, error)
  })
  for (const { name, day } of files) {
    if (day < fromDay) continue
    for await (const { line, next } of readFileFrom(join(folder, name), places.get(name) ?? 0, fs)) {
      places.set(name, next)
      if (line !== null) yield line
      if (isAborted(signal)) return
    }
  }
}

async function* readFileFrom(path: string, start: number, fs: StateFs): AsyncGenerator<LineAt> {
  let file: OpenFile
  try {
    file = await fs.open(path, 'read')
  } catch (error) {
    // Pruned since the folder was listed.
    if (errnoOf(error) === 'ENOENT') return
    throw readError(path, error)
  }
  try {
    yield* splitLines(file, start)
  } catch (error) {
    throw readError(path, error)
  } finally {
    await file.close()
  }
}

interface LineAt {
  /** `null`: too long, passed over. */
  line: string | null
  /** Where the line after it begins. */
  next: number
}

async function* splitLines(file: OpenFile, start: number): AsyncGenerator<LineAt> {
  const chunk = Buffer.alloc(CHUNK_BYTES)
  let held = Buffer.alloc(0)
  let isTooLong = false
  let position = start
  for (;;) {
    const length = await file.read(chunk, position)
    if (length === 0) return
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1 && end < length; end = chunk.indexOf(NEWLINE, from)) {
      const bytes = Buffer.concat([held, chunk.subarray(from, end)])
      from = end + 1
      held = Buffer.alloc(0)
      yield { line: isTooLong || bytes.length > MAX_LINE_BYTES ? null : bytes.toString('utf8'), next: position + from }
      isTooLong = false
    }
    held = Buffer.concat([held, chunk.subarray(from, length)])
    position += length
    if (held.length > MAX_LINE_BYTES) {
      isTooLong = true
      held = Buffer.alloc(0)
    }
  }
}
