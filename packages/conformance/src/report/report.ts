/** What a check came to: a verdict for each clause, and their count. Pure; printing is `print-report`'s. */
import type { Clause } from '../clauses/clause.js'

export type Verdict =
  | { status: 'passed' }
  /** `seen`: what the other side did instead, for people. */
  | { status: 'failed'; seen: string }
  /** It could not be looked at; `reason` says why, and what would help. */
  | { status: 'not_observable'; reason: string }

export type ClauseResult = { readonly clause: Clause } & Verdict

export interface Report {
  /** What was checked: an address, or a client's name. */
  readonly subject: string
  /** No clause failed. */
  readonly ok: boolean
  readonly passed: number
  readonly failed: number
  readonly notObservable: number
  /** In the protocol page's order. */
  readonly results: readonly ClauseResult[]
}

export function makeReport(subject: string, results: readonly ClauseResult[]): Report {
  const count = (status: Verdict['status']): number => results.filter((result) => result.status === status).length
  const failed = count('failed')
  return {
    subject,
    ok: failed === 0,
    passed: count('passed'),
    failed,
    notObservable: count('not_observable'),
    results,
  }
}
