/** Turns whatever was thrown into the words and the code a page gets, and reports what nobody expected. */
import { randomUUID } from 'node:crypto'
import { AgentError } from '@leuria/agent'
import { EngineError } from '@leuria/protocol'

/** Why a session ended, as `GET /session/:id` shows it. */
export interface Failure {
  /** In words. */
  message: string
  /** For machines. */
  code?: string
}

/** Something that should not have happened; `id` is what the page was told. */
export interface Problem {
  id: string
  sessionId: string
  error: unknown
}

/** Errors made for people keep their words; any other gets an id, and its own text goes to `report` only. */
export function describeFailure(error: unknown, sessionId: string, report: (problem: Problem) => void): Failure {
  if (error instanceof AgentError || error instanceof EngineError) return { message: error.message, code: error.code }
  const id = randomUUID().slice(0, 8)
  report({ id, sessionId, error })
  return { message: `Something went wrong in the engine (error ${id}).`, code: 'internal_error' }
}
