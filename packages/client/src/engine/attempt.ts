/**
 * One attempt to get this site connected, after its link was opened: the claim, and the token, whichever tab gets it.
 * Moves the connection's state; the claim's rules are in `pairing`.
 */
import { type Needs, PAIRING_TTL_MS } from '@leuria/protocol/browser'
import { type LeuriaError, LeuriaNotRunningError, stopped, toLeuriaError } from '../errors.js'
import { callSafely } from './callbacks.js'
import type { Connection, ConnectionEvent } from './connection-state.js'
import type { ConnectOptions } from './connector.js'
import { claimGrant, type ClaimParts } from './pairing.js'
import type { TokenStore } from './token-store.js'

export interface AttemptOptions extends ConnectOptions {
  body: { nonce: string; app?: string; needs?: Needs }
  /** Aborted when the attempt is over, by whoever ends it. */
  over: AbortController
  /** The token when the visitor clicked. */
  before: string | null
  /** What came of it; only the first word counts. */
  settle: (error?: LeuriaError) => void
}

export interface AttemptParts extends ClaimParts {
  tokens: TokenStore
  connection: Connection
}

/** Returns once the claim is on its way. */
export function attempt(parts: AttemptParts, options: AttemptOptions): void {
  const { tokens, connection } = parts
  const { signal, onUnreached, timeoutMs = PAIRING_TTL_MS, reachMs, body, over, before, settle } = options
  const end = (event: ConnectionEvent, error?: LeuriaError): void => {
    if (over.signal.aborted) return
    over.abort()
    connection.send(event, event === 'cancelled' ? {} : { error })
    if (error && tokens.get() !== null) connection.send('kept', { error })
    settle(error)
  }
  const look = (): void => {
    const token = tokens.get()
    if (token !== null && token !== before) end('found')
  }
  const onAbort = (): void => {
    if (signal) end('cancelled', stopped(signal))
  }
  if (signal?.aborted) onAbort()
  // Another tab may have been faster, also while this was loaded.
  look()
  if (over.signal.aborted) return
  signal?.addEventListener('abort', onAbort, { signal: over.signal })
  over.signal.addEventListener('abort', tokens.subscribe(look))
  claimGrant({
    ...parts,
    body,
    signal: over.signal,
    timeoutMs,
    reachMs,
    isCool: tokens.isCool(),
    onUnreached: () => {
      const error = new LeuriaNotRunningError()
      connection.send('unreached', { error })
      if (onUnreached) callSafely(onUnreached)
      else settle(error)
    },
    onReached: () => {
      connection.send('reached')
    },
  }).then(
    (token) => {
      if (over.signal.aborted) return
      over.abort()
      tokens.set(token)
      connection.send('allowed', {})
      settle()
    },
    (cause: unknown) => {
      const error = toLeuriaError(cause)
      if (error.code === 'declined') tokens.declined()
      end(error.code?.startsWith('declined') ? 'denied' : 'gave_up', error)
    },
  )
}
