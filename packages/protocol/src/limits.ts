/**
 * Every number of the protocol, once: value, unit in the name, and the sentence of the protocol page it comes from.
 * Numbers that are an implementation's own choice live with the part that uses them.
 */

/** Where the engine listens unless told otherwise (Conventions, Base URL). */
export const DEFAULT_PORT = 19570
/** The base URL that clients use by default (Conventions, Base URL). */
export const DEFAULT_URL = `http://127.0.0.1:${DEFAULT_PORT}`
/** "Bodies may be up to 16 MB" (Conventions, Bodies). */
export const MAX_BODY_BYTES = 16 * 1024 * 1024
/** `Access-Control-Max-Age: 600` (Conventions, CORS). */
export const PREFLIGHT_MAX_AGE_S = 600

/** "long-polled for up to 25 s" (Pairing, step 3). */
export const CLAIM_WAIT_MS = 25_000
/** "A request expires after 5 minutes" (Pairing). */
export const PAIRING_TTL_MS = 5 * 60_000
/** "At most 20 can be pending at once, across all sites" (Pairing). */
export const MAX_PENDING_PAIRINGS = 20
/** "the same origin can't ask again for 30 seconds" (Pairing). */
export const DENIAL_COOLDOWN_MS = 30_000
/** "app is cut to 80 characters" (Pairing). */
export const MAX_APP_NAME_LENGTH = 80
/** 16 random bytes are 22 characters of base64url (Pairing, step 1: 16 to 96 bytes). */
export const MIN_NONCE_LENGTH = 22
/** 96 random bytes are 128 characters of base64url (Pairing, step 1). */
export const MAX_NONCE_LENGTH = 128

/** "An origin may hold 4 live sessions" (Sessions, Rules). */
export const MAX_LIVE_SESSIONS = 4
/** "clamped between 1 and 50" (Sessions, Rules). */
export const MIN_TURN_STEPS = 1
/** "clamped between 1 and 50" (Sessions, Rules). */
export const MAX_TURN_STEPS = 50
/** "The AI must start within 60 s" (Sessions, Rules). */
export const START_LIMIT_MS = 60_000
/** "An ended session stays readable … for 5 minutes" (Sessions, Rules). */
export const READABLE_AFTER_END_MS = 5 * 60_000
/** "Up to 10 per request" (Sessions, Attachments). */
export const MAX_ATTACHMENTS = 10

/** "ping … Sent every 15 s" (Page tools). */
export const CHANNEL_PING_MS = 15_000
/** "A call may stay open for 10 minutes" (Page tools). */
export const CALL_LIMIT_MS = 10 * 60_000
/** The MCP server's name, and so the middle of every tool's full name (Page tools, The AI's side). */
export const MCP_SERVER_NAME = 'webmcp'
/** What an AI's `toolName` begins with: `mcp__webmcp__<name>` (Page tools, The AI's side). */
export const TOOL_NAME_PREFIX = `mcp__${MCP_SERVER_NAME}__`

/** "At most 256 texts per request" (Embeddings). */
export const MAX_EMBED_TEXTS = 256
/** "each cut to 8,000 characters" (Embeddings). */
export const MAX_EMBED_TEXT_LENGTH = 8_000
