/** Where this site stands with the visitor's engine: the states, what moves them, and the snapshot that pages read. */
import { Listeners } from './callbacks.js'
import type { LeuriaError } from '../errors.js'

/**
 * `checking`: there is a token, and the engine hasn't been asked about it. `not-connected`: no token.
 * `connecting`: the visitor is being asked. `not-running`: nothing readable comes from the engine; an attempt may still go on.
 * `declined`: the visitor said no. `connected`: the engine knows this site.
 */
export type ConnectionStatus = 'checking' | 'not-connected' | 'connecting' | 'not-running' | 'declined' | 'connected'

export type ConnectionEvent =
  /** The engine took the token. */
  | 'healthy'
  /** The engine didn't answer a request that carried the token. */
  | 'unreachable'
  /** The token is gone: refused, revoked, or forgotten on purpose. */
  | 'forgotten'
  /** Another tab got a token. */
  | 'found'
  /** The visitor clicked: an attempt began. */
  | 'asked'
  /** The attempt has had no readable answer for a while. */
  | 'unreached'
  /** It has one after all. */
  | 'reached'
  | 'allowed'
  | 'denied'
  /** The attempt's time is over, or it failed. */
  | 'gave_up'
  /** The page called the attempt off. */
  | 'cancelled'
  /** An attempt ended without a new token while the old one is still here. */
  | 'kept'

/** Status × event → status. An event that isn't named changes nothing. */
export const CONNECTION_TABLE: Readonly<
  Record<ConnectionStatus, Readonly<Partial<Record<ConnectionEvent, ConnectionStatus>>>>
> = {
  checking: {
    healthy: 'connected',
    unreachable: 'not-running',
    forgotten: 'not-connected',
    asked: 'connecting',
  },
  'not-connected': { found: 'connected', asked: 'connecting', kept: 'checking' },
  connecting: {
    found: 'connected',
    unreached: 'not-running',
    allowed: 'connected',
    denied: 'declined',
    gave_up: 'not-connected',
    cancelled: 'not-connected',
  },
  'not-running': {
    healthy: 'connected',
    unreachable: 'not-running',
    forgotten: 'not-connected',
    found: 'connected',
    asked: 'connecting',
    reached: 'connecting',
    allowed: 'connected',
    denied: 'declined',
    gave_up: 'not-running',
    cancelled: 'not-connected',
    kept: 'checking',
  },
  declined: {
    healthy: 'connected',
    forgotten: 'not-connected',
    found: 'connected',
    asked: 'connecting',
    kept: 'checking',
  },
  connected: {
    healthy: 'connected',
    unreachable: 'not-running',
    forgotten: 'not-connected',
    asked: 'connecting',
  },
}

export interface ConnectionState {
  readonly status: ConnectionStatus
  /** The engine's version, once it has said. */
  readonly version?: string
  /** A plain name for the AI this site gets. */
  readonly agent?: string
  /** The embedding model this site gets; absent: none. */
  readonly embed?: string
  /** Where the visitor answers: in the app's own window, or on a page of the engine's. */
  readonly approvals?: string
  /** Why the last attempt or check failed. */
  readonly error?: LeuriaError
}

/** What comes along with an event and replaces what the snapshot said before. */
export type ConnectionFacts = Omit<ConnectionState, 'status'>

function isSame(one: ConnectionState, other: ConnectionState): boolean {
  const keys = ['status', 'version', 'agent', 'embed', 'approvals', 'error'] as const
  return keys.every((key) => one[key] === other[key])
}

/** Holds the snapshot; it gets a new identity only when something in it changed. */
export class Connection {
  #state: ConnectionState
  readonly #listeners = new Listeners<ConnectionState>()

  constructor(hasToken: boolean) {
    this.#state = { status: hasToken ? 'checking' : 'not-connected' }
  }

  get state(): ConnectionState {
    return this.#state
  }

  /** Moves on. Without `facts` what is known about the engine stays; a gone token takes it along. */
  send(event: ConnectionEvent, facts?: ConnectionFacts): void {
    const status = CONNECTION_TABLE[this.#state.status][event]
    if (status === undefined) return
    const { error: _, ...known } = this.#state
    const base = event === 'forgotten' ? {} : known
    const next = { ...base, ...facts, status }
    if (isSame(next, this.#state)) return
    this.#state = next
    this.#listeners.emit(next)
  }

  /** Returns its undo. */
  subscribe(listener: (state: ConnectionState) => void): () => void {
    return this.#listeners.add(listener)
  }
}
