/** A conversation as a chat model takes it. Services' own shapes are made from it at the edge (`openai-request.ts`). */
import type { JsonObject } from '@leuria/agent'

export type UserPart =
  | { type: 'text'; text: string }
  /** `data` is base64. */
  | { type: 'image'; mimeType: string; data: string; name?: string }

/** A call as it stands in the history. */
export interface ToolCall {
  /** Unique in the conversation. */
  id: string
  /** The name the model knows the tool by. */
  name: string
  /** A JSON object as text: what was sent to the page. */
  arguments: string
}

export type ChatMessage =
  | { role: 'system'; text: string }
  | { role: 'user'; parts: readonly UserPart[] }
  /** Has text, calls or both. */
  | { role: 'assistant'; text: string; calls: readonly ToolCall[] }
  | { role: 'tool'; callId: string; text: string }

/** A tool as a model is offered it. `name` is one that every model API takes. */
export interface ToolOffer {
  name: string
  description: string
  inputSchema: JsonObject
}
