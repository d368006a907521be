/**
 * `@leuria/protocol/browser`: types, constants and what needs no schema. No schema library comes along: browsers pay for each
 * kilobyte, and an engine that starts for each millisecond.
 */
export { type Origin, parseOrigin } from './origin.js'
export {
  CALL_LIMIT_MS,
  CHANNEL_PING_MS,
  CLAIM_WAIT_MS,
  DEFAULT_PORT,
  DEFAULT_URL,
  DENIAL_COOLDOWN_MS,
  MAX_APP_NAME_LENGTH,
  MAX_BODY_BYTES,
  MAX_EMBED_TEXT_LENGTH,
  MAX_EMBED_TEXTS,
  MAX_NONCE_LENGTH,
  MIN_NONCE_LENGTH,
  PAIRING_TTL_MS,
  TOOL_NAME_PREFIX,
} from './limits.js'
export { isLive, SESSION_STATUSES } from './session-status.js'
export type { SessionStatus, StopReason, ToolCallStatus } from './session-status.js'
export { DEMO_AGENT_ID, parseAgentId } from './agent-id.js'
export type { AgentId } from './agent-id.js'
export type { ConfigFile, Provider, ProvidersFile } from './home-files.js'
export { parseNeeds } from './needs.js'
export type { Effort, Needs } from './needs.js'
export { isNonce } from './nonce.js'
export { formatConnectLink, formatSiteLink } from './link.js'
export type { ConnectLink, SiteLink } from './link.js'
export { FINAL_EVENTS } from './stream-event.js'
export type { StreamEvent, StreamEventData, StreamEventName, ToolCallData, TurnCompletedData } from './stream-event.js'
export type { HealthReply } from './health.js'
export type { ClaimReply } from './pairing-body.js'
export type { Attachment, ImageAttachment, TextAttachment } from './attachment.js'
export type { ActionReply, PrepareBody, PrepareReply, PromptBody, SessionInfo } from './session-body.js'
export type { EmbedKind, EmbedReply } from './embed-body.js'
export type { EngineMessage, PageMessage, RegisterReply } from './channel-message.js'
export type { ErrorBody } from './engine-error.js'
export type { AdminAi, AdminPairing, AdminSite, AdminStatus } from './admin-body.js'
export type { AdminActivity, AdminEvent, AdminLog } from './admin-feed.js'
export type { AdminFit } from './admin-replies.js'
export type { AdminAgentList, AdminSignIn, AdminTestReply } from './admin-setup.js'
