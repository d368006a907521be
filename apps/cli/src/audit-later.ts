/** The visitor's log, whose code comes with the first entry: a program that starts has nothing to tell yet. */
import type { AuditEntry, AuditSink } from '@leuria/agent'
import type { Audit } from '@leuria/audit'
import { systemClock } from '@leuria/clock'

export interface LaterAudit extends AuditSink {
  /** Writes what was recorded, and stops. */
  close(): Promise<void>
}

/** The caller closes it. @param options as those of `openAudit` of `@leuria/audit` */
export function openAuditLater(options: { home: string; log: (line: string) => void }): LaterAudit {
  let opening: Promise<Audit> | undefined
  const open = async (): Promise<Audit> => (await import('@leuria/audit')).openAudit(options)
  const write = async (entry: AuditEntry, at: Date): Promise<void> => {
    opening ??= open()
    const audit = await opening
    audit.record(entry, at)
  }
  return {
    record: (entry, at = systemClock.date()) => void write(entry, at),
    async close() {
      const audit = await opening
      await audit?.close()
    },
  }
}
