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
export { createOpenAiModel } from './openai-model.js'
export type { OpenAiModelOptions } from './openai-model.js'
export { openModelSession } from './model-session.js'
export type { ModelSessionOptions } from './model-session.js'
export { createModelList, DISCOVERY_LIMIT_MS, MODELS_FRESH_MS } from './model-list.js'
export type { ModelList, ModelListOptions } from './model-list.js'
export { keepModels, MAX_MODELS } from './kept-models.js'
export { requestJson } from './json-request.js'
export type { JsonReply, JsonRequest } from './json-request.js'
export { EMBEDDING_LIMIT_MS, requestEmbeddings } from './embedding-request.js'
export type { EmbeddingRequest } from './embedding-request.js'
export { prepareModel } from './prepared-model.js'
export type { PreparedModelOptions, ReadyFacts } from './prepared-model.js'
export { SharedWork } from './shared-work.js'
export { addressNative } from './native-service.js'
export type { NativeAddress, NativeProvider } from './native-service.js'
export { isLoopbackUrl } from './loopback.js'
export { looksLikeEmbedder } from './embedder-name.js'
export { createServedAgent, findModel } from './served-agent.js'
export type { ServedAgentOptions } from './served-agent.js'
