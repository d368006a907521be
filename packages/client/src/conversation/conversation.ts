/**
 * A conversation: its history, the queue of its messages, the provider's session behind it, and what a page sees of all that.
 * Which provider answers is decided anew for each message; what goes on inside a turn is the turn's affair.
 */
import { withDeadline } from '@leuria/clock'
import type { ConversationHost } from '../cascade/conversation-host.js'
import { callSafely, Listeners } from '../engine/callbacks.js'
import { AbortError, LeuriaError } from '../errors.js'
import type { Message, MessageInput, TurnContextData } from '../message/message.js'
import { readParts, userMessage } from '../message/to-message.js'
import type { Provider, ProviderInfo, TurnContext } from '../provider/provider.js'
import type { Shape } from '../structured/shape.js'
import { failed } from '../tool/failed.js'
import type { ChatRun, RunResult } from './chat-run.js'
import { type ConversationOptions, type ConversationSetup, setUp } from './conversation-options.js'
import type { ConversationState } from './conversation-state.js'
import { MessageLog } from './message-log.js'
import type { EventBody, RunEvent } from './run-event.js'
import { SessionSlot } from './session-slot.js'
import { Turn, type TurnStage } from './turn.js'

export interface SendOptions {
  /** What the page knows and the AI should: for tools as `ctx.context`, and for the AI above the text, marked as data. */
  context?: TurnContextData
  /** In place of the conversation's, in milliseconds. It counts from when the turn begins. */
  timeoutMs?: number
  signal?: AbortSignal
}

/** What waits for its turn. */
interface Waiting {
  readonly turn: Turn
  readonly input: MessageInput
  readonly options: SendOptions
}

/** How long a session may take to settle after its turn was stopped, before it is given up. */
const SETTLE_LIMIT_MS = 10_000

/** `Output`: what a run's `object()` gives. */
export class Conversation<Output = unknown> {
  readonly #host: ConversationHost
  readonly #options: ConversationOptions
  readonly #setup: ConversationSetup
  readonly #log: MessageLog
  readonly #stage: TurnStage
  readonly #subscribers = new Listeners<void>()
  readonly #listeners = new Listeners<RunEvent>()
  /** Events on their way out. One that is caused by another waits until that one has reached everybody. */
  readonly #outbox: (() => void)[] = []
  #queue: Waiting[] = []
  #turn: Turn | null = null
  #slot: SessionSlot | null = null
  #shape: Shape | null = null
  #error: LeuriaError | null = null
  #provider: ProviderInfo | null = null
  #state: ConversationState | null = null
  #unregister: (() => void) | null = null

