/** Writes the visitor's own log of what sites and AIs did: `<home>/audit/<day>.jsonl`. Reading is `read-audit.ts`. */
import { join } from 'node:path'
import type { AuditEntry, AuditSink } from '@leuria/agent'
import { type Clock, systemClock } from '@leuria/clock'
import { type LineLog, openLineLog, type StateFs } from '@leuria/state'
import { formatRecord } from './audit-record.js'

/** Kept at most: days before today, and bytes of all files together (issue of the audit log: 30 days, 50 MB). */
export const AUDIT_KEEP_DAYS = 30
export const AUDIT_MAX_BYTES = 50 * 1024 * 1024
/** A part of a day: the oldest tenth goes when the whole is full. */
const MAX_FILE_BYTES = AUDIT_MAX_BYTES / 10
/** What waits in memory while the disk doesn't take it: some ten thousand entries. */
const MAX_QUEUED_BYTES = 4 * 1024 * 1024

export interface AuditOptions {
  /** From `resolveHome` of `@leuria/state`. */
  home: string
  /** @default systemClock */
  clock?: Clock
  /** Takes one line when the log can't be written, and one when it can again. */
  log?: (line: string) => void
  /** @default nodeFs of `@leuria/state` */
  fs?: StateFs
}

export interface Audit extends AuditSink {
  /** Resolves when everything recorded so far is written, or could not be. */
  flush(): Promise<void>
  /** Flushes and stops. Idempotent; later entries are ignored. */
  close(): Promise<void>
}

/** Where the log's files are. */
export function auditFolder(home: string): string {
  return join(home, 'audit')
}

/** Opens the log for writing; folder and file are made with the first entry. The caller closes it. */
export function openAudit({ home, clock = systemClock, fs, log }: AuditOptions): Audit {
  const lines = openLineLog({
    folder: auditFolder(home),
    clock,
    fs,
    log,
    maxDays: AUDIT_KEEP_DAYS,
    maxBytes: AUDIT_MAX_BYTES,
    maxFileBytes: MAX_FILE_BYTES,
    maxQueuedBytes: MAX_QUEUED_BYTES,
    formatDropped: (count) => formatRecord({ kind: 'entries_lost', count }, clock.date()) ?? '',
  })
  return {
    record: (entry, at = clock.date()) => {
      recordSafely(lines, entry, at)
    },
    flush: () => lines.flush(),
    close: () => lines.close(),
  }
}

/** Whatever is handed in, the part that reports goes on. */
function recordSafely(lines: LineLog, entry: AuditEntry, time: Date): void {
  try {
    const line = formatRecord(entry, time)
    if (line !== null) lines.append(line, time)
  } catch {
    // An entry that throws when it is read is not worth a turn of the session it is about.
  }
}
