/** Checks a running engine against every clause of its side: decides the order, and what a check that threw means. */
import { CLAUSES, type EngineClauseId } from '../clauses/all-clauses.js'
import type { Clause, Mode } from '../clauses/clause.js'
import { PAGE_TIMES, type PageTimes } from '../page-times.js'
import { verdictOf } from '../report/observe.js'
import { type ClauseResult, makeReport, type Report, type Verdict } from '../report/report.js'
import { ENGINE_CHECKS } from './checks/all-checks.js'
import { type CheckRow, Kit, type When } from './kit.js'
import { TOOL_PROMPT } from './kit-tool.js'
import { Subject } from './subject.js'
import type { Visitor } from './visitor.js'

export interface CheckEngineOptions {
  /** The engine's base URL. @default 'http://127.0.0.1:19570' */
  url?: string
  /** The visitor's part: who answers the kit's questions. */
  visitor: Visitor
  /** How the engine meets pages. @default what its /health says, else 'page' */
  mode?: Mode
  /** Longest single wait in milliseconds; clauses that need more are not observable. @default 40_000 */
  patienceMs?: number
  /** How long the visitor may take for one answer. @default 120_000 */
  answerLimitMs?: number
  /** How long one turn of the AI may take. @default 120_000 */
  turnLimitMs?: number
  /** Asks the AI to call the kit's tool and to repeat what it says. */
  toolPrompt?: string
  /** The engine's home folder, for the one clause about a file. */
  home?: string
  /** Twenty questions may be put to the visitor at once. @default false */
  flood?: boolean
  /** The protocol's waits, for an engine that is told to hurry. @default the protocol page's */
  times?: Partial<PageTimes>
  /** Only these clauses. @default all */
  only?: readonly EngineClauseId[]
  /** Hears of each clause when it is decided. */
  onResult?: (result: ClauseResult) => void
}

interface Row extends CheckRow {
  readonly clause: Clause
}

const PATIENCE_MS = 40_000
const ANSWER_LIMIT_MS = 120_000
const TURN_LIMIT_MS = 120_000

function isEngineClause(id: string): id is EngineClauseId {
  return Object.hasOwn(ENGINE_CHECKS, id)
}

function rowsFor(mode: Mode, only: readonly string[] | undefined): Row[] {
  return CLAUSES.flatMap((clause): Row[] => {
    const { id } = clause
    if (!isEngineClause(id) || (clause.mode ?? mode) !== mode || only?.includes(id) === false) return []
    const check = ENGINE_CHECKS[id]
    return [typeof check === 'function' ? { clause, run: check, when: 'in turn' } : { clause, ...check }]
  })
}

/** The mode that the engine tells of itself. */
async function findMode(url: URL): Promise<Mode> {
  try {
    const health: unknown = await (await fetch(new URL('/health', url), { signal: AbortSignal.timeout(5_000) })).json()
    return typeof health === 'object' && health !== null && 'approvals' in health && health.approvals === 'app'
      ? 'app'
      : 'page'
  } catch {
    return 'page'
  }
}

class Run {
  readonly #verdicts = new Map<string, Verdict>()

  constructor(
    private readonly subject: Subject,
    private readonly rows: readonly Row[],
    private readonly onResult: (result: ClauseResult) => void,
  ) {}

  async all(): Promise<ClauseResult[]> {
    // The sites first: nearly everything needs them, and the visitor is asked early.
    await new Kit(this.subject).pairing().catch(() => undefined)
    const waiting = this.#rowsOf('meanwhile').map((row) => this.#one(row))
    await this.#each('in turn')
    await Promise.all(waiting)
    await this.#each('last')
    await this.#each('very last')
    return this.rows.map((row) => this.#resultOf(row))
  }

  #rowsOf(when: When): Row[] {
    return this.rows.filter((row) => row.when === when)
  }

  async #each(when: When): Promise<void> {
    for (const row of this.#rowsOf(when)) await this.#one(row)
  }

  async #one(row: Row): Promise<void> {
    const kit = new Kit(this.subject)
    const verdict = await row.run(kit).then((): Verdict => ({ status: 'passed' }), verdictOf)
    await kit.close()
    this.#verdicts.set(row.clause.id, verdict)
    this.onResult(this.#resultOf(row))
  }

  #resultOf({ clause }: Row): ClauseResult {
    return {
      clause,
      ...(this.#verdicts.get(clause.id) ?? { status: 'not_observable', reason: 'it was not looked at' }),
    }
  }
}

/**
 * Runs every check that fits the engine's mode. What the engine does wrong is in the report, never a rejection.
 * Connects two sites, is denied by a third, and leaves sessions closed; the grants are the visitor's to revoke.
 */
export async function checkEngine(options: CheckEngineOptions): Promise<Report> {
  const {
    patienceMs = PATIENCE_MS,
    answerLimitMs = ANSWER_LIMIT_MS,
    turnLimitMs = TURN_LIMIT_MS,
    flood = false,
  } = options
  const url = new URL(options.url ?? 'http://127.0.0.1:19570')
  const mode = options.mode ?? (await findMode(url))
  const times = { ...PAGE_TIMES, ...options.times }
  const toolPrompt = options.toolPrompt ?? TOOL_PROMPT
  const subject = new Subject({
    ...options,
    url,
    mode,
    times,
    toolPrompt,
    patienceMs,
    answerLimitMs,
    turnLimitMs,
    flood,
  })
  const run = new Run(subject, rowsFor(mode, options.only), options.onResult ?? (() => undefined))
  try {
    return makeReport(`the engine at ${url.origin} (${mode} mode)`, await run.all())
  } finally {
    await subject.close()
  }
}
