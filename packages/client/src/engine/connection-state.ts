/** Where this site stands with the visitor's engine: the states, what moves them, and the snapshot that pages read. */
import type { LeuriaError } from '../errors.js'
import { isSame } from '../same.js'
import { Listeners } from './callbacks.js'

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

type Moves = Readonly<Partial<Record<ConnectionEvent, ConnectionStatus>>>

const WITH_TOKEN: Moves = {
  healthy: 'connected',
  unreachable: 'not-running',
  forgotten: 'not-connected',
  asked: 'connecting',
}

/** Status × event → status. An event that isn't named changes nothing. */
export const CONNECTION_TABLE: Readonly<Record<ConnectionStatus, Moves>> = {
  checking: WITH_TOKEN,
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
    ...WITH_TOKEN,
    found: 'connected',
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
  connected: WITH_TOKEN,
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

/** Holds the snapshot; it gets a new identity only when something in it changed. */
export interface Connection {
  readonly state: ConnectionState
  /** Moves on. Without `facts` what is known about the engine stays; a gone token takes it along. */
  send(event: ConnectionEvent, facts?: ConnectionFacts): void
  /** Returns its undo. */
  subscribe(listener: (state: ConnectionState) => void): () => void
}

export function createConnection(hasToken: boolean): Connection {
  const listeners = new Listeners<ConnectionState>()
  let state: ConnectionState = { status: hasToken ? 'checking' : 'not-connected' }
  return {
    get state() {
      return state
    },
    send: (event, facts) => {
      const status = CONNECTION_TABLE[state.status][event]
      if (status === undefined) return
      const next = { ...(event === 'forgotten' ? {} : state), error: undefined, ...facts, status }
      if (isSame(next, state)) return
      state = next
      listeners.emit(state)
    },
    subscribe: (listener) => listeners.add(listener),
  }
}
