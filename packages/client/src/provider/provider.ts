/** What answers requests: the contract that the engine, the browser's model, a site's server and a page's own ones keep. */
import type { Message } from '../message/message.js'
import type { JsonSchema } from '../tool/schema-input.js'
import type { ToolOutcome } from '../tool/tool.js'

/** Where what is sent goes: it stays on this device, to the visitor's own cloud account, or to the site. */
export type Locality = 'device' | 'visitor-cloud' | 'site'

export type Capability = 'chat' | 'tools' | 'structured' | 'agent' | 'images' | 'embed'

export type ProviderStatus = 'unknown' | 'detecting' | 'unavailable' | 'needs-action' | 'downloading' | 'ready'

/** Immutable; a new object only when something changed. */
export interface ProviderState {
  readonly status: ProviderStatus
  readonly capabilities: readonly Capability[]
  readonly model?: string
  readonly embedModel?: string
  /** With `needs-action`: what the visitor has to do. */
  readonly action?: 'connect' | 'download'
  /** With `downloading`: 0 to 1. */
  readonly progress?: number
  /** Plain words for the visitor. */
  readonly detail?: string
}

export interface ProviderInfo {
  readonly id: string
  readonly label: string
  readonly locality: Locality
}

/** A tool as a provider sees it: what to tell the AI. Running it is `context.runTool`. */
export interface ToolDeclaration {
  readonly name: string
  readonly description: string
  readonly inputSchema?: JsonSchema
  readonly annotations?: object
}

export interface SessionOptions {
  readonly system?: string
  readonly tools: readonly ToolDeclaration[]
  /** Given only to a provider with `structured`: the answer must be JSON of this shape. */
  readonly schema?: JsonSchema
  /** What was said before, oldest first; empty for a new conversation. */
  readonly history: readonly Message[]
  /** Most tool calls a turn. */
  readonly maxSteps: number
  /** Aborted when nobody needs the session any more; one that opens nevertheless is closed. */
  readonly signal?: AbortSignal
}

/** A tool call as it comes from an AI. */
export interface ToolRequest {
  readonly name: string
  readonly args: unknown
  readonly callId?: string
  readonly signal?: AbortSignal
}

/** What a provider reports to during one turn. Everything after the turn's end is dropped. */
export interface TurnContext {
  readonly turnId: string
  /** Aborted: stop at once; the session stays usable if `send` settles without failing. */
  readonly signal: AbortSignal
  /** A piece of the answer. */
  readonly text: (delta: string) => void
  readonly reasoning: (delta: string) => void
  /** Plain words about what goes on, or `null` for nothing. */
  readonly status: (words: string | null) => void
  /** Runs a tool of the page; never throws. `signal`: aborted when the AI doesn't wait for this call any more. */
  readonly runTool: (call: ToolRequest) => Promise<ToolOutcome>
}

export interface ProviderSession {
  /** One turn. `message` is the visitor's, with the page's context already in its text. The text replaces what was streamed if it differs. */
  send(message: Message, context: TurnContext): Promise<{ text: string }>
  /** Gets the AI ready before the first message; `send` may come meanwhile. */
  warm?(): Promise<void>
  /** Frees everything; never throws. */
  close(): Promise<void> | void
  /** True once the provider ended it: the next message needs a new session. */
  readonly closed?: boolean
}

export interface EmbedRequest {
  readonly kind: 'document' | 'query'
  readonly signal?: AbortSignal
}

export interface Embedding {
  /** In the order of the texts. */
  readonly vectors: readonly (readonly number[])[]
  readonly model: string
}

export interface Provider extends ProviderInfo {
  /** What it may be asked for at all. @default ['chat'] */
  readonly offers?: readonly ('chat' | 'embed')[]
  /** Providers after it wait while it isn't ready (client-sdk: `bridge`). */
  readonly asksFirst?: boolean
  getState(): ProviderState
  /** Returns its undo. */
  subscribe(listener: () => void): () => void
  /** Finds out where it stands; sends nothing that a visitor could notice. Never throws. */
  detect(): Promise<void>
  /** What the visitor's click starts; whatever a click must open is opened before this returns. */
  connect?(): Promise<void>
  disconnect?(): Promise<void>
  /** Opens where the visitor changes settings. */
  manage?(): void
  createSession(options: SessionOptions): Promise<ProviderSession>
  embed?(texts: readonly string[], request: EmbedRequest): Promise<Embedding>
  /** Frees what it holds; the client calls it in `destroy`. */
  destroy?(): void
}
