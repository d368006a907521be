/** Public names of `@leuria/language-model`: streaming chat models behind one interface, and the tool loop. */
export type { ChatMessage, ToolCall, ToolOffer, UserPart } from './chat-message.js'
export type {
  CallArguments,
  ChatModel,
  ChatRequest,
  FinishReason,
  ModelFacts,
  ModelPart,
  ModelUsage,
} from './chat-model.js'
export { createOpenAiModel, requestHeaders } from './openai-model.js'
export type { OpenAiModelOptions } from './openai-model.js'
export { DEFAULT_MAX_TURNS, openModelSession } from './model-session.js'
export type { ModelSessionOptions } from './model-session.js'
