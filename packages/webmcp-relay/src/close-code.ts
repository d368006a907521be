/** Why the engine closes a page's socket: codes (RFC 6455 §7.4; 4000 and up are ours) and their words. */
import type { WebSocket } from 'ws'

export const CLOSE = {
  /** The session ended; the reason says how. */
  sessionEnded: 1000,
  /** The engine stops. */
  goingAway: 1001,
  /** Too many frames or tries that make no sense. */
  policy: 1008,
  /** A frame over the limit. */
  tooBig: 1009,
  /** Too many sockets, or a page that doesn't read. */
  tryLater: 1013,
  /** The page opened another socket for the same channel. */
  replaced: 4001,
  /** Two pongs in a row are missing. */
  unresponsive: 4002,
} as const

/** Most bytes of a close frame's reason (RFC 6455 §5.5: 125 with the code). */
const MAX_REASON_BYTES = 123

/** Starts closing; words that are too long are cut at a whole character. */
export function closeSocket(socket: WebSocket, code: number, reason: string): void {
  let words = reason
  while (Buffer.byteLength(words) > MAX_REASON_BYTES) words = words.slice(0, -1).replace(/[\uD800-\uDBFF]$/, '')
  socket.close(code, words)
}
