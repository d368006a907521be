/**
 * A page's AI: providers in order of preference, and for each request the first that can answer it. Owns where they stand
 * and the visitor's choice; the rules are `routing`'s, requests are the conversation's.
 */
import { type CancelTimer, type Clock, systemClock } from '@leuria/clock'
import type { ChatRun } from '../conversation/chat-run.js'
import type { ConversationOptions } from '../conversation/conversation-options.js'
import { Conversation } from '../conversation/conversation.js'
import type { RunEvent } from '../conversation/run-event.js'
import { Listeners } from '../engine/callbacks.js'
import { currentPage, noPage, type PageHost } from '../engine/page-host.js'
import { AbortError, LeuriaError } from '../errors.js'
import type { Embedding, EmbedRequest, Provider, ProviderInfo } from '../provider/provider.js'
import type { Middleware } from '../tool/tool.js'
import { type ChatRequest, startChat } from './chat.js'
import type { ConversationHost, ProviderNeeds, Routing } from './conversation-host.js'
import { infoOf, isReady, pickProvider, type RoutingRules } from './routing.js'
import { createStateMaker, type LeuriaState } from './state.js'

export interface LeuriaOptions {
  /** In order of preference; each id once. */
  providers: readonly Provider[]
  /** Looks where the providers stand: at once, whenever the page is looked at, and every `watchMs`. @default true */
  autoDetect?: boolean
  /** Only while the page is visible. @default 5_000 */
  watchMs?: number
  /** Around each tool call of every conversation, outermost first. */
  middleware?: readonly Middleware[]
  /** Closes all conversations when the page is left. @default true */
  closeOnUnload?: boolean
  /** `auto`: what comes after an AI that isn't ready answers without the visitor's choice. @default 'ask' */
  fallback?: 'ask' | 'auto'
  /** @default the real one */
  clock?: Clock
  /** @default the page this runs in */
  page?: PageHost
}

export interface EmbedTextsOptions extends Routing, Partial<EmbedRequest> {}

/** Texts as vectors, and who made them. */
export interface EmbedResult extends Embedding {
  readonly provider: ProviderInfo
}

/** What the visitor's click on "connect" has come to. */
export interface ConnectAttempt {
  /** Absent: it goes on. */
  readonly error?: LeuriaError
}

export class Leuria implements ConversationHost {
  readonly clock: Clock
  readonly middleware: readonly Middleware[]
  readonly #providers: readonly Provider[]
  readonly #fallback: 'ask' | 'auto'
  readonly #makeState = createStateMaker()
  readonly #changes = new Listeners<void>()
  readonly #events = new Listeners<RunEvent>()
  readonly #conversations = new Set<{ close(): Promise<void> | void }>()
  readonly #attempts = new Map<string, ConnectAttempt>()
  readonly #leave: (() => void)[]
  #cancelTimer: CancelTimer = () => undefined
  #chosen?: string
  #state: LeuriaState

