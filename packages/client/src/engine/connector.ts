/**
 * One attempt at a time to get this site connected: the link in the visitor's click, the claim behind it, and the token,
 * whichever tab gets it. Moves the connection's state; the claim's rules are in `pairing`.
 */
import type { Clock } from '@leuria/clock'
import {
  DENIAL_COOLDOWN_MS,
  type Effort,
  formatConnectLink,
  MAX_APP_NAME_LENGTH,
  type Needs,
  PAIRING_TTL_MS,
  parseOrigin,
} from '@leuria/protocol/browser'
import {
  AbortError,
  type LeuriaError,
  LeuriaNotConnectedError,
  LeuriaNotRunningError,
  toLeuriaError,
} from '../errors.js'
import { callSafely } from './callbacks.js'
import type { Connection, ConnectionEvent } from './connection-state.js'
import type { EngineHttp } from './engine-http.js'
import type { PageHost } from './page-host.js'
import { claimGrant, declinedRecently, REACH_LIMIT_MS } from './pairing.js'
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

/** What the site wants of an AI: guidance for the visitor's choice, never a permission. */
export interface SiteNeeds {
  tools?: boolean
  images?: boolean
  effort?: Effort
  /** Tokens of context. */
  context?: number
}

export interface ConnectorOptions {
  app?: string
  needs?: SiteNeeds
  clock: Clock
  page: PageHost
  http: EngineHttp
  tokens: TokenStore
  connection: Connection
}

/** Random bytes of a nonce: the page asks for 16 to 96. A multiple of three has no padding in base64. */
const NONCE_BYTES = 24

/** Silence that long after a recent no says enough: the app was there a moment ago. */
const COOL_REACH_MS = 3_000

function createNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}

/** As the wire has them: a flag is there or isn't. What is odd the engine drops. */
function needsOf({ tools, images, effort, context }: SiteNeeds = {}): Needs | undefined {
  const needs: Needs = { tools: tools ? true : undefined, images: images ? true : undefined, effort, context }
  return JSON.stringify(needs) === '{}' ? undefined : needs
}

export class Connector {
  readonly #options: ConnectorOptions
  readonly #site: { app?: string; needs?: Needs }
  /** Ends the running attempt, if there is one, without a word to the state. */
  #stopAttempt: (error: LeuriaError) => void = () => undefined
  /** Until when the visitor isn't asked again, after a no to this page. */
  #coolUntil = 0

  constructor(options: ConnectorOptions) {
    this.#options = options
    const app = options.app?.trim().slice(0, MAX_APP_NAME_LENGTH)
    this.#site = { app: app === '' ? undefined : app, needs: needsOf(options.needs) }
  }

  /** Must be called in the visitor's click: everything up to the link happens before this returns. */
  connect(options: ConnectOptions): Promise<void> {
    const { page, connection } = this.#options
    const origin = parseOrigin(page.origin)
    const refusal = this.#refusal(options)
    if (refusal !== null || origin === null) return Promise.reject(refusal ?? badOrigin())
    this.stop(new AbortError('A newer attempt took over.', { code: 'superseded' }))
    const nonce = createNonce()
    this.#openLink(formatConnectLink({ origin, nonce, ...this.#site }), options)
    connection.send('asked')
    const promise = new Promise<void>((resolve, reject) => {
      this.#start(nonce, options, (error) => {
        if (error === null) resolve()
        else reject(error)
      })
    })
    // The state says the same: a page that only watches the state need not catch.
    promise.catch(() => undefined)
    return promise
  }

  /** Calls the running attempt off; the state is the caller's to move. */
  stop(error: LeuriaError): void {
    this.#stopAttempt(error)
  }

  #refusal({ signal }: ConnectOptions): LeuriaError | null {
    if (signal?.aborted === true) return new AbortError(undefined, { cause: signal.reason })
    if (this.#options.page.runsLeuria) return null
    return new LeuriaNotRunningError('Leuria runs on computers, not on phones and tablets.', {
      code: 'unsupported_device',
    })
  }

  #openLink(link: string, { openLink = true }: ConnectOptions): void {
    if (openLink === false) return
    callSafely(() => {
      if (openLink === true) this.#options.page.openLink(link)
      else openLink(link)
    })
  }

  /** Claims until the attempt is over, whichever way: `settle` is told once, `over` then aborts. */
  #start(nonce: string, options: ConnectOptions, settle: (error: LeuriaError | null) => void): void {
    const { tokens, connection } = this.#options
    const { signal } = options
    const over = new AbortController()
    this.#stopAttempt = (error) => {
      over.abort()
      settle(error)
    }
    const end = (event: ConnectionEvent, error: LeuriaError | null): void => {
      if (over.signal.aborted) return
      over.abort()
      connection.send(event, error === null || event === 'cancelled' ? {} : { error })
      if (error !== null && tokens.get() !== null) connection.send('kept', { error })
      settle(error)
    }
    signal?.addEventListener(
      'abort',
      () => {
        end('cancelled', new AbortError(undefined, { cause: signal.reason }))
      },
      { signal: over.signal },
    )
    const undo = tokens.subscribe(({ token, elsewhere }) => {
      if (token !== null && elsewhere) end('found', null)
    })
    over.signal.addEventListener('abort', undo)
    const reportUnreached = (error: LeuriaError): void => {
      if (options.onUnreached === undefined) settle(error)
      else callSafely(options.onUnreached)
    }
    this.#claim(nonce, options, { over: over.signal, reportUnreached }).then(
      (token) => {
        if (over.signal.aborted) return
        tokens.set(token)
        end('allowed', null)
      },
      (error: unknown) => {
        const cause = toLeuriaError(error)
        if (cause.code === 'declined') this.#coolUntil = this.#options.clock.now() + DENIAL_COOLDOWN_MS
        end(cause.code?.startsWith('declined') === true ? 'denied' : 'gave_up', cause)
      },
    )
  }

  #claim(
    nonce: string,
    { timeoutMs = PAIRING_TTL_MS, reachMs = REACH_LIMIT_MS }: ConnectOptions,
    { over, reportUnreached }: { over: AbortSignal; reportUnreached: (error: LeuriaError) => void },
  ): Promise<string> {
    const { connection, clock } = this.#options
    const isCool = clock.now() < this.#coolUntil
    return claimGrant({
      ...this.#options,
      body: { nonce, ...this.#site },
      signal: over,
      timeoutMs,
      reachMs: isCool ? COOL_REACH_MS : reachMs,
      onUnreached: () => {
        // The desktop app refuses the link for a while after a no, and is silent: it isn't gone.
        if (isCool) throw declinedRecently()
        const error = new LeuriaNotRunningError()
        connection.send('unreached', { error })
        reportUnreached(error)
      },
      onReached: () => {
        connection.send('reached')
      },
    })
  }
}

function badOrigin(): LeuriaError {
  return new LeuriaNotConnectedError('Only pages from a web address can be connected.', { code: 'bad_origin' })
}