  /** @throws LeuriaError `bad_tools`, `bad_schema` */
  constructor(host: ConversationHost, options: ConversationOptions = {}) {
    this.#host = host
    this.#options = options
    this.#setup = setUp(host, options)
    this.#log = new MessageLog(options.messages)
    this.#stage = {
      clock: host.clock,
      log: this.#log,
      toolBox: this.#setup.toolBox,
      emit: (turn, event) => {
        this.#tell(turn, event)
      },
      onEnd: (turn, end) => {
        this.#onEnd(turn, end)
      },
    }
  }

  /** Sends a message; during a turn it waits for its own. What goes wrong is told by the run. */
  send(input: MessageInput, options: SendOptions = {}): ChatRun<Output> {
    const { context, signal } = options
    const turn = new Turn(this.#stage, context)
    const { run } = turn
    const abort = (): void => {
      run.abort()
    }
    const forget = (): void => signal?.removeEventListener('abort', abort)
    signal?.addEventListener('abort', abort)
    run.result().then(forget, forget)
    this.#queue.push({ turn, input, options })
    if (signal?.aborted) abort()
    else if (this.#turn) this.#changed()
    else this.#next()
    // What `object()` gives has passed the very schema that its type was read from.
    return run as ChatRun<Output>
  }

  /** Stops the turn under way and empties the queue; what has been written stays. */
  stop(): void {
    for (const { turn } of this.#queue) turn.run.abort()
    this.#turn?.run.abort()
  }

  /** Stops everything and begins anew with these messages. */
  reset(messages: readonly Message[] = []): void {
    void this.close()
    this.#log.set([...messages])
    this.#provider = null
    this.#error = null
    this.#changed()
  }

  /** Stops everything and frees the provider's session. The history stays: another message goes on with a new session. */
  async close(): Promise<void> {
    this.stop()
    await this.#drop(this.#slot)
  }

  /** Gets an AI ready before the first message. `false`: none is ready, or it didn't start. */
  async warm(): Promise<boolean> {
    let slot: SessionSlot | null = null
    try {
      await this.#loadShape()
      if (this.#isRunning()) return true
      slot = this.#use(this.#host.pick(this.#setup.needs()), this.#log.read())
      await slot.warm()
      return true
    } catch {
      if (!this.#isRunning()) void this.#drop(slot)
      return false
    }
  }

  /** Answers a call of `pendingInputs`. */
  submitToolResult(callId: string, value: unknown): void {
    this.#turn?.calls?.answer(callId, { ok: true, result: value })
  }

  /** Turns a call of `pendingInputs` down; the AI hears why. */
  rejectToolCall(callId: string, error = 'The visitor declined.'): void {
    this.#turn?.calls?.answer(callId, failed(error))
  }

  /** Hears the events of all its runs. Returns its undo. */
  on(listener: (event: RunEvent) => void): () => void {
    return this.#listeners.add(listener)
  }

  /** The same object until something changed. Messages are put together when they are read. */
  getState(): ConversationState {
    const { read, waiting } = this.#log
    return (this.#state ??= {
      get messages() {
        return read()
      },
      status: this.#isRunning() ? 'running' : this.#error ? 'error' : 'idle',
      error: this.#error,
      provider: this.#provider,
      session: this.#slot ? (this.#slot.session ? 'ready' : 'starting') : 'none',
      queued: this.#queue.length,
      pendingInputs: waiting,
    })
  }

  /** Called after each change. Returns its undo. */
  subscribe(listener: () => void): () => void {
    return this.#subscribers.add(listener)
  }

  /** The next message's turn, if none is under way. */
  #next(): void {
    const waiting = this.#turn ? undefined : this.#queue.shift()
    if (!waiting) return
    const { turn, options } = waiting
    const { timeoutMs = this.#options.timeoutMs } = options
    this.#turn = turn
    this.#error = null
    if (timeoutMs !== undefined) turn.limit(timeoutMs)
    this.#changed()
    this.#answer(waiting).catch((error: unknown) => {
      turn.fail(error)
    })
  }

  /** Has a message answered. Where nothing has to be loaded or read first, a provider is chosen at once. */
  async #answer({ turn, input, options }: Waiting): Promise<void> {
    const reading = readParts(input)
    const parts = reading instanceof Promise ? await reading : reading
    if (this.#setup.loadShape) await this.#loadShape()
    if (turn.isOver()) return
    const history = this.#log.read()
    const message = userMessage(parts, options.context)
    this.#log.add(message)
    this.#changed()
    while (!(await this.#talk(turn, message, history)));
  }

  /** `false`: the session turned out to be over before anything came of it; another one is worth a try. */
  async #talk(turn: Turn, message: Message, history: readonly Message[]): Promise<boolean> {
    if (this.#slot?.busy) await this.#settled(this.#slot, this.#slot.busy)
    if (turn.isOver()) return true
    const slot = this.#use(this.#host.pick(this.#setup.needs(message)), history)
    const wasOpen = slot.session !== null
    turn.begin(slot.info)
    await slot.opening
    if (turn.isOver()) return true
    turn.slot = slot
    try {
      await turn.talk(this.#setup.forAi(message), this.#shape?.review(slot.isNative), (request, context) =>
        this.#ask(slot, request, context),
      )
    } catch (error) {
      if (!wasOpen || !slot.isOver || !this.#log.isEmpty) throw error
      return false
    }
    return true
  }

  /** One exchange. A session that fails is given up. */
  async #ask(slot: SessionSlot, message: Message, context: TurnContext): Promise<{ text: string }> {
    try {
      return await slot.send((session) => session.send(message, context))
    } catch (error) {
      void this.#drop(slot)
      throw error
    }
  }

  #isRunning(): boolean {
    return this.#turn !== null
  }

  /** A session works on a turn that was stopped. One that doesn't settle is given up. */
  async #settled(slot: SessionSlot, busy: Promise<unknown>): Promise<void> {
    try {
      await withDeadline(this.#host.clock, SETTLE_LIMIT_MS, busy)
    } catch {
      void this.#drop(slot)
    }
  }

  async #loadShape(): Promise<void> {
    this.#shape ??= (await this.#setup.loadShape?.()) ?? null
  }

  /** The session that goes on from this history with this provider: the one at hand, or a new one. */
  #use(provider: Provider, history: readonly Message[]): SessionSlot {
    if (this.#slot?.fits(provider, history)) return this.#slot
    void this.#drop(this.#slot)
    const isNative = provider.getState().capabilities.includes('structured')
    const options = this.#setup.sessionOptions(history, this.#shape, isNative)
    const slot = (this.#slot = new SessionSlot(provider, options, this.#host.clock))
    if (this.#provider?.id !== provider.id) this.#provider = slot.info
    this.#changed()
    slot.opening.then(
      () => {
        if (this.#slot === slot) this.#changed()
      },
      () => {
        void this.#drop(slot)
      },
    )
    return slot
  }

  async #drop(slot: SessionSlot | null): Promise<void> {
    const closing = slot?.close()
    if (slot && this.#slot === slot) {
      this.#slot = null
      this.#changed()
    }
    await closing
  }

  #onEnd(turn: Turn, end: RunResult | LeuriaError): void {
    const error = end instanceof LeuriaError ? end : null
    if (this.#turn === turn) {
      this.#turn = null
      this.#error = error instanceof AbortError ? null : error
      this.#heard(turn)
    } else this.#queue = this.#queue.filter((waiting) => waiting.turn !== turn)
    if (end instanceof LeuriaError) this.#tell(turn, { type: 'error', error: end })
    else this.#tell(turn, { type: 'finish', text: end.text, object: end.object, outcome: end.outcome }, end)
    this.#next()
  }

  /** The session knows what the turn added, if it had heard of it; else it is of no use any more. */
  #heard(turn: Turn): void {
    const slot = this.#slot
    const { length } = this.#log.read()
    if (slot && slot === turn.slot) slot.known = length
    else if (slot && slot.known !== length) void this.#drop(slot)
  }

  #tell({ id, run }: Turn, body: EventBody, result?: RunResult): void {
    const event: RunEvent = { ...body, turnId: id, at: this.#host.clock.date().getTime() }
    const deliver = (): void => {
      run.push(event, result)
      this.#listeners.emit(event)
      this.#host.emit(event)
    }
    if (this.#outbox.push(deliver) === 1) for (; this.#outbox[0]; this.#outbox.shift()) callSafely(this.#outbox[0])
    if (body.type !== 'status') this.#changed()
  }

  /** The host knows it as long as there is something to close. */
  #changed(): void {
    this.#state = null
    if (this.#turn ?? this.#queue[0] ?? this.#slot) this.#unregister ??= this.#host.register(this)
    else {
      this.#unregister?.()
      this.#unregister = null
    }
    this.#subscribers.emit()
  }
}
