/** Public names of `@leuria/client`. What is not listed is private. */
export { DEFAULT_URL } from '@leuria/protocol/browser'
export type { Attachment, EmbedKind, EmbedReply } from '@leuria/protocol/browser'
export { AbortError, LeuriaError, LeuriaNotConnectedError, LeuriaNotRunningError, TimeoutError } from './errors.js'
export type { LeuriaErrorOptions } from './errors.js'
export { leuriaRunsHere } from './engine/page-host.js'
export { BridgeClient } from './engine/bridge-client.js'
export type { BridgeClientOptions, EmbedOptions } from './engine/bridge-client.js'
export type { ConnectOptions, SiteNeeds } from './engine/connector.js'
export type { ConnectionState, ConnectionStatus } from './engine/connection-state.js'
export type { DetectResult } from './engine/detect.js'
export { BridgeSession } from './engine/bridge-session.js'
export type { BridgeEvent, PromptOptions, SessionLink, SessionOutcome } from './engine/bridge-session.js'
export type { SessionPhase } from './engine/session-state.js'
export type { StartSessionOptions } from './engine/start-session.js'
export type { PageTool, ToolCallContext } from './engine/page-tool.js'
export type { Fetch } from './engine/engine-http.js'
export type { SocketClass, SocketLike } from './engine/engine-socket.js'
export type { TokenStorage } from './engine/token-storage.js'
export type { PageHost, PageSignal, TabChannel } from './engine/page-host.js'
export { createLeuria, Leuria } from './cascade/leuria.js'
export type { ChatRequest } from './cascade/chat.js'
export type { ConnectAttempt, EmbedResult, EmbedTextsOptions, LeuriaOptions } from './cascade/leuria.js'
export type { LeuriaState, ProviderSnapshot } from './cascade/state.js'
export type { ConversationHost, ProviderNeeds, Routing } from './cascade/conversation-host.js'
export { NoProviderError } from './cascade/no-provider-error.js'
export type { NoProviderFacts, ProviderReason } from './cascade/no-provider-error.js'
export { bridge, BridgeProvider } from './provider/bridge-provider.js'
export type { BridgeOptions } from './provider/bridge-provider.js'
export { connection } from './connection.js'
export type { LeuriaConnection, LeuriaConnectionState } from './connection.js'
export { Conversation } from './conversation/conversation.js'
export type { SendOptions } from './conversation/conversation.js'
export type { ConversationOptions } from './conversation/conversation-options.js'
export type { ConversationState, ConversationStatus, SessionStatus } from './conversation/conversation-state.js'
export { ChatRun } from './conversation/chat-run.js'
export type { RunResult } from './conversation/chat-run.js'
export type { RunEvent } from './conversation/run-event.js'
export {
  defaultFormatContext,
  fileText,
  messageFiles,
  messageText,
  promptText,
  transcript,
} from './message/message-content.js'
export type {
  FileInput,
  FilePart,
  Message,
  MessageInput,
  MessageMetadata,
  MessagePart,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolCallState,
  TurnContextData,
} from './message/message.js'
export { parseDataUrl } from './message/data-url.js'
export type { DataUrl } from './message/data-url.js'
export { newId } from './message/new-id.js'
export { toMessage } from './message/to-message.js'
export { extractJson } from './structured/extract-json.js'
export { SUBMIT_TOOL } from './structured/submit-tool.js'
export { StructuredOutputError } from './structured/structured-output-error.js'
export { defineTool } from './tool/define-tool.js'
export type { Middleware, Tool, ToolCall, ToolContext, ToolOutcome } from './tool/tool.js'
export type { JsonSchema, SchemaInput, StandardSchema } from './tool/schema-input.js'
export { withJsonSchema } from './tool/read-schema.js'
export type {
  Capability,
  Embedding,
  EmbedRequest,
  Locality,
  Provider,
  ProviderInfo,
  ProviderSession,
  ProviderState,
  ProviderStatus,
  SessionOptions,
  ToolDeclaration,
  ToolRequest,
  TurnContext,
} from './provider/provider.js'
export { BaseProvider } from './provider/base-provider.js'
export { server, ServerProvider } from './provider/server-provider.js'
export type { ServerOptions } from './provider/server-provider.js'
export type { ServerHeaders } from './provider/ask-server.js'
export { browserAI, BrowserAIProvider } from './provider/browser-ai-provider.js'
export type { BrowserAIOptions } from './provider/browser-ai-provider.js'
export { exposeTools } from './webmcp/expose-tools.js'
export type { ExposeOptions } from './webmcp/expose-tools.js'
export { modelContext } from './webmcp/model-context.js'
export type { ContextTool, ModelContext } from './webmcp/model-context.js'
export { capturedTools, subscribeCapturedTools } from './webmcp/captured-tools.js'
