/** Where parts report what happened, for the visitor's own log. Never content: names, origins and outcomes only. */
import type { ToolFailure } from './page-tools.js'

export type AuditEntry =
  | { kind: 'pairing_asked'; origin: string; app?: string }
  | { kind: 'pairing_answered'; origin: string; allowed: boolean }
  | { kind: 'grant_revoked'; origin: string }
  | { kind: 'session_started'; origin: string; sessionId: string; agent?: string }
  | { kind: 'session_ended'; origin: string; sessionId: string; status: string; code?: string }
  | { kind: 'tool_called'; origin: string; sessionId: string; tool: string; outcome: 'ok' | ToolFailure }
  | { kind: 'permission_refused'; origin: string; sessionId: string; tool: string }
  | { kind: 'tool_outside_page'; origin: string; sessionId: string; tool: string }
  | { kind: 'request_refused'; origin: string; method: string; path: string; status: number }

/** Takes an entry at once and never throws; writing happens behind it. */
export interface AuditSink {
  /** @param at when it happened, for whoever tells others of it, too; absent: now */
  record(entry: AuditEntry, at?: Date): void
  /** Resolves when everything recorded so far is written, or could not be. Absent: there is nothing to wait for. */
  flush?(): Promise<void>
}

/** Keeps nothing. */
export const noAudit: AuditSink = {
  record: () => undefined,
}
