/** The visitor's AIs as the admin API needs them from an engine, as narrow as it uses them. */
import type { ModelInfo, ServiceKind } from '@leuria/agent'
import { EngineError } from '@leuria/protocol'

/** One AI with its models. */
export interface VisitorAi {
  id: string
  kind: 'demo' | 'llm' | 'agent'
  name: string
  default: boolean
  usable: boolean
  /** Why it can't be used, in words for people. */
  problem?: string
  service?: { id: string; kind: ServiceKind; baseUrl: string }
  /** The model it answers with unless a site has another choice. */
  model?: string
  models: readonly ModelInfo[]
}

export interface VisitorAis {
  /** From memory. */
  list(): readonly VisitorAi[]
  /** Looks at every service now. Never rejects. */
  refresh(): Promise<void>
}

/** The AI of this id; `null` asks for the default. @throws EngineError `not_found` */
export function findAi(ais: VisitorAis, id: string | null): VisitorAi {
  const found = ais.list().find((ai) => (id === null ? ai.default : ai.id === id))
  if (found === undefined) throw new EngineError('not_found', `There is no AI "${id ?? ''}".`)
  return found
}

/** Models that can talk. */
export function chatModels({ models }: VisitorAi): ModelInfo[] {
  return models.filter(({ type }) => type === 'chat')
}
