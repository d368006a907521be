/**
 * One running AI for this page: what the page does with it, and its end. Joins the feed (what comes from the engine) and
 * the tool channel; neither knows of the other.
 */
import type { Clock } from '@leuria/clock'
import type { Attachment } from '@leuria/protocol/browser'
import { LeuriaError } from '../errors.js'
import type { EngineHttp, RequestOptions } from './engine-http.js'
import type { SocketClass } from './engine-socket.js'
import {
  type BridgeEvent,
  BridgeSession,
  type PromptOptions,
  type SessionLink,
  type SessionOutcome,
} from './bridge-session.js'
import { EventOutbox } from './event-outbox.js'
import { isGone } from './event-stream.js'
import { orAbort } from './or-abort.js'
import type { PageTool } from './page-tool.js'
import type { EngineEvent } from './read-event.js'
import type { LinkCallbacks } from './reconnector.js'
import { createSessionFeed, type SessionFeed } from './session-feed.js'
import type { SessionPhase } from './session-state.js'
import { createToolChannel, type ToolChannel } from './tool-channel.js'
import type { Wake } from './wake-watch.js'

/** Made by `startSession`. */
export interface SessionParts {
  id: string
  registrationToken: string
  prompted: boolean
  tools: readonly PageTool[]
  http: EngineHttp
  clock: Clock
  WebSocket: SocketClass
  socketUrl: string
  onEnd: () => void
}

/** How long a closing request may take; nobody waits for it. */
const CLOSE_LIMIT_MS = 5_000
/** A prompt may carry 16 MB. */
const PROMPT_LIMIT_MS = 60_000

export class EngineSession extends BridgeSession {
  readonly id: string
  readonly #parts: SessionParts
  readonly #feed: SessionFeed
  readonly #channel: ToolChannel | null
  readonly #outbox = new EventOutbox<BridgeEvent>()
  readonly #startWaiters = new Set<() => void>()
  #outcome: SessionOutcome | null = null
  #error: LeuriaError | null = null
  #promptOnItsWay: Promise<unknown> | null = null
  #cancelAtStart = false

