/** The lines of the audit log: one schema for writing (nothing else gets through) and for reading. */
import { type AuditEntry, TOOL_FAILURES } from '@leuria/agent'
import * as z from 'zod/mini'

/**
 * Names, origins and outcomes are cut to this many characters: enough for any that is meant seriously, and a site can't
 * fill the log with one line.
 */
export const MAX_FIELD_LENGTH = 300

function cut(text: string): string {
  return text.length > MAX_FIELD_LENGTH ? `${text.slice(0, MAX_FIELD_LENGTH - 1)}…` : text
}

const text = z.string().check(z.overwrite(cut))
/** Queries carry keys and tokens; the log never does. */
const path = z.string().check(z.overwrite((target) => cut(target.split(/[?#]/, 1)[0] ?? '')))
const outcome = z.enum(['ok', ...TOOL_FAILURES])

const told = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('pairing_asked'), origin: text, app: z.optional(text) }),
  z.object({ kind: z.literal('pairing_answered'), origin: text, allowed: z.boolean() }),
  z.object({ kind: z.literal('grant_revoked'), origin: text }),
  z.object({ kind: z.literal('session_started'), origin: text, sessionId: text, agent: z.optional(text) }),
  z.object({ kind: z.literal('session_ended'), origin: text, sessionId: text, status: text, code: z.optional(text) }),
  z.object({ kind: z.literal('tool_called'), origin: text, sessionId: text, tool: text, outcome }),
  z.object({ kind: z.literal('permission_refused'), origin: text, sessionId: text, tool: text }),
  z.object({ kind: z.literal('tool_outside_page'), origin: text, sessionId: text, tool: text }),
  z.object({ kind: z.literal('request_refused'), origin: text, method: text, path, status: z.int() }),
  /** Of this package: entries that the disk didn't take. */
  z.object({ kind: z.literal('entries_lost'), count: z.int() }),
])

const moment = z.object({ at: z.string().check(z.refine((value) => !Number.isNaN(Date.parse(value)), 'not a time')) })

type Told = AuditEntry | { kind: 'entries_lost'; count: number }
/** What happened, and when (`at`: ISO 8601, UTC, with milliseconds). */
export type AuditRecord = Told & { at: string }

/** Fails to compile when `@leuria/agent` gets an entry that the schema doesn't know. */
const toInput = (entry: Told): z.input<typeof told> => entry

/** An entry as it is written: names cut, paths without their query. `null`: it isn't one of this version. */
export function toRecord(entry: Told, time: Date): AuditRecord | null {
  const parsed = told.safeParse(toInput(entry))
  return parsed.success ? { at: time.toISOString(), ...parsed.data } : null
}

/** One line as written, the time first. `null`: it isn't a record of this version. */
export function formatRecord(entry: Told, time: Date): string | null {
  const parsed = told.safeParse(toInput(entry))
  if (!parsed.success) return null
  // Joined as text: a line for each call of a tool is worth not copying what was just checked.
  return `{"at":"${time.toISOString()}",${JSON.stringify(parsed.data).slice(1)}`
}

/** One line as read. `null`: damaged, or of another version. */
export function parseRecord(line: string): AuditRecord | null {
  try {
    const value: unknown = JSON.parse(line)
    const [when, what] = [moment.safeParse(value), told.safeParse(value)]
    return when.success && what.success ? { ...when.data, ...what.data } : null
  } catch {
    return null
  }
}
