/** One entry of the visitor's log as a short sentence, for the status view. `null`: nothing a person would watch for. */
import type { AuditEntry } from '@leuria/agent'

/** Names come from sites: what could move a terminal's cursor or turn a line around is shown as a dot. */
export function plainName(value: unknown): string {
  return String(value).replace(/[\p{Cc}\p{Cf}]/gu, '·')
}

/** `https://shop.example` → `shop.example`; anything but https keeps its scheme. */
export function siteName(origin: string): string {
  return plainName(origin.replace(/^https:\/\//, ''))
}

/** Ended as anything but these, a session has a reason worth a word. */
const QUIET_ENDINGS: ReadonlySet<string> = new Set(['completed', 'cancelled'])

export function happeningWords(entry: AuditEntry): string | null {
  switch (entry.kind) {
    case 'pairing_asked':
      return `${siteName(entry.origin)} asks to use your AI`
    case 'pairing_answered':
      return `${siteName(entry.origin)}: ${entry.allowed ? 'allowed' : 'not now'}`
    case 'grant_revoked':
      return `${siteName(entry.origin)} is no longer connected`
    case 'session_started':
      return `${siteName(entry.origin)} began a conversation${entry.agent === undefined ? '' : ` with ${plainName(entry.agent)}`}`
    case 'session_ended':
      return QUIET_ENDINGS.has(entry.status)
        ? `${siteName(entry.origin)} ended its conversation`
        : `${siteName(entry.origin)}: the conversation failed`
    case 'tool_called':
      return `${siteName(entry.origin)}: the AI used ${plainName(entry.tool)}${entry.outcome === 'ok' ? '' : ', which failed'}`
    case 'permission_refused':
      return `${siteName(entry.origin)}: the AI wanted ${plainName(entry.tool)}, refused`
    case 'tool_outside_page':
      return `${siteName(entry.origin)}: the AI used ${plainName(entry.tool)} on its own; ended`
    default:
      return null
  }
}
