/**
 * The contract of a streaming chat model with tools. `createOpenAiModel` is the one implementation;
 * the tool loop (`model-session.ts`) knows only this.
 */
import type { JsonObject } from '@leuria/agent'
import type { ChatMessage, ToolOffer } from './chat-message.js'

/** What is known about a model. Unknown counts as "no" for images and as "no limit known" for the context. */
export interface ModelFacts {
  /** True: it takes images. */
  images?: boolean
  /** How many tokens fit, question and answer together. */
  contextTokens?: number
}

export interface ChatRequest {
  messages: readonly ChatMessage[]
  tools: readonly ToolOffer[]
  /** `none`: tools are shown, but the model must answer in text. */
  toolChoice: 'auto' | 'none'
}

/** Arguments as the model sent them: read, or not readable as one JSON object. */
export type CallArguments = { ok: true; value: JsonObject } | { ok: false; text: string }

/** Why a model stopped. `calls`: it waits for the results of its tool calls. */
export type FinishReason = 'stop' | 'calls' | 'length' | 'refusal'

export interface ModelUsage {
  inputTokens?: number
  outputTokens?: number
}

export type ModelPart =
  /** Never empty. */
  | { type: 'text'; text: string }
  | { type: 'thought'; text: string }
  /** What goes on before the model can answer, in plain words. */
  | { type: 'status'; text: string }
  /** A whole call, after the text. `id` is empty when the model gave none. None come when the answer was cut off. */
  | { type: 'call'; id: string; name: string; input: CallArguments }
  | { type: 'usage'; usage: ModelUsage }
  /** Always the last one, exactly once, unless the stream throws or was aborted. */
  | { type: 'finish'; reason: FinishReason }

export interface ChatModel {
  /** The service's name for people, for messages: "Ollama". */
  readonly serviceName: string
  /** May be corrected when the service says otherwise. */
  readonly facts: Readonly<ModelFacts>
  /**
   * Asks for one answer. Parts come in the batches in which they arrived. Aborting `signal` ends the request at once; the stream then ends without an error.
   * Leaving the loop early ends the request too.
   * @throws AgentError in words for people
   */
  stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<readonly ModelPart[]>
}
