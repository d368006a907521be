/** The visitor's log backwards, in pages: for a window that shows the newest first and goes back as far as one likes. */
import { nodeFs, type StateFs } from '@leuria/state'
import { auditFolder } from './audit.js'
import type { AuditRecord } from './audit-record.js'
import { readAudit } from './read-audit.js'

export interface AuditPageOptions {
  /** From `resolveHome` of `@leuria/state`. */
  home: string
  /** Only what concerns this origin, in normal form; entries about the log itself are always shown. */
  origin?: string
  /** Only what is older than the record with this id. @default from the newest on */
  before?: string
  /** Records of one page, at least 1. */
  limit: number
  /** @default nodeFs of `@leuria/state` */
  fs?: StateFs
}

/** A record and its place in the log: the same whenever it is read, and unlike that of every other, also of the same moment. */
export type PlacedRecord = AuditRecord & { id: string }

export interface AuditPage {
  /** Newest first. */
  records: PlacedRecord[]
  /** The `before` of the next page; `null`: there is nothing older. */
  next: string | null
}

interface Place {
  day: string
  /** Of the day's records, from 0. */
  index: number
}

/** `2026-11-30.12`. `null`: no place. */
function parsePlace(text: string): Place | null {
  const match = /^(\d{4}-\d\d-\d\d)\.(\d{1,12})$/.exec(text)
  return match?.[1] === undefined ? null : { day: match[1], index: Number(match[2]) }
}

/** The days that have records, newest first. */
async function listDays(home: string, fs: StateFs): Promise<string[]> {
  const names = await fs.list(auditFolder(home)).catch(() => [])
  const days = names.map((name) => /^(\d{4}-\d\d-\d\d)(?:\.\d+)?\.jsonl$/.exec(name)?.[1])
  return [...new Set(days.filter((day) => day !== undefined))].sort().reverse()
}

/** The records of one day, oldest first, each with its place. */
async function readDay(home: string, day: string, fs: StateFs): Promise<PlacedRecord[]> {
  const records: PlacedRecord[] = []
  for await (const record of readAudit({ home, since: new Date(`${day}T00:00:00.000Z`), fs })) {
    if (!record.at.startsWith(day)) break
    records.push({ ...record, id: `${day}.${records.length}` })
  }
  return records
}

function isWanted(record: AuditRecord, origin: string | undefined): boolean {
  return origin === undefined || !('origin' in record) || record.origin === origin
}

/**
 * One page, newest first. `null`: `before` is the id of no record.
 * @throws StateError `unreadable`
 */
export async function readAuditPage(options: AuditPageOptions): Promise<AuditPage | null> {
  const { home, origin, before, limit, fs = nodeFs } = options
  const place = before === undefined ? undefined : parsePlace(before)
  if (place === null) return null
  const found: PlacedRecord[] = []
  for (const day of await listDays(home, fs)) {
    if (place !== undefined && day > place.day) continue
    const records = await readDay(home, day, fs)
    const older = place?.day === day ? records.slice(0, place.index) : records
    found.push(...older.filter((record) => isWanted(record, origin)).reverse())
    // One more than asked for tells whether there is another page.
    if (found.length > limit) break
  }
  const records = found.slice(0, limit)
  return { records, next: found.length > limit ? (records.at(-1)?.id ?? null) : null }
}
