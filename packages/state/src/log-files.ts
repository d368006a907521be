/**
 * The files of a line log: `2026-11-30.jsonl`, then `2026-11-30.2.jsonl` when a day's file is full. Owns their names,
 * their order and which of them are too old or too many; files with other names are never touched.
 */
import { join } from 'node:path'
import type { StateFs } from './file-system.js'
import { errnoOf } from './state-error.js'

/** One file of the log. `day` is UTC. */
export interface LogFile {
  name: string
  day: string
  /** 1 for the day's first file. */
  part: number
}

const NAME = /^(\d{4}-\d{2}-\d{2})(?:\.(\d{1,6}))?\.jsonl$/
const DAY_MS = 86_400_000

/** `2026-11-30`, in UTC: one order for everybody, whatever the time zone does. */
export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}

export function logFile(day: string, part: number): LogFile {
  return { day, part, name: part === 1 ? `${day}.jsonl` : `${day}.${part}.jsonl` }
}

function parseName(name: string): LogFile | null {
  const match = NAME.exec(name)
  const day = match?.[1]
  if (day === undefined) return null
  const file = logFile(day, Number(match?.[2] ?? 1))
  return file.name === name ? file : null
}

/** The folder's log files, oldest first; none when there is no folder. */
export async function listLogFiles(folder: string, fs: StateFs): Promise<LogFile[]> {
  const names = await fs.list(folder).catch((error: unknown): string[] => {
    if (errnoOf(error) === 'ENOENT') return []
    throw error
  })
  return names
    .map(parseName)
    .filter((file) => file !== null)
    .sort((a, b) => (a.day === b.day ? a.part - b.part : a.day < b.day ? -1 : 1))
}

export interface KeepLimits {
  /** Days before today whose files are kept, today not counted. */
  maxDays: number
  /** Of all files together. */
  maxBytes: number
}

/**
 * Removes the oldest files until the rest are young enough and small enough. The newest file always stays.
 * What can't be removed is left for the next time.
 */
export async function pruneLogFiles(folder: string, options: KeepLimits & { fs: StateFs; today: Date }): Promise<void> {
  const { fs, today, maxDays, maxBytes } = options
  const firstDay = dayOf(new Date(today.getTime() - maxDays * DAY_MS))
  const files = await listLogFiles(folder, fs)
  const newest = files.at(-1)
  let total = 0
  for (const file of files.reverse()) {
    const path = join(folder, file.name)
    total += (await fs.facts(path).catch(() => ({ size: 0 }))).size
    if (file === newest) continue
    if (file.day < firstDay || total > maxBytes) await fs.remove(path).catch(() => undefined)
  }
}
