/**
 * A page's way to the visitor's AI: connect once, then sessions. Joins the connection, the token, the pairing and the
 * sessions; sends nothing at all while there is no token, until the visitor acts.
 */
import { type Clock, systemClock } from '@leuria/clock'
import { DEFAULT_URL, type EmbedKind, type EmbedReply, formatSiteLink } from '@leuria/protocol/browser'
import { AbortError, LeuriaNotRunningError, notConnected, toLeuriaError } from '../errors.js'
import { loadLater } from '../load-later.js'
import type { BridgeSession } from './bridge-session.js'
import { callSafely } from './callbacks.js'
import { type ConnectionState, createConnection } from './connection-state.js'
import { type ConnectOptions, type Connector, createConnector, type SiteNeeds } from './connector.js'
import type { DetectParts, DetectResult } from './detect.js'
import type { createHttp, EngineHttp, Fetch } from './engine-http.js'
import type { SocketClass } from './engine-socket.js'
import { parseEngineUrl, socketUrl } from './engine-url.js'
import { currentPage, type PageHost } from './page-host.js'
import type { StartSessionOptions, StartSessionParts } from './start-session.js'
import type { TokenStorage } from './token-storage.js'
import { createTokenStore } from './token-store.js'

export interface BridgeClientOptions {
  /** The engine's base URL: 127.0.0.1 or localhost. @default 'http://127.0.0.1:19570' */
  url?: string
  /** The site's name, shown to the visitor; 80 characters at most. */
  app?: string
  needs?: SiteNeeds
  /** Where the token is kept. @default localStorage, memory where that is blocked */
  storage?: TokenStorage
  /** Closes the page's sessions when it is left. @default true */
  closeOnUnload?: boolean
  /** @default the browser's */
  fetch?: Fetch
  /** @default the browser's */
  WebSocket?: SocketClass
  /** @default the real one */
  clock?: Clock
  /** @default the page this runs in */
  page?: PageHost
}

export interface EmbedOptions {
  /** What the texts are: some models embed queries differently. @default 'document' */
  kind?: EmbedKind
  signal?: AbortSignal
}

/** What is there from the start; the rest is loaded when the engine may be asked. */
type Parts = Omit<StartSessionParts & DetectParts, 'http'>

export class BridgeClient {
  readonly #parts: Parts
  readonly #connector: Connector
  readonly #makeHttp: (create: typeof createHttp) => EngineHttp
  readonly #leave: (() => void)[]
  #http?: EngineHttp

  /** Sends nothing. @throws LeuriaError `bad_url` */
  constructor(options: BridgeClientOptions = {}) {
    const { clock = systemClock, page = currentPage(), closeOnUnload = true } = options
    const url = parseEngineUrl(options.url ?? DEFAULT_URL)
    const tokens = createTokenStore({ ...options, url, page, clock })
    const connection = createConnection(tokens.get() !== null)
    this.#parts = { ...options, clock, page, tokens, connection, socketUrl: socketUrl(url), sessions: new Set() }
    this.#makeHttp = (create) =>
      create({
        url,
        // Looked up at each call, so that what a page puts in its place later is used.
        fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
        clock,
        token: () => tokens.get(),
        onRefused: (token) => {
          tokens.forget(token)
        },
      })
    this.#connector = createConnector({
      ...options,
      page,
      tokens,
      connection,
      attempt: async (options) => {
        const { attempt, parts } = await this.#load()
        attempt(parts, options)
      },
    })
    this.#leave = [
      tokens.subscribe((token) => {
        this.#onToken(token)
      }),
      page.subscribe((signal) => {
        if (signal === 'hide' && closeOnUnload) this.#closeSessions()
      }),
    ]
  }

  /** The snapshot; a new object only when something changed. */
  getState(): ConnectionState {
    return this.#parts.connection.state
  }

  /** Returns its undo. */
  subscribe(listener: (state: ConnectionState) => void): () => void {
    return this.#parts.connection.subscribe(listener)
  }

  /**
   * Asks the engine how this site stands. Without a token nothing is sent.
   * @param timeoutMs how long no answer counts as "not running" @default 1_500
   */
  async detect(timeoutMs?: number): Promise<DetectResult> {
    if (this.#parts.tokens.get() === null) return { status: 'unpaired' }
    try {
      const { detect, parts } = await this.#load()
      return await detect(parts, timeoutMs)
    } catch (error) {
      this.#parts.connection.send('unreachable', { error: toLeuriaError(error) })
      return { status: 'offline' }
    }
  }

  /**
   * Asks the visitor to connect this site. Call it directly in a click handler: the `leuria:` link is opened before this
   * returns. A new call takes over from an earlier one.
   * @throws LeuriaNotConnectedError `declined`, `declined_recently`, `expired`, `bad_origin`; LeuriaNotRunningError; AbortError
   */
  connect(options: ConnectOptions = {}): Promise<void> {
    return this.#connector.connect(options)
  }

  /** Opens this site's settings in the Leuria app. Call it directly in a click handler. */
  manage(): void {
    callSafely(() => {
      this.#parts.page.openLink(formatSiteLink(this.#parts.page.origin))
    })
  }

  /** Disconnects this site in all its tabs: its sessions are closed, its token is dropped. The grant stays the visitor's to remove. */
  forget(): void {
    this.#connector.stop(new AbortError())
    this.#closeSessions()
    this.#parts.tokens.forget()
    this.#parts.connection.send('cancelled')
    this.#parts.connection.send('forgotten')
  }

  /**
   * Turns texts into vectors with a local model of the visitor's, in their order, in as many requests as it takes.
   * @throws LeuriaError 503 `no_embedder`, `model_changed`; LeuriaNotConnectedError; LeuriaNotRunningError; AbortError
   */
  async embed(texts: readonly string[], options: EmbedOptions = {}): Promise<EmbedReply> {
    this.#requireToken()
    const { embed, parts } = await this.#load()
    return embed(parts.http, texts, options)
  }

  /** Starts an AI for this page; resolves once it has been started. @throws as `startSession` says, LeuriaNotConnectedError */
  async startSession(options: StartSessionOptions = {}): Promise<BridgeSession> {
    this.#requireToken()
    try {
      const { startSession, parts } = await this.#load()
      return await startSession(parts, options)
    } catch (error) {
      if (error instanceof LeuriaNotRunningError) this.#parts.connection.send('unreachable', { error })
      throw error
    }
  }

  /** Ends everything: sessions, attempts, listeners. The token stays. */
  destroy(): void {
    this.#connector.stop(new AbortError())
    this.#closeSessions()
    for (const leave of this.#leave) leave()
    this.#parts.tokens.close()
  }

  async #load() {
    const later = await loadLater()
    this.#http ??= this.#makeHttp(later.createHttp)
    return { ...later, parts: { ...this.#parts, http: this.#http } }
  }

  #requireToken(): void {
    if (this.#parts.tokens.get() === null) throw notConnected()
  }

  #closeSessions(): void {
    for (const session of [...this.#parts.sessions]) session.close().catch(() => undefined)
  }

  #onToken(token: string | null): void {
    if (token !== null) {
      this.#parts.connection.send('found')
      return
    }
    this.#parts.connection.send('forgotten')
    for (const session of [...this.#parts.sessions]) session.fail(notConnected())
  }
}