  /** @throws LeuriaError `bad_request` when two providers share an id */
  constructor(options: LeuriaOptions) {
    const { providers, autoDetect = true, watchMs = 5_000, closeOnUnload = true, page = currentPage() } = options
    if (new Set(providers.map(({ id }) => id)).size < providers.length) {
      throw new LeuriaError('Two providers have the same id.', { code: 'bad_request' })
    }
    this.clock = options.clock ?? systemClock
    this.middleware = options.middleware ?? []
    this.#providers = providers
    this.#fallback = options.fallback ?? 'ask'
    this.#state = this.#makeState(this.#rules)
    this.#leave = providers.map((each) => each.subscribe(() => this.#update()))
    this.#leave.push(
      page.subscribe((signal) => {
        if (signal === 'hide' && closeOnUnload) void this.closeAll()
        if (autoDetect && /visible|focus|show/.test(signal)) void this.detect()
      }),
    )
    if (!autoDetect || page === noPage) return
    void this.detect()
    const watch = (): void => {
      this.#cancelTimer = this.clock.setTimer(watchMs, () => {
        if (page.isVisible) void this.detect()
        watch()
      })
    }
    watch()
  }

  /** One request; nothing of it is kept. @throws LeuriaError `bad_request` without a message of the visitor's */
  chat<Checked = unknown, Output = Checked>(request: ChatRequest<Checked, Output>): ChatRun<Output> {
    // Inside, answers are unknown values until they are checked; what is checked has the type that came in here.
    return startChat(this, request as ChatRequest) as ChatRun<Output>
  }

  /** A conversation: it keeps its history, its tools and one session with whoever answers. Close it when it is over. */
  conversation<Checked = unknown, Output = Checked>(
    options: ConversationOptions<Checked, Output> = {},
  ): Conversation<Output> {
    return new Conversation(this, options as ConversationOptions)
  }

  /** Texts → vectors, in order. @throws NoProviderError, and what the provider throws */
  async embed(texts: readonly string[], options: EmbedTextsOptions = {}): Promise<EmbedResult> {
    const { kind = 'document', signal } = options
    const provider = this.pick({ ...options, capabilities: ['embed'], hasSchema: false })
    if (provider.embed === undefined) throw unknownProvider(provider.id)
    return { ...(await provider.embed(texts, { kind, signal })), provider: infoOf(provider) }
  }

  /** The same object until something changed. */
  getState(): LeuriaState {
    return this.#state
  }

  /** Told after each change. Returns its undo. */
  subscribe(listener: () => void): () => void {
    return this.#changes.add(listener)
  }

  /** Hears every event of every run. Returns its undo. */
  on(listener: (event: RunEvent) => void): () => void {
    return this.#events.add(listener)
  }

  /** Looks where all providers stand. Never rejects. */
  async detect(): Promise<void> {
    await Promise.allSettled(this.#providers.map(async (each) => each.detect()))
  }

  /**
   * Connects (or downloads) what waits for the visitor. Call it directly in a click handler: what it has to open is
   * opened before it returns. The state tells the outcome too, so that the promise may be ignored.
   * @param id @default what would answer better than what answers now, else the first that isn't ready
   */
  connect(id?: string): Promise<void> {
    const { pending, embedPending, providers } = this.#state
    const wanted = id ?? (pending ?? embedPending ?? providers.find(({ canConnect }) => canConnect))?.id
    if (wanted === undefined) return Promise.resolve()
    const done = this.#connect(wanted)
    done.catch(() => undefined)
    return done
  }

  /** @param id @default the first provider that can be disconnected */
  async disconnect(id?: string): Promise<void> {
    const provider = this.#providers.find((each) => each.disconnect !== undefined && (id ?? each.id) === each.id)
    if (provider !== undefined) this.#attempts.delete(provider.id)
    else if (id !== undefined) throw unknownProvider(id)
    await provider?.disconnect?.()
    this.#changes.emit()
  }

  /**
   * Lets this provider answer although an AI that asks first isn't ready, for as long as the page lives. What has to be
   * downloaded first is: call it directly in a click handler. @throws LeuriaError `unknown_provider`
   */
  chooseInstead(id: string): void {
    const provider = this.provider(id)
    if (provider === undefined) throw unknownProvider(id)
    this.#chosen = id
    this.#update()
    if (provider.getState().action === 'download') void this.connect(id)
  }

  provider(id: string): Provider | undefined {
    return this.#providers.find((each) => each.id === id)
  }

  /** Closes every conversation; what was said stays in them. */
  async closeAll(): Promise<void> {
    await Promise.allSettled([...this.#conversations].map(async (each) => each.close()))
  }

  /** Ends everything. */
  destroy(): void {
    this.#cancelTimer()
    for (const leave of this.#leave) leave()
    void this.closeAll()
    for (const each of this.#providers) each.destroy?.()
  }

  /** @internal Where the visitor's last click on "connect" stands. `undefined`: none, or it succeeded. */
  attempt(id: string): ConnectAttempt | undefined {
    return this.#attempts.get(id)
  }

  /** @internal The first provider that is ready, able and allowed. @throws NoProviderError */
  pick(needs: ProviderNeeds): Provider {
    return pickProvider(this.#rules, needs)
  }

  /** @internal */
  emit(event: RunEvent): void {
    this.#events.emit(event)
  }

  /** @internal */
  register(conversation: { close(): Promise<void> | void }): () => void {
    this.#conversations.add(conversation)
    return () => {
      this.#conversations.delete(conversation)
    }
  }

  get #rules(): RoutingRules {
    return { providers: this.#providers, chosen: this.#chosen, fallback: this.#fallback }
  }

  #update(): void {
    const before = this.#state
    this.#state = this.#makeState(this.#rules)
    if (this.#state !== before) this.#changes.emit()
  }

  /** Only the newest attempt's outcome counts. */
  async #connect(id: string): Promise<void> {
    const provider = this.provider(id)
    if (provider?.connect === undefined) throw unknownProvider(id)
    const attempt: ConnectAttempt = {}
    const settle = (next?: ConnectAttempt): void => {
      if (this.#attempts.get(id) !== attempt) return
      if (next === undefined) this.#attempts.delete(id)
      else this.#attempts.set(id, next)
      this.#changes.emit()
    }
    this.#attempts.set(id, attempt)
    const connecting = provider.connect()
    this.#changes.emit()
    try {
      await connecting
      settle()
    } catch (error) {
      // Called off, or another tab was faster: there is nothing to tell.
      const isNews = !(error instanceof AbortError) && !isReady(provider)
      settle(isNews ? { error: error instanceof LeuriaError ? error : connectFailed(error) } : undefined)
      throw error
    }
  }
}

function unknownProvider(id: string): LeuriaError {
  return new LeuriaError('This AI is not available here.', { code: 'unknown_provider', detail: id, cause: id })
}

function connectFailed(cause: unknown): LeuriaError {
  return new LeuriaError('This AI could not be connected.', { code: 'connect_failed', cause })
}

/** A page's AI. Nothing is sent to the visitor's own AI before they have connected it. */
export function createLeuria(options: LeuriaOptions): Leuria {
  return new Leuria(options)
}
