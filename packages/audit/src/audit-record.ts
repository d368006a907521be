/** The lines of the audit log: their schema, for writing (nothing else gets through) and for reading. */
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

const text = z.pipe(z.string(), z.transform(cut))
/** Queries carry keys and tokens; the log never does. */
const path = z.pipe(
  z.string(),
  z.transform((target) => cut(target.split(/[?#]/, 1)[0] ?? '')),
)
const outcome = z.enum(['ok', ...TOOL_FAILURES])
/** ISO 8601, UTC, with milliseconds. */
const at = z.string().check(z.refine((value) => !Number.isNaN(Date.parse(value)), 'not a time'))

/** One line. */
export const auditRecord = z.discriminatedUnion('kind', [
  z.object({ at, kind: z.literal('pairing_asked'), origin: text, app: z.optional(text) }),
  z.object({ at, kind: z.literal('pairing_answered'), origin: text, allowed: z.boolean() }),
  z.object({ at, kind: z.literal('grant_revoked'), origin: text }),
  z.object({ at, kind: z.literal('session_started'), origin: text, sessionId: text, agent: z.optional(text) }),
  z.object({
    at,
    kind: z.literal('session_ended'),
    origin: text,
    sessionId: text,
    status: text,
    code: z.optional(text),
  }),
  z.object({ at, kind: z.literal('tool_called'), origin: text, sessionId: text, tool: text, outcome }),
  z.object({ at, kind: z.literal('permission_refused'), origin: text, sessionId: text, tool: text }),
  z.object({ at, kind: z.literal('tool_outside_page'), origin: text, sessionId: text, tool: text }),
  z.object({ at, kind: z.literal('request_refused'), origin: text, method: text, path, status: z.int() }),
  /** Of this package: entries that the disk didn't take. */
  z.object({ at, kind: z.literal('entries_lost'), count: z.int() }),
])

type Told = AuditEntry | { kind: 'entries_lost'; count: number }
/** What happened, and when (`at`: ISO 8601, UTC). */
export type AuditRecord = Told & { at: string }

/** Fails to compile when `@leuria/agent` gets an entry that the schema doesn't know. */
const toInput = (record: AuditRecord): z.input<typeof auditRecord> => record

/** One line as written. `null`: it isn't a record of this version. */
export function formatRecord(told: Told, time: Date): string | null {
  const parsed = auditRecord.safeParse(toInput({ ...told, at: time.toISOString() }))
  return parsed.success ? JSON.stringify(parsed.data) : null
}

/** One line as read. `null`: damaged, or of another version. */
export function parseRecord(line: string): AuditRecord | null {
  try {
    const parsed = auditRecord.safeParse(JSON.parse(line))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
