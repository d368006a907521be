/** Reads the visitor's log, and follows it. Lines that aren't records (damaged, of another version) are passed over. */
import type { Clock } from '@leuria/clock'
import { readLines, type StateFs } from '@leuria/state'
import { auditFolder } from './audit.js'
import { type AuditRecord, parseRecord } from './audit-record.js'

export interface ReadAuditOptions {
  /** From `resolveHome` of `@leuria/state`. */
  home: string
  /** Only what concerns this origin, in normal form; entries about the log itself are always shown. */
  origin?: string
  /** Only what happened then or later. */
  since?: Date
  /** Go on with what is recorded from now on, until `signal` aborts. @default false */
  follow?: boolean
  signal?: AbortSignal
  /** @default systemClock */
  clock?: Clock
  /** @default nodeFs of `@leuria/state` */
  fs?: StateFs
}

/**
 * The records, oldest first. Ends after the last one; following, when `signal` aborts (without an error).
 * @throws StateError `unreadable`
 */
export async function* readAudit(options: ReadAuditOptions): AsyncGenerator<AuditRecord, void, undefined> {
  const { home, origin, since, ...rest } = options
  const fromDay = since?.toISOString().slice(0, 10)
  for await (const line of readLines({ ...rest, folder: auditFolder(home), fromDay })) {
    const record = parseRecord(line)
    if (record !== null && concerns(record, { origin, since })) yield record
  }
}

function concerns(record: AuditRecord, wanted: { origin?: string; since?: Date }): boolean {
  if (wanted.since !== undefined && Date.parse(record.at) < wanted.since.getTime()) return false
  return wanted.origin === undefined || !('origin' in record) || record.origin === wanted.origin
}
