/**
 * What the desktop app's window gets to hear besides answers: its feed, with every line of the visitor's log and every
 * warning on it as they come. Made before anything else, so that a file found damaged at the start is told, too.
 */
import type { AuditEntry, AuditSink } from '@leuria/agent'
import { EventFeed } from '@leuria/admin-api'
import { toRecord } from '@leuria/audit'
import type { Clock } from '@leuria/clock'
import type { Settings } from './engine-options.js'
import type { Log } from './log.js'

/** More than anybody reads; the log file has no room for them, the window has. */
const MAX_WARNINGS = 20

export interface Warning {
  at: string
  message: string
}

export interface AdminDesk {
  readonly feed: EventFeed
  /** The last ones, oldest first. */
  readonly warnings: () => readonly Warning[]
}

function tellingAudit(audit: AuditSink, feed: EventFeed, clock: Clock): AuditSink {
  return {
    record(entry: AuditEntry) {
      const at = clock.date()
      audit.record(entry, at)
      // As it is written: names cut, paths without their query.
      const record = toRecord(entry, at)
      if (record !== null) feed.publish({ event: 'activity', ...record })
    },
    flush: async () => audit.flush?.(),
  }
}

/** The first line is for people; a stack may follow. */
function tellingLog(log: Log, tell: (message: string) => void): Log {
  return {
    debug: log.debug,
    warn(line) {
      log.warn(line)
      tell(line.split('\n', 1)[0] ?? '')
    },
  }
}

/** In app mode with an admin token: the desk, and settings whose log and audit go over it. Else `null`, settings unchanged. */
export function openAdminDesk(settings: Settings): { desk: AdminDesk | null; settings: Settings } {
  const { mode, adminToken, clock } = settings
  if (mode !== 'app' || adminToken === undefined) return { desk: null, settings }
  const feed = new EventFeed({ clock })
  const warnings: Warning[] = []
  const tell = (message: string): void => {
    const warning = { at: clock.date().toISOString(), message }
    warnings.push(warning)
    if (warnings.length > MAX_WARNINGS) warnings.shift()
    feed.publish({ event: 'warning', ...warning })
  }
  return {
    desk: { feed, warnings: () => warnings },
    settings: {
      ...settings,
      audit: tellingAudit(settings.audit, feed, clock),
      log: tellingLog(settings.log, tell),
    },
  }
}
