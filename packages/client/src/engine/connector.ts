/**
 * One attempt at a time to get this site connected: the link in the visitor's click, the claim behind it, and the token,
 * whichever tab gets it. Moves the connection's state; the claim's rules are in `pairing`.
 */
import type { Clock } from '@leuria/clock'
import {
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
  stopped,
  toLeuriaError,
} from '../errors.js'
import { callSafely } from './callbacks.js'
import type { Connection, ConnectionEvent } from './connection-state.js'
import type { EngineHttp } from './engine-http.js'
import type { PageHost } from './page-host.js'
import { claimGrant, REACH_LIMIT_MS, refused } from './pairing.js'
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

/** One attempt at a time. */
export interface Connector {
  /** Must be called in the visitor's click: everything up to the link happens before this returns. */
  connect(options: ConnectOptions): Promise<void>
  /** Calls the running attempt off; the state is the caller's to move. */
  stop(error: LeuriaError): void
}

export function createConnector({ page, clock, http, tokens, connection, ...site }: ConnectorOptions): Connector {
  const app = site.app?.trim().slice(0, MAX_APP_NAME_LENGTH) || undefined
  const needs = needsOf(site.needs)
  /** Ends the running attempt, if there is one, without a word to the state. */
  let stop: (error: LeuriaError) => void = () => undefined

  /** Claims until the attempt is over, whichever way: `settle` is told once, `over` then aborts. */
  const start = (nonce: string, options: ConnectOptions, settle: (error?: LeuriaError) => void): void => {
    const { signal, onUnreached, timeoutMs = PAIRING_TTL_MS, reachMs = REACH_LIMIT_MS } = options
    const over = new AbortController()
    const end = (event?: ConnectionEvent, error?: LeuriaError): void => {
      if (over.signal.aborted) return
      over.abort()
      undo()
      signal?.removeEventListener('abort', onAbort)
      if (event) {
        connection.send(event, event === 'cancelled' ? {} : { error })
        if (error && tokens.get() !== null) connection.send('kept', { error })
      }
      settle(error)
    }
    const onAbort = (): void => {
      if (signal) end('cancelled', stopped(signal))
    }
    const undo = tokens.subscribe(({ token, elsewhere }) => {
      if (token !== null && elsewhere) end('found')
    })
    signal?.addEventListener('abort', onAbort)
    stop = (error) => {
      end(undefined, error)
    }
    const isCool = tokens.isCool()
    claimGrant({
      http,
      clock,
      body: { nonce, app, needs },
      signal: over.signal,
      timeoutMs,
      reachMs: isCool ? COOL_REACH_MS : reachMs,
      onUnreached: () => {
        // The desktop app refuses the link for a while after a no, and is silent: it isn't gone.
        if (isCool) throw refused('declined_recently')
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
        tokens.set(token)
        end('allowed')
      },
      (cause: unknown) => {
        const error = toLeuriaError(cause)
        if (error.code === 'declined') tokens.declined()
        end(error.code?.startsWith('declined') ? 'denied' : 'gave_up', error)
      },
    )
  }

  return {
    connect: (options) => {
      const { signal, openLink = true } = options
      const origin = parseOrigin(page.origin)
      if (signal?.aborted) return Promise.reject(stopped(signal))
      if (!page.runsLeuria) return Promise.reject(noComputer())
      if (origin === null) return Promise.reject(badOrigin())
      stop(new AbortError('A newer attempt took over.', { code: 'superseded' }))
      const nonce = createNonce()
      const link = formatConnectLink({ origin, nonce, app, needs })
      callSafely(() => {
        if (openLink === true) page.openLink(link)
        else if (openLink) openLink(link)
      })
      connection.send('asked')
      const promise = new Promise<void>((resolve, reject) => {
        start(nonce, options, (error) => {
          if (error) reject(error)
          else resolve()
        })
      })
      // The state says the same: a page that only watches the state need not catch.
      promise.catch(() => undefined)
      return promise
    },
    stop: (error) => {
      stop(error)
    },
  }
}

function noComputer(): LeuriaError {
  const words = 'Leuria runs on computers, not on phones and tablets.'
  return new LeuriaNotRunningError(words, { code: 'unsupported_device' })
}

function badOrigin(): LeuriaError {
  return new LeuriaNotConnectedError('Only pages from a web address can be connected.', { code: 'bad_origin' })
}
