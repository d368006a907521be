/**
 * What the engine says of a session when its stream can't be trusted to have said everything:
 * after a reconnect in the middle of a turn, and when nothing has come for a while.
 */
import { type Clock, pause } from '@leuria/clock'
import type { SessionStatus } from '@leuria/protocol/browser'
import type { LeuriaError } from '../errors.js'
import type { EngineHttp } from './engine-http.js'
import { isGone } from './event-stream.js'
import { readSessionFacts } from './read-reply.js'

export interface SessionLookupOptions {
  http: EngineHttp
  clock: Clock
  path: string
}

/** `unknown`: the engine couldn't be asked. */
export type LookupResult =
  { kind: 'status'; status: SessionStatus } | { kind: 'gone'; error: LeuriaError } | { kind: 'unknown' }

/**
 * A quiet time is waited for in slices: after a page was held up, one timer may come before what has long arrived,
 * not so many.
 */
const QUIET_SLICES = 5

export class SessionLookup {
  readonly #options: SessionLookupOptions

  constructor(options: SessionLookupOptions) {
    this.#options = options
  }

  async status(): Promise<LookupResult> {
    try {
      const facts = readSessionFacts(await this.#options.http.request(this.#options.path))
      return facts === null ? { kind: 'unknown' } : { kind: 'status', status: facts.status }
    } catch (error) {
      return isGone(error) ? { kind: 'gone', error } : { kind: 'unknown' }
    }
  }

  /** Resolves once nothing has happened for `quietMs`. False: `isCurrent` no longer held. */
  async quiet({ quietMs, eventCount, isCurrent }: QuietOptions): Promise<boolean> {
    let since = eventCount()
    for (let slices = 0; slices < QUIET_SLICES;) {
      await pause(this.#options.clock, quietMs / QUIET_SLICES)
      if (!isCurrent()) return false
      slices = eventCount() === since ? slices + 1 : 0
      since = eventCount()
    }
    return true
  }
}

export interface QuietOptions {
  quietMs: number
  /** What the engine has said so far. */
  eventCount: () => number
  isCurrent: () => boolean
}
