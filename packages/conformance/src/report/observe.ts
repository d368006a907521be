/** How a check says what it saw: it returns when the clause held, and throws one of these two when it didn't, or can't say. */
import type { Verdict } from './report.js'

/** The clause was broken. The message is what was seen. */
export class ClauseBroken extends Error {
  override readonly name = 'ClauseBroken'
}

/** The clause could not be looked at. The message is the reason. */
export class NotObservable extends Error {
  override readonly name = 'NotObservable'
}

/** Longest quote of an answer, in characters: two lines of a terminal. */
const QUOTE_LENGTH = 160

/** Anything as one short line. */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined ? 'nothing' : JSON.stringify(value)
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= QUOTE_LENGTH ? line : `${line.slice(0, QUOTE_LENGTH)}…`
}

/** @throws ClauseBroken with what was seen, when it doesn't hold */
export function holds(ok: boolean, seen: string): asserts ok {
  if (!ok) throw new ClauseBroken(seen)
}

/** @throws ClauseBroken when the two differ as JSON */
export function isSame(seen: unknown, expected: unknown, what: string): void {
  holds(JSON.stringify(seen) === JSON.stringify(expected), `${what} is ${quote(seen)} instead of ${quote(expected)}`)
}

/** @throws NotObservable always */
export function cannotSee(reason: string): never {
  throw new NotObservable(reason)
}

/** What a check that threw means. A failure of the kit's own wire is what the other side did, too. */
export function verdictOf(error: unknown): Verdict {
  if (error instanceof NotObservable) return { status: 'not_observable', reason: error.message }
  return { status: 'failed', seen: error instanceof Error ? error.message : String(error) }
}
