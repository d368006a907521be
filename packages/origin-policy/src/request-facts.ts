/** What the gate's rules look at: one request as it came off the socket, what is known about its origin, this engine. */
import type { Origin } from '@leuria/protocol'

/** A request as it came off the socket, nothing decoded and nothing joined. */
export interface RequestFacts {
  readonly method: string
  /** The request-target as sent (RFC 9112 §3.2). */
  readonly target: string
  /** Names and values in turn, repeated headers included: Node's `rawHeaders`. */
  readonly rawHeaders: readonly string[]
  /** The request asks for a WebSocket. */
  readonly upgrade: boolean
}

/** What is known about an origin. Asked at most once each for a request; must be fast, must not throw. */
export interface SiteFacts {
  /** The visitor connected it. */
  granted(origin: Origin): boolean
  /** A link or a question named it and the answer hasn't been collected yet. */
  named(origin: Origin): boolean
}

/**
 * `page`: the CLI's engine, which answers every origin and asks on its own page.
 * `app`: the desktop app's engine, silent to origins it doesn't know.
 */
export type EngineMode = 'page' | 'app'

export interface EngineFacts {
  /** The port it listens on, never 0. */
  readonly port: number
  readonly mode: EngineMode
}
