/**
 * The snapshot after a part was read. An answer is as old as its question: what the feed told since then stands, or a
 * question that has just come would vanish again.
 */
import type { AdminActivity, AdminEvent } from '@leuria/protocol'
import { applyEvent, MOST_ACTIVITY, type Part, type WindowState } from './window-state.js'

/** Events that say something of a part that is read, too. Lines of activity have places in time of their own. */
const TELLING: Readonly<Partial<Record<Part, readonly AdminEvent['event'][]>>> = {
  status: ['pairing', 'pairing_decided', 'pairing_expired', 'warning'],
  usage: ['usage'],
  limits: ['limits'],
}

export interface PartRead {
  part: Part
  found: Partial<WindowState>
  /** What came since it was asked for, in order. It was applied once already. */
  told: readonly AdminEvent[]
}

function withoutId({ id: _id, ...line }: AdminActivity): string {
  return JSON.stringify(Object.entries(line).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The log is written a moment after the feed has told of it: lines that aren't in it yet keep their place. */
function withLog(known: readonly AdminActivity[], log: readonly AdminActivity[]): readonly AdminActivity[] {
  const written = new Set(log.map(withoutId))
  const oldest = log.at(-1)?.at ?? ''
  const told = known.filter((line) => line.id === undefined && line.at >= oldest && !written.has(withoutId(line)))
  // Times are ISO 8601 in UTC, so their texts are in their order. Sorting keeps the order of the same moment.
  return [...told, ...log].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, MOST_ACTIVITY)
}

function isKnownWarning({ warnings }: WindowState, event: AdminEvent): boolean {
  return event.event === 'warning' && warnings.some(({ at, message }) => at === event.at && message === event.message)
}

export function applyRead(state: WindowState, { part, found, told }: PartRead): WindowState {
  const next = { ...state, ...found }
  if (found.activity !== undefined) return { ...next, activity: withLog(state.activity, found.activity) }
  const telling = TELLING[part] ?? []
  return told
    .filter(({ event }) => telling.includes(event))
    .reduce((after, event) => (isKnownWarning(after, event) ? after : applyEvent(after, event)), next)
}
