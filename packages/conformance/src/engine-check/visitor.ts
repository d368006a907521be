/** The visitor's part of a check: what no page can do by itself. A person, a command, or a program of yours. */

/** The question that a site of the kit has put. */
export interface Question {
  readonly origin: string
  /** What the kit needs as the answer. */
  readonly allow: boolean
}

export interface Visitor {
  /** Answers the pending question of this origin, or asks a person to; the kit then waits for the claim. */
  answer(question: Question): Promise<void>
  /** Hands a `leuria://connect` link to the app, as a click would. Needed in app mode. */
  openLink?(link: string): Promise<void>
  /** The approval page's address of this origin's question. @default its clauses are not observable */
  approvalUrl?(origin: string): Promise<string>
  /** Takes the grant of this origin back. @default its clauses are not observable */
  revoke?(origin: string): Promise<void>
}