  /** @internal Use `BridgeClient.startSession`. */
  constructor(parts: SessionParts) {
    super()
    this.id = parts.id
    this.#parts = parts
    this.#feed = createSessionFeed({
      ...parts,
      ...this.#linkCallbacks('stream'),
      path: `/session/${parts.id}`,
      settled: async () => this.#promptOnItsWay?.catch(noop),
      onEvent: (event) => {
        this.#onEvent(event)
      },
    })
    const findGone = (): Promise<LeuriaError | null> => this.#feed.findGone()
    const isNeeded = parts.tools.length > 0
    this.#channel = isNeeded ? createToolChannel({ ...parts, ...this.#linkCallbacks('channel'), findGone }) : null
  }

  /** `starting` until the AI is up, then `idle` and `running` in turns, then `ended` for good. */
  get status(): SessionPhase {
    return this.#feed.ledger.phase
  }

  /** The text of the turn under way, or of the last one. */
  get text(): string {
    return this.#feed.ledger.text
  }

  /** How it ended; `null` while it lives. */
  get outcome(): SessionOutcome | null {
    return this.#outcome
  }

  /** Why it failed. */
  get error(): LeuriaError | null {
    return this.#error
  }

  /** Hears everything from the session's beginning, if it is the first listener. Returns its undo. */
  onEvent(listener: (event: BridgeEvent) => void): () => void {
    return this.#outbox.add(listener)
  }

  /**
   * Asks the AI; resolves when the engine has taken the prompt, the answer comes as events. Waits while the AI is starting.
   * @throws LeuriaError `busy` during a turn, `ended` after the end; AbortError; what the engine answers
   */
  async prompt(prompt: string, { attachments, signal }: PromptOptions = {}): Promise<void> {
    await this.#untilStarted(signal)
    // An engine's greeting to a new stream must not cross a prompt.
    await orAbort(this.#feed.settled(), signal)
    if (this.status === 'ended') throw this.#error ?? new LeuriaError('This conversation is over.', { code: 'ended' })
    if (this.status !== 'idle') throw new LeuriaError('The AI is still answering.', { code: 'busy' })
    await orAbort(this.#sendPrompt({ prompt, attachments }), signal, () => {
      this.cancelTurn().catch(noop)
    })
  }

  /** Stops the turn under way and keeps the session. Nothing to stop: nothing happens. */
  async cancelTurn(): Promise<void> {
    await this.#promptOnItsWay?.catch(noop)
    if (!this.#feed.ledger.turnOpen) return
    // Engines in use forget a cancel that comes while the AI is starting; it is said again once the turn begins.
    this.#cancelAtStart = this.status === 'starting'
    await this.#post('cancel-turn')
  }

  /** Ends the session as `cancelled`. Resolves when the engine knows, or can't be reached. */
  cancel(): Promise<void> {
    return this.#finish('cancel', 'cancelled')
  }

  /** Ends the session as `completed`. The request outlives the page. Resolves when the engine knows, or can't be reached. */
  close(): Promise<void> {
    return this.#finish('close', 'completed')
  }

  /** @internal Connects the tools and opens the stream; both stand when this resolves. */
  async connect(): Promise<void> {
    await Promise.all([this.#channel?.open(), this.#feed.open()])
  }

  /** @internal Starts the AI. */
  async approve(): Promise<void> {
    await this.#post('approve')
  }

  /** @internal The page was away, or may have been. */
  wake(wake: Wake): void {
    this.#feed.wake(wake)
    this.#channel?.probe()
  }

  /** @internal The session can't go on. */
  fail(error: LeuriaError): void {
    if (this.status === 'ended') return
    this.#error = error
    this.#end({ event: 'failed', data: error.detail ?? error.message })
  }

  /** What both connections tell. */
  #linkCallbacks(link: SessionLink): LinkCallbacks {
    return {
      onDrop: (failures) => {
        this.#outbox.emit({ event: 'reconnecting', data: { link, attempt: failures + 1 } })
      },
      onReopen: () => {
        this.#outbox.emit({ event: 'reconnected', data: { link } })
      },
      onGone: (error) => {
        this.#giveUp(error)
      },
    }
  }

  #onEvent(event: EngineEvent): void {
    if (event.event === 'failed') this.#error = sessionFailed(event.data)
    if (event.event === 'completed' || event.event === 'cancelled' || event.event === 'failed') {
      this.#end(event)
      return
    }
    if (event.event === 'turn_start' && this.#cancelAtStart) this.cancelTurn().catch(noop)
    if (event.event === 'turn_completed') this.#cancelAtStart = false
    this.#started()
    this.#outbox.emit(event)
  }

  /** Wakes the prompts that wait for the AI, once it is up. */
  #started(): void {
    if (this.status === 'starting') return
    for (const resolve of this.#startWaiters) resolve()
    this.#startWaiters.clear()
  }

  /** Frees everything, then tells the page: the last thing it hears. */
  #end(event: EngineEvent & { event: SessionOutcome }): void {
    this.#outcome = event.event
    this.#feed.end()
    this.#channel?.close()
    this.#parts.onEnd()
    this.#started()
    this.#outbox.emit(event)
  }

  #finish(action: 'close' | 'cancel', outcome: 'completed' | 'cancelled'): Promise<void> {
    if (this.status === 'ended') return Promise.resolve()
    // The request leaves first: while the page is being left nothing asynchronous would.
    const posted = this.#request(action, { keepalive: true, timeoutMs: CLOSE_LIMIT_MS })
    this.#end({ event: outcome, data: null })
    return posted.then(noop, noop)
  }

  /** Lost, or gone: the engine is told where it can still hear, so that the session doesn't count any more. */
  #giveUp(error: LeuriaError): void {
    if (!isGone(error)) this.#request('close', { timeoutMs: CLOSE_LIMIT_MS }).catch(noop)
    this.fail(error)
  }

  #request(action: string, options: RequestOptions = {}): Promise<unknown> {
    return this.#parts.http.request(`/session/${this.id}/${action}`, { body: {}, ...options })
  }

  async #post(action: string, options: RequestOptions = {}): Promise<void> {
    try {
      await this.#request(action, options)
    } catch (error) {
      if (error instanceof LeuriaError && (error.status === 404 || error.code === 'not_paired')) this.fail(error)
      throw error
    }
  }

  async #sendPrompt(body: { prompt: string; attachments?: readonly Attachment[] }): Promise<void> {
    this.#feed.prompted()
    const posted = this.#post('prompt', { body, timeoutMs: PROMPT_LIMIT_MS })
    this.#promptOnItsWay = posted
    try {
      await posted
    } catch (error) {
      this.#feed.ledger.refused()
      throw error
    } finally {
      this.#promptOnItsWay = null
    }
  }

  async #untilStarted(signal: AbortSignal | undefined): Promise<void> {
    if (this.status !== 'starting') return
    await orAbort(new Promise<void>((resolve) => this.#startWaiters.add(resolve)), signal)
  }
}

function sessionFailed(detail: string): LeuriaError {
  return new LeuriaError('The AI stopped because of an error.', { code: 'session_failed', detail, cause: detail })
}

function noop(): void {
  // Nothing more to do.
}
