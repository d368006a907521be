/** Every bound and wait of the relay that the protocol page leaves open, and those it names. */
import { CHANNEL_PING_MS } from '@leuria/protocol'

export interface RelayLimits {
  /** How long calls in flight wait for a page whose channel dropped, in ms. @default 10_000 */
  reconnectGraceMs: number
  /** "ping … Sent every 15 s" (Page tools), in ms. @default 15_000 */
  pingMs: number
  /** A register socket on which nothing is said for this long is closed, in ms. @default 30_000 */
  registerIdleMs: number
  /** Tries on one register socket; a page needs one. @default 10 */
  maxRegisterAttempts: number
  /** Register sockets open at once for one origin. @default 16 */
  maxRegisterSockets: number
  /** Frames that can't be understood before the socket is closed: two programs must not argue for ever. @default 100 */
  maxBadFrames: number
  /** Bytes that may wait for a page that doesn't read; beyond, its socket is closed. @default 32 Mi */
  maxUnsentBytes: number
  /** A socket that doesn't finish closing is cut after this long, in ms. @default 2_000 */
  closeGraceMs: number
  /** An MCP answer that takes longer shows a sign of life, in ms: clients give up on silence. @default 15_000 */
  keepAliveMs: number
  /** MCP sessions (2025 era) of one agent token; the least used one goes. @default 32 */
  maxMcpSessions: number
  /** Most calls of the page's tools in one turn, however it goes. @default 200 */
  maxCallsPerTurn: number
}

export const RELAY_LIMITS: Readonly<RelayLimits> = {
  reconnectGraceMs: 10_000,
  pingMs: CHANNEL_PING_MS,
  registerIdleMs: 30_000,
  maxRegisterAttempts: 10,
  maxRegisterSockets: 16,
  maxBadFrames: 100,
  maxUnsentBytes: 32 * 1024 * 1024,
  closeGraceMs: 2_000,
  keepAliveMs: 15_000,
  maxMcpSessions: 32,
  maxCallsPerTurn: 200,
}

/** "two missed pongs close the channel". */
export const MAX_MISSED_PONGS = 2
/** A registration is a few hundred characters. */
export const MAX_REGISTER_FRAME_LENGTH = 8 * 1024
/** Objects and lists in one frame or MCP request: the largest result that an AI gets, in pieces of 16 characters. */
export const MAX_JSON_PARTS = 256 * 1024
