/**
 * The visitor's click: checks what must be checked, and opens the link before anything else. What follows it is `attempt`'s,
 * one at a time.
 */
import { type Effort, formatConnectLink, MAX_APP_NAME_LENGTH, type Needs, parseOrigin } from '@leuria/protocol/browser'
import {
  AbortError,
  type LeuriaError,
  LeuriaNotConnectedError,
  LeuriaNotRunningError,
  stopped,
  toLeuriaError,
} from '../errors.js'
import { callSafely } from './callbacks.js'
import type { AttemptOptions } from './attempt.js'
import type { Connection } from './connection-state.js'
import type { PageHost } from './page-host.js'
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
  page: PageHost
  tokens: TokenStore
  connection: Connection
  /** Asks until the visitor has answered, or `over` is aborted. Rejects only when it can't even begin. */
  attempt: (options: AttemptOptions) => Promise<void>
}

/** Random bytes of a nonce: the page asks for 16 to 96. A multiple of three has no padding in base64. */
const NONCE_BYTES = 24

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
  /** Calls the running attempt off, without a word to the state: that is the caller's to move. */
  stop(error: LeuriaError): void
}

export function createConnector({ page, tokens, connection, attempt, ...site }: ConnectorOptions): Connector {
  const app = site.app?.trim().slice(0, MAX_APP_NAME_LENGTH) || undefined
  const needs = needsOf(site.needs)
  let stop: (error: LeuriaError) => void = () => undefined

  return {
    connect: (options) => {
      const { signal, openLink = true } = options
      const origin = parseOrigin(page.origin)
      if (signal?.aborted) return Promise.reject(stopped(signal))
      if (!page.runsLeuria || origin === null) return Promise.reject(impossible(page))
      stop(new AbortError('A newer attempt took over.', { code: 'superseded' }))
      const nonce = createNonce()
      const link = formatConnectLink({ origin, nonce, app, needs })
      callSafely(() => {
        if (openLink === true) page.openLink(link)
        else if (openLink) openLink(link)
      })
      connection.send('asked')
      const over = new AbortController()
      const promise = new Promise<void>((resolve, reject) => {
        stop = (error) => {
          over.abort()
          reject(error)
        }
        const settle = (error?: LeuriaError): void => {
          if (error) reject(error)
          else resolve()
        }
        const begun = { ...options, body: { nonce, app, needs }, over, before: tokens.get(), settle }
        attempt(begun).catch((cause: unknown) => {
          const error = toLeuriaError(cause)
          connection.send('gave_up', { error })
          stop(error)
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

function impossible({ runsLeuria }: PageHost): LeuriaError {
  return runsLeuria
    ? new LeuriaNotConnectedError('Only pages from a web address can be connected.', { code: 'bad_origin' })
    : new LeuriaNotRunningError('Leuria runs on computers, not on phones and tablets.', { code: 'unsupported_device' })
}
