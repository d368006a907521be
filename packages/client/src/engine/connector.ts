/**
 * One attempt at a time to get this site connected: the link in the visitor's click, the claim behind it, and the token,
 * whichever tab gets it. Moves the connection's state; the claim's rules are in `pairing`.
 */
import type { Clock } from '@leuria/clock'
import {
  formatConnectLink,
  MAX_APP_NAME_LENGTH,
  type Needs,
  PAIRING_TTL_MS,
  parseNeeds,
  parseOrigin,
} from '@leuria/protocol/browser'
import { AbortError, LeuriaError, LeuriaNotConnectedError, LeuriaNotRunningError } from '../errors.js'
import { callSafely } from './callbacks.js'
import type { Connection, ConnectionEvent } from './connection-state.js'
import type { EngineHttp } from './engine-http.js'
import type { PageHost } from './page-host.js'
import { claimGrant, REACH_LIMIT_MS } from './pairing.js'
import type { TokenStore } from './token-store.js'

export interface ConnectOptions {
  /** When the attempt ends by itself. @default 300_000, the engine's own limit */
  timeoutMs?: number
  /** How long without a readable answer before the visitor is told that Leuria isn't running. @default 10_000 */
  reachMs?: number
  /**
   * Nothing readable came for `reachMs`. With it the promise stays open and the attempt goes on; without it the promise
   * rejects with LeuriaNotRunningError, and the attempt still goes on: watch the state.
   */
  onUnreached?: () => void
  /** Calls the attempt off. */
  signal?: AbortSignal
  /** `false`: no link (the page shows one to click). A function: opens the link in its own way. @default a hidden link is clicked */
  openLink?: boolean | ((link: string) => void)
}

export interface ConnectorOptions {
  app?: string
  needs?: object
  clock: Clock
  page: PageHost
  http: EngineHttp
  tokens: TokenStore
  connection: Connection
}

/** Random bytes of a nonce: the page asks for 16 to 96. */
const NONCE_BYTES = 24

function createNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

interface Attempt {
  stop: AbortController
  promise: Promise<void>
  settle(error: LeuriaError | null): void
}

function createAttempt(): Attempt {
  let settle: Attempt['settle'] = () => undefined
  const promise = new Promise<void>((resolve, reject) => {
    settle = (error) => {
      if (error === null) resolve()
      else reject(error)
    }
  })
  // The state says the same: a page that only watches the state need not catch.
  promise.catch(() => undefined)
  return { stop: new AbortController(), promise, settle }
}

export class Connector {
  readonly #options: ConnectorOptions
  readonly #site: { app?: string; needs?: Needs }
  #attempt: Attempt | null = null

  constructor(options: ConnectorOptions) {
    this.#options = options
    const app = options.app?.trim().slice(0, MAX_APP_NAME_LENGTH)
    this.#site = { app: app === '' ? undefined : app, needs: parseNeeds(options.needs) }
  }

  /** True while the visitor is being asked. */
  get isAsking(): boolean {
    return this.#attempt !== null
  }

  /** Must be called in the visitor's click: everything up to the link happens before this returns. */
  connect(options: ConnectOptions): Promise<void> {
    const { page, connection } = this.#options
    const refusal = this.#refusal(options)
    const origin = parseOrigin(page.origin)
    if (refusal !== null || origin === null) return Promise.reject(refusal ?? badOrigin())
    this.stop(new AbortError('A newer attempt took over.', { code: 'superseded' }))
    const nonce = createNonce()
    this.#openLink(formatConnectLink({ origin, nonce, ...this.#site }), options.openLink ?? true)
    const attempt = createAttempt()
    this.#attempt = attempt
    connection.send('asked')
    this.#watch(attempt, options)
    void this.#run(attempt, nonce, options)
    return attempt.promise
  }

  /** Calls the running attempt off. */
  stop(error: LeuriaError): void {
    const attempt = this.#attempt
    this.#attempt = null
    attempt?.settle(error)
    attempt?.stop.abort(error)
  }

  #refusal({ signal }: ConnectOptions): LeuriaError | null {
    if (signal?.aborted === true) return new AbortError(undefined, { cause: signal.reason })
    if (this.#options.page.runsLeuria) return null
    return new LeuriaNotRunningError('Leuria runs on computers, not on phones and tablets.', {
      code: 'unsupported_device',
    })
  }

  #openLink(link: string, how: boolean | ((link: string) => void)): void {
    if (how === false) return
    callSafely(() => {
      if (typeof how === 'function') how(link)
      else this.#options.page.openLink(link)
    })
  }

  /** The ways an attempt ends from outside: the caller's signal, a token from another tab. */
  #watch(attempt: Attempt, { signal }: ConnectOptions): void {
    const onAbort = (): void => {
      this.#end(attempt, 'cancelled', new AbortError(undefined, { cause: signal?.reason }))
    }
    signal?.addEventListener('abort', onAbort)
    const undo = this.#options.tokens.subscribe(({ token, elsewhere }) => {
      if (token !== null && elsewhere) this.#end(attempt, 'found', null)
    })
    attempt.stop.signal.addEventListener('abort', () => {
      signal?.removeEventListener('abort', onAbort)
      undo()
    })
  }

  async #run(attempt: Attempt, nonce: string, options: ConnectOptions): Promise<void> {
    const { http, clock, tokens, connection } = this.#options
    try {
      const token = await claimGrant({
        http,
        clock,
        body: { nonce, ...this.#site },
        signal: attempt.stop.signal,
        timeoutMs: options.timeoutMs ?? PAIRING_TTL_MS,
        reachMs: options.reachMs ?? REACH_LIMIT_MS,
        onUnreached: () => {
          this.#reportUnreached(attempt, options)
        },
        onReached: () => {
          connection.send('reached')
        },
      })
      if (this.#attempt !== attempt) return
      tokens.set(token)
      this.#end(attempt, 'allowed', null)
    } catch (error) {
      const cause = error instanceof LeuriaError ? error : new LeuriaError('Connecting failed.', { cause: error })
      this.#end(attempt, cause.code?.startsWith('declined') === true ? 'denied' : 'gave_up', cause)
    }
  }

  #reportUnreached(attempt: Attempt, { onUnreached }: ConnectOptions): void {
    const error = new LeuriaNotRunningError()
    this.#options.connection.send('unreached', { error })
    if (onUnreached === undefined) attempt.settle(error)
    else callSafely(onUnreached)
  }

  #end(attempt: Attempt, event: ConnectionEvent, error: LeuriaError | null): void {
    if (this.#attempt !== attempt) return
    this.#attempt = null
    const { connection, tokens } = this.#options
    connection.send(event, error === null || event === 'cancelled' ? {} : { error })
    if (error !== null && tokens.get() !== null) connection.send('kept', { error })
    attempt.settle(error)
    attempt.stop.abort()
  }
}

function badOrigin(): LeuriaError {
  return new LeuriaNotConnectedError('Only pages from a web address can be connected.', { code: 'bad_origin' })
}
