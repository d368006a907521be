/** Every number the sessions go by: the protocol's own, and this engine's choices with their reasons. */
import { MAX_LIVE_SESSIONS, READABLE_AFTER_END_MS, START_LIMIT_MS } from '@leuria/protocol'

/** Times are at most 2^31 - 1 ms (about 24 days), as every timer. */
export interface SessionLimits {
  /** Live sessions an owner may hold (the page). @default 4 */
  maxLive: number
  /** How long an AI may take to start (the page). @default 60 s */
  startMs: number
  /** How long an ended session can be read (the page). @default 5 min */
  readableMs: number
  /** Ended sessions kept an owner: a site that makes and ends sessions in a loop must not fill memory. @default 100 */
  maxEnded: number
  /** A session that was never approved ends after this. @default 10 min */
  unapprovedMs: number
  /** A session with no stream and no channel, in which nothing happens, ends after this. @default 30 min */
  unattendedMs: number
  /** How long a prompt waits for the AI to settle after a cancelled turn. @default 10 s */
  settleMs: number
  /** How long the final event waits for the AI to stop; the AI is stopped all the same. @default 1 s */
  stopWaitMs: number
  /** How long the AI's end waits for the end of the answer that may be on its way. @default 500 ms */
  exitGraceMs: number
  /** Time between two heartbeat comments: well below the 30 s after which common proxies cut a quiet stream. @default 15 s */
  heartbeatMs: number
  /** Streams a session may have at once; a page needs one. @default 32 */
  maxStreams: number
  /** What a reader may fall behind while it takes nothing, in characters. @default 1 Mi */
  maxBehindChars: number
  /** A reader is not dropped before it has had this long to take something: a burst is not a stall. @default 1 s */
  stallMs: number
  /** Most that one turn's events may hold, in characters: all of it is kept for late readers. @default 8 Mi */
  maxTurnChars: number
  /** Turns before the last two are kept while they fit into this, in characters. @default 256 Ki */
  keepChars: number
  /** `log` lines kept a turn, in characters; more are dropped: an AI's stderr must not fill memory. @default 256 Ki */
  maxLogChars: number
}

export const SESSION_LIMITS: Readonly<SessionLimits> = {
  maxLive: MAX_LIVE_SESSIONS,
  startMs: START_LIMIT_MS,
  readableMs: READABLE_AFTER_END_MS,
  maxEnded: 100,
  unapprovedMs: 10 * 60_000,
  unattendedMs: 30 * 60_000,
  settleMs: 10_000,
  stopWaitMs: 1_000,
  exitGraceMs: 500,
  heartbeatMs: 15_000,
  maxStreams: 32,
  maxBehindChars: 1024 * 1024,
  stallMs: 1_000,
  maxTurnChars: 8 * 1024 * 1024,
  keepChars: 256 * 1024,
  maxLogChars: 256 * 1024,
}
