/**
 * A service of models as the engine sees it, whatever its kind: its models with what is known of each, always from memory,
 * an adapter for any of them, and a door for embeddings where the service may have one.
 * How a kind of service is found and asked is its own package's business.
 */
import type { AgentAdapter } from './agent-adapter.js'

/** Ollama and LM Studio have interfaces of their own; `openai` is any server that speaks OpenAI's chat completions. */
export const SERVICE_KINDS = ['ollama', 'lmstudio', 'openai'] as const
export type ServiceKind = (typeof SERVICE_KINDS)[number]

/** A model with what its service says of it. A fact that is absent isn't known, which is neither yes nor no. */
export interface ModelInfo {
  /** The id the service knows it by. */
  readonly id: string
  /** What people call it: "llama3.2". */
  readonly name: string
  readonly type: 'chat' | 'embedding'
  /** False: it runs on someone else's computer, whatever the service's own address is. */
  readonly local: boolean
  /** In memory, ready to answer at once. */
  readonly loaded?: boolean
  /** It can call tools. */
  readonly tools?: boolean
  /** It takes images. */
  readonly images?: boolean
  /** It reasons before it answers. */
  readonly thinking?: boolean
  /** Tokens that fit, question and answer together: as loaded, else the most the model can take. */
  readonly contextTokens?: number
  /** Billions of parameters. */
  readonly billions?: number
  /** On disk. */
  readonly sizeBytes?: number
}

/** What is known of a service at one moment. A new object after each change. */
export interface ModelSnapshot {
  /** `unknown`: nobody has looked yet. */
  readonly state: 'unknown' | 'running' | 'unavailable'
  /** In the service's order, chat and embedding models together. */
  readonly models: readonly ModelInfo[]
  /** Why it can't be used (or was not read this time), in words for people. */
  readonly problem?: string
}

/** What a text became. */
export interface EmbeddingVector {
  readonly numbers: readonly number[]
  /** The same as JSON, in the service's own digits: to write so many numbers anew takes longer than all else together. */
  readonly json: string
}

/** Where texts become vectors. */
export interface EmbeddingDoor {
  /** Most texts that one request should hold. */
  readonly maxTexts: number
  /** Most UTF-16 units that one request should hold, all its texts together. */
  readonly maxCharacters: number
  /**
   * One vector for each text, in order. Aborting `signal` ends the request at once.
   * @throws AgentError `failed` or `too_long` when the service refused these texts; others when it can't work at all
   */
  embed(request: { model: string; texts: readonly string[] }, signal: AbortSignal): Promise<readonly EmbeddingVector[]>
}

export interface ModelService {
  /** The provider part of its AIs' ids: `ollama` in `llm:ollama/llama3.2`. */
  readonly id: string
  readonly kind: ServiceKind
  /** For people: "Ollama". */
  readonly name: string
  /** With its version segment, without a slash at the end. */
  readonly baseUrl: string
  /** From memory, at once; never waits for the service. Looks again in the background when this is old. */
  models(): ModelSnapshot
  /** Looks now (or joins a look under way) and resolves with what was found. Never rejects; a limit of its own ends it. */
  refresh(): Promise<ModelSnapshot>
  /** Tells of each change. Returns its undo. */
  subscribe(listener: (snapshot: ModelSnapshot) => void): () => void
  /** The adapter for one of its models; without one, for whichever fits by the default rules when a session opens. */
  openAgent(model?: string): AgentAdapter
  /** Absent where this kind of service is never used for embeddings. */
  readonly embeddings?: EmbeddingDoor
  /** Stops looking. Idempotent. */
  close(): void
}
