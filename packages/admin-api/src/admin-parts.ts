/** What the admin API needs of an engine, as narrow as it uses it. */
import type { Clock } from '@leuria/clock'
import type { GrantStore } from '@leuria/grant-store'
import type { Pairing, QuestionView } from '@leuria/pairing'
import type { AdminPairing, ConfigFile, ProvidersFile } from '@leuria/protocol'
import type { JsonFile } from '@leuria/state'
import type { Usage } from '@leuria/usage'
import type { AgentSetup } from './agent-setup.js'
import type { AiTest } from './ai-test.js'
import type { EventFeed } from './feed/event-feed.js'
import type { ReadLog } from './read-log.js'
import type { VisitorAis } from './visitor-ais.js'

export interface AdminParts {
  version: string
  /** Known once the engine listens. */
  port(): number
  /** Where a question is shown. */
  approveUrl(requestId: string): string
  clock: Clock
  config: JsonFile<ConfigFile>
  providers: JsonFile<ProvidersFile>
  grants: GrantStore
  pairing: Pairing
  usage: Pick<Usage, 'limits' | 'changeLimits' | 'clearLimits' | 'days'>
  agents: {
    default(): { id: string; name: string }
    /** `null`: no such AI can be used. */
    find(id: string): { kind: 'agent' | 'llm'; name: string } | null
  }
  ais: VisitorAis
  setup: AgentSetup
  feed: EventFeed
  /** What the visitor should know, oldest first. */
  warnings(): readonly { at: string; message: string }[]
  readLog: ReadLog
  /** Absent: this engine can't test, and has no such route. */
  test?: AiTest | undefined
  embeddings: {
    /** `auto`, `off` or a model. */
    choice(): unknown
    current(): { provider: string; model: string } | undefined
    models(): readonly { provider: string; model: string; loaded: boolean | null }[]
    refresh(): Promise<void>
  }
}

/** A question as the app sees it. */
export function showQuestion(parts: AdminParts, question: QuestionView): AdminPairing {
  return { ...question, approveUrl: parts.approveUrl(question.requestId) }
}
