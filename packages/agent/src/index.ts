/** Public names of `@leuria/agent`: the contracts between AIs and the parts that use them. */
export type { Prompt } from './prompt.js'
export type { ToolCallEvent, TurnEvent } from './turn-event.js'
export { TOOL_FAILURES } from './page-tools.js'
export type {
  CallLimit,
  CallSignal,
  JsonObject,
  PagePrompt,
  PageResource,
  PageTool,
  PageToolCall,
  PageTools,
  PageValue,
  ToolContent,
  ToolFailure,
  ToolOutcome,
} from './page-tools.js'
export type { AgentAdapter, AgentExit, AgentSession, OpenOptions } from './agent-adapter.js'
export { AGENT_ERROR_CODES, AgentError } from './agent-error.js'
export type { AgentErrorCode } from './agent-error.js'
export { noAudit } from './audit-sink.js'
export type { AuditEntry, AuditSink } from './audit-sink.js'
export { SERVICE_KINDS } from './model-service.js'
export type {
  EmbeddingDoor,
  EmbeddingVector,
  ModelInfo,
  ModelService,
  ModelSnapshot,
  ServiceKind,
} from './model-service.js'
export { PRIVATE_FOLDER } from './agent-process.js'
export type { AgentLaunch, AgentProcess, LaunchAgent, SignInPath } from './agent-process.js'
