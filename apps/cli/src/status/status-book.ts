/** What the status view shows, kept up to date from what the engine tells. Knows no terminal. */
import type { AuditEntry } from '@leuria/agent'
import type { SessionChange } from '@leuria/session-manager'
import { happeningWords } from './happening-words.js'
import { type Happening, MOST_HAPPENINGS, type StatusSite } from './status-lines.js'

const ENDED: ReadonlySet<string> = new Set(['completed', 'cancelled', 'failed'])

function timeOfDay(at: Date): string {
  return at.toLocaleTimeString('en-GB', { hour12: false })
}

export class StatusBook {
  readonly #sessions = new Map<string, { owner: string; isAnswering: boolean }>()
  #happenings: readonly Happening[] = []

  session(change: SessionChange): void {
    if (change.kind !== 'status') return
    const { sessionId, owner, status } = change
    if (ENDED.has(status)) this.#sessions.delete(sessionId)
    else this.#sessions.set(sessionId, { owner, isAnswering: status === 'running' })
  }

  entry(entry: AuditEntry, at: Date): void {
    const words = happeningWords(entry)
    if (words === null) return
    this.#happenings = [...this.#happenings, { time: timeOfDay(at), words }].slice(-MOST_HAPPENINGS)
  }

  get happenings(): readonly Happening[] {
    return this.#happenings
  }

  /** Those that are being answered first, then by name. */
  sites(): StatusSite[] {
    const byOrigin = new Map<string, StatusSite>()
    for (const { owner, isAnswering } of this.#sessions.values()) {
      const known = byOrigin.get(owner) ?? { origin: owner, conversations: 0, answering: 0 }
      byOrigin.set(owner, {
        origin: owner,
        conversations: known.conversations + 1,
        answering: known.answering + (isAnswering ? 1 : 0),
      })
    }
    return [...byOrigin.values()].sort((a, b) => b.answering - a.answering || a.origin.localeCompare(b.origin))
  }
}
