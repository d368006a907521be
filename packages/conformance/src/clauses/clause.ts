/** What a clause is: one sentence of the protocol page, in our own short words, with an id that stays. */

/** Who has to keep it. */
export type Side = 'engine' | 'client'
/** How the engine meets pages: `page` answers every origin, `app` is silent to those it doesn't know. */
export type Mode = 'page' | 'app'

/** One sentence of the protocol page. */
export interface Clause {
  /** Stable: reports, tests and issues name it. */
  readonly id: string
  /** Where on the protocol page the sentence stands. */
  readonly section: string
  readonly side: Side
  /** `should` only where the page says so. */
  readonly level: 'must' | 'should'
  readonly sentence: string
  /** The only mode it speaks of. @default both */
  readonly mode?: Mode
}

/** A clause as its file writes it: the rest follows from the file. */
export interface ClauseRow {
  readonly says: string
  readonly mode?: Mode
}

export type ClauseTable = Readonly<Record<string, ClauseRow>>

/** The rows of one section as clauses. */
export function clausesOf(table: ClauseTable, shared: Pick<Clause, 'section' | 'side' | 'level'>): Clause[] {
  return Object.entries(table).map(([id, { says, mode }]) => ({
    id,
    ...shared,
    sentence: says,
    ...(mode === undefined ? {} : { mode }),
  }))
}
