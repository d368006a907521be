/** Public names of `@leuria/conformance`. */
export { CLAUSES } from './clauses/all-clauses.js'
export type { ClauseId, ClientClauseId, EngineClauseId } from './clauses/all-clauses.js'
export type { Clause, Mode, Side } from './clauses/clause.js'
export { checkEngine } from './engine-check/check-engine.js'
export type { CheckEngineOptions } from './engine-check/check-engine.js'
export { answerOnApprovalPage } from './engine-check/approval-page.js'
export { AskedQuestions } from './engine-check/asked-questions.js'
export type { Question, Visitor } from './engine-check/visitor.js'
export { PAGE_TIMES } from './page-times.js'
export type { PageTimes } from './page-times.js'
export { formatReport } from './report/print-report.js'
export type { ClauseResult, Report, Verdict } from './report/report.js'
export { checkClient } from './client-check/check-client.js'
export type { CheckClientOptions } from './client-check/check-client.js'
export type {
  ClientPage,
  ClientSession,
  ClientStatus,
  ClientTool,
  OpenPage,
  PageParts,
  PageStorage,
} from './client-check/client-page.js'
