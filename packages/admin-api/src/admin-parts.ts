/** What the admin API needs of an engine, as narrow as it uses it. */
import type { GrantStore } from '@leuria/grant-store'
import type { Pairing, QuestionView } from '@leuria/pairing'
import { type AdminPairing, type ConfigFile, EngineError } from '@leuria/protocol'
import { type JsonFile, StateError } from '@leuria/state'

export interface AdminParts {
  version: string
  /** Known once the engine listens. */
  port(): number
  /** Where a question is shown. */
  approveUrl(requestId: string): string
  config: JsonFile<ConfigFile>
  grants: GrantStore
  pairing: Pairing
  agents: {
    default(): { id: string; name: string }
    /** `null`: no such AI can be used. */
    find(id: string): { kind: 'agent' | 'llm' } | null
  }
}

/** A question as the app sees it. */
export function showQuestion(parts: AdminParts, question: QuestionView): AdminPairing {
  return { ...question, approveUrl: parts.approveUrl(question.requestId) }
}

/**
 * A change that has to be on disk before it is answered. The app's user can act on a full disk or a folder without
 * permissions, so they are told.
 * @throws EngineError `internal_error` with the words of the file's part
 */
export async function saved<Value>(change: Promise<Value>): Promise<Value> {
  try {
    return await change
  } catch (error) {
    if (error instanceof StateError) throw new EngineError('internal_error', error.message, { cause: error })
    throw error
  }
}
