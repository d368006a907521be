/** Public names of `@leuria/protocol`: schemas, types, constants, codes. `@leuria/protocol/browser` has the part without schemas. */
export { type Origin, parseOrigin } from './origin.js'
export {
  CALL_LIMIT_MS,
  CHANNEL_PING_MS,
  CLAIM_WAIT_MS,
  DEFAULT_PORT,
  DEFAULT_URL,
  DENIAL_COOLDOWN_MS,
  MAX_APP_NAME_LENGTH,
  MAX_ATTACHMENTS,
  MAX_BODY_BYTES,
  MAX_EMBED_TEXTS,
  MAX_EMBED_TEXT_LENGTH,
  MAX_LIVE_SESSIONS,
  MAX_NONCE_LENGTH,
  MAX_PENDING_PAIRINGS,
  MAX_TURN_STEPS,
  MCP_SERVER_NAME,
  MIN_NONCE_LENGTH,
  MIN_TURN_STEPS,
  PAIRING_TTL_MS,
  PREFLIGHT_MAX_AGE_S,
  READABLE_AFTER_END_MS,
  START_LIMIT_MS,
  TOOL_NAME_PREFIX,
} from './limits.js'
export { EngineError, ERROR_STATUS, errorBody } from './engine-error.js'
export type { EngineErrorOptions, ErrorBody, ErrorCode } from './engine-error.js'
export { HOST_NOT_ALLOWED, INVALID_JSON_BODY, ORIGIN_NOT_ALLOWED } from './wire-text.js'
export { hasMoreParts } from './json-parts.js'
export { isLive, SESSION_STATUSES, STOP_REASONS, TOOL_CALL_STATUSES } from './session-status.js'
export type { SessionStatus, StopReason, ToolCallStatus } from './session-status.js'
export { EFFORTS, parseNeeds } from './needs.js'
export type { Effort, Needs } from './needs.js'
export { isNonce } from './nonce.js'
export { formatConnectLink, formatSiteLink, parseLink } from './link.js'
export type { ConnectLink, SiteLink } from './link.js'
export { ADDITIVE_EVENTS, FINAL_EVENTS } from './stream-event.js'
export type { StreamEvent, StreamEventData, StreamEventName, ToolCallData, TurnCompletedData } from './stream-event.js'
export { formatRegistrationToken, readRegistrationToken } from './registration-token.js'
export { healthReply } from './health.js'
export type { HealthReply } from './health.js'
export { claimBody, claimReply, decideBody, PAIRING_DECISIONS, pairingStateReply } from './pairing-body.js'
export type { ClaimBody, ClaimReply, PairingDecision } from './pairing-body.js'
export { attachment, imageAttachment, isBase64, textAttachment } from './attachment.js'
export type { Attachment, ImageAttachment, TextAttachment } from './attachment.js'
export { actionReply, prepareBody, prepareReply, promptBody, sessionInfo } from './session-body.js'
export type { ActionReply, PrepareBody, PrepareReply, PromptBody, SessionInfo } from './session-body.js'
export { EMBED_KINDS, embedBody, embedReply } from './embed-body.js'
export type { EmbedBody, EmbedKind, EmbedReply } from './embed-body.js'
export {
  engineMessage,
  pageMessage,
  promptDeclaration,
  registerMessage,
  registerReply,
  resourceDeclaration,
  toolDeclaration,
} from './channel-message.js'
export type {
  EngineMessage,
  PageMessage,
  PromptDeclaration,
  RegisterReply,
  ResourceDeclaration,
  ToolDeclaration,
} from './channel-message.js'
export {
  agentEvent,
  agentStateEvent,
  embedEvent,
  errorEvent,
  modelEvent,
  pairingDecidedEvent,
  pairingEvent,
  processEvent,
  PROGRESS_STAGES,
  progressEvent,
  readyEvent,
  signInUrlEvent,
} from './process-event.js'
export type { ProcessEvent } from './process-event.js'
export { configFile, grant, grantsFile, originField, provider, providersFile } from './home-files.js'
export type { ConfigFile, Grant, GrantsFile, Provider, ProvidersFile } from './home-files.js'
export {
  adminLimitList,
  adminLimits,
  adminLimitsBody,
  adminUsage,
  LIMIT_NAMES,
  limitsFile,
  MAX_TOKENS_PER_DAY,
  MAX_TURNS_PER_HOUR,
  siteLimits,
  siteUsage,
  usageDay,
  usageFile,
} from './usage.js'
export type { LimitName, LimitsFile, SiteLimits, SiteUsage, UsageDay, UsageFile } from './usage.js'
export { parseBody } from './parse-body.js'
export { DEMO_AGENT_ID, formatModelId, parseAgentId, slugOf } from './agent-id.js'
export type { AgentId } from './agent-id.js'
export {
  adminAi,
  adminAnswerBody,
  adminEmbeddingsBody,
  adminFitBody,
  adminLinkBody,
  adminModelBody,
  adminPairing,
  adminPairingList,
  adminProviderBody,
  adminSite,
  adminSiteAgentBody,
  adminSiteList,
  adminSiteModelBody,
  adminStatus,
  MIN_ADMIN_TOKEN_LENGTH,
} from './admin-body.js'
export type { AdminAi, AdminPairing, AdminSite, AdminStatus } from './admin-body.js'
export {
  adminAddAiBody,
  adminAddAiReply,
  adminAgentList,
  adminRemoved,
  adminResetBody,
  adminSignIn,
  adminSignInBody,
  adminSiteAgentReply,
  adminTestBody,
  adminTestReply,
} from './admin-setup.js'
export type { AdminAgentList, AdminSignIn, AdminTestReply } from './admin-setup.js'
export { adminAiList, adminEmbeddings, adminFit, adminModels, adminOk, adminProviderList } from './admin-replies.js'
export type { AdminFit } from './admin-replies.js'
export { ADMIN_EVENTS, adminActivity, adminEvent, adminLog, MAX_LOG_PAGE } from './admin-feed.js'
export type { AdminActivity, AdminEvent, AdminLog } from './admin-feed.js'
