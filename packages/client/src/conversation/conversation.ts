/**
 * A conversation: its history, the queue of its messages, and what a page sees of it. Which provider answers is decided anew
 * for each message; its session is kept by the keeper, and what goes on inside a turn is the turn's affair.
 */
import type { ConversationHost } from '../cascade/conversation-host.js'
import { callSafely, Listeners } from '../engine/callbacks.js'
import { AbortError, LeuriaError, TimeoutError } from '../errors.js'
import type { Message, MessageInput, TurnContextData } from '../message/message.js'
import { newId } from '../message/new-id.js'
import { readParts, userMessage } from '../message/to-message.js'
import type { Provider, ProviderInfo } from '../provider/provider.js'
import { failed } from '../tool/run-call.js'
import { ChatRun, type RunResult } from './chat-run.js'
import { type ConversationOptions, type ConversationSetup, setUp } from './conversation-options.js'
import { type ConversationState, type ConversationStatus, STATUS_STEPS, type StatusStep } from './conversation-state.js'
import { MessageLog } from './message-log.js'
import type { EventBody, RunEvent } from './run-event.js'
import { SessionKeeper } from './session-keeper.js'
import type { SessionSlot } from './session-slot.js'
import { Turn } from './turn.js'

export interface SendOptions {
  /** What the page knows and the AI should: for tools as `ctx.context`, and for the AI above the text, marked as data. */
  context?: TurnContextData
  /** In place of the conversation's, in milliseconds. It counts from when the turn begins. */
  timeoutMs?: number
  signal?: AbortSignal
}

/** A message on its way: in the queue, or in its turn. */
interface Job {
  readonly run: ChatRun
  readonly input: MessageInput
  readonly options: SendOptions
  turn: Turn | null
  /** The session that has heard it. */
  slot: SessionSlot | null
  /** Called when it is over. */
  forget(): void
}

/** The longest that a timer can wait. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

export class Conversation {
  readonly #host: ConversationHost
  readonly #options: ConversationOptions
  readonly #setup: ConversationSetup
  readonly #log: MessageLog
  readonly #sessions: SessionKeeper
  readonly #subscribers = new Listeners<void>()
  readonly #listeners = new Listeners<RunEvent>()
  readonly #queue: Job[] = []
  /** Events on their way out. One that is caused by another waits until that one has reached everybody. */
  readonly #outbox: (() => void)[] = []
  #job: Job | null = null
  #isWorking = false
  #status: ConversationStatus = 'idle'
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
    this.#sessions = new SessionKeeper({
      clock: host.clock,
      sessionOptions: this.#setup.sessionOptions,
      changed: () => {
        this.#changed()
      },
    })
  }

  /** Sends a message; during a turn it waits for its own. What goes wrong is told by the run. */
  send(input: MessageInput, options: SendOptions = {}): ChatRun {
    const { signal } = options
    const abort = (): void => {
      this.#cancel(job)
    }
    const forget = (): void => signal?.removeEventListener('abort', abort)
    const run = new ChatRun(newId('turn'), abort)
    const job: Job = { run, input, options, turn: null, slot: null, forget }
    this.#queue.push(job)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort)
    if (this.#isWorking) this.#changed()
    else void this.#work()
    return run
  }

  /** Stops the turn under way and empties the queue; what has been written stays. */
  stop(): void {
    for (const job of [...this.#queue, this.#job]) if (job) this.#cancel(job)
  }

  /** Stops everything and begins anew with these messages. */
  reset(messages: readonly Message[] = []): void {
    this.stop()
    void this.#sessions.drop()
    this.#log.set(messages)
    this.#provider = null
    this.#step('reset')
    this.#changed()
  }

  /** Stops everything and frees the provider's session. The history stays: another message goes on with a new session. */
  async close(): Promise<void> {
    this.stop()
    await this.#sessions.drop()
  }

  /** Gets an AI ready before the first message. `false`: none is ready, or it didn't start. */
  async warm(): Promise<boolean> {
    if (this.#job) return true
    try {
      const slot = this.#use(this.#host.pick(this.#setup.needs()), this.#log.read())
      await this.#sessions.warm(slot)
      return true
    } catch {
      return false
    }
  }

  /** Answers a call of `pendingInputs`. */
  submitToolResult(callId: string, value: unknown): void {
    this.#job?.turn?.calls.answer(callId, { ok: true, result: value })
  }

  /** Turns a call of `pendingInputs` down; the AI hears why. */
  rejectToolCall(callId: string, error = 'The visitor declined.'): void {
    this.#job?.turn?.calls.answer(callId, failed(error))
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
      status: this.#status,
      error: this.#error,
      provider: this.#provider,
      session: this.#sessions.status,
      queued: this.#queue.length,
      pendingInputs: waiting,
    })
  }

  /** Called after each change. Returns its undo. */
  subscribe(listener: () => void): () => void {
    return this.#subscribers.add(listener)
  }

  /** One turn after the other until none waits. */
  async #work(): Promise<void> {
    this.#isWorking = true
    for (let job; (job = this.#queue.shift());) await this.#turn(job)
    this.#isWorking = false
  }

  /** Resolves when the turn is over; what the provider still does then concerns only its session. */
  #turn(job: Job): Promise<void> {
    const { run, options } = job
    const { clock } = this.#host
    const { toolBox, structure } = this.#setup
    return new Promise((resolve) => {
      const turn = new Turn({
        turnId: run.turnId,
        context: options.context ?? {},
        log: this.#log,
        toolBox,
        structure,
        now: () => clock.date().getTime(),
        emit: (event) => {
          this.#tell(run, event)
        },
        onEnd: (end) => {
          cancelTimer?.()
          this.#onEnd(job, end)
          resolve()
        },
      })
      const { timeoutMs = this.#options.timeoutMs } = options
      const timeUp = (): void => {
        turn.fail(new TimeoutError('The AI took too long to answer.'))
      }
      const cancelTimer = timeoutMs === undefined ? null : clock.setTimer(Math.min(timeoutMs, MAX_TIMEOUT_MS), timeUp)
      job.turn = turn
      this.#job = job
      this.#step('begin')
      this.#changed()
      this.#answer(job, turn).catch((error: unknown) => {
        turn.fail(error)
      })
    })
  }

  /** Has the message answered. Nothing here waits before a provider is asked unless a file has to be read. */
  async #answer(job: Job, turn: Turn): Promise<void> {
    const reading = readParts(job.input)
    const parts = reading instanceof Promise ? await reading : reading
    if (turn.isOver()) return
    const history = this.#log.read()
    const message = userMessage(parts, job.options.context)
    this.#log.add(message)
    this.#changed()
    while (!(await this.#talk({ job, turn, message, history })));
  }

  /** `false`: the session turned out to be over before anything came of it; it is worth another. */
  async #talk({ job, turn, message, history }: Talk): Promise<boolean> {
    const settling = this.#sessions.settle()
    if (settling) await settling
    if (turn.isOver()) return true
    const slot = this.#use(this.#host.pick(this.#setup.needs(message)), history)
    if (turn.provider?.id !== slot.info.id) turn.begin(slot.info)
    const wasOpen = slot.session !== null
    await slot.opening
    if (turn.isOver()) return true
    job.slot = slot
    try {
      await turn.talk(this.#setup.forAi(message), slot.isNative, (request) =>
        this.#sessions.send(slot, (session) => session.send(request, turn.context)),
      )
    } catch (error) {
      if (turn.isOver() || !wasOpen || !slot.session?.closed || !this.#log.isEmpty) throw error
      return false
    }
    return true
  }

  #use(provider: Provider, history: readonly Message[]): SessionSlot {
    const slot = this.#sessions.use(provider, history)
    if (this.#provider?.id !== slot.info.id) this.#provider = slot.info
    return slot
  }

  #onEnd(job: Job, end: RunResult | LeuriaError): void {
    job.forget()
    this.#job = null
    this.#sessions.heard(job.slot, this.#log.read().length)
    if (!(end instanceof LeuriaError)) {
      const { text, object, outcome } = end
      this.#step('finish')
      this.#tell(job.run, { type: 'finish', text, object, outcome }, end)
    } else {
      if (end instanceof AbortError) this.#step('stop')
      else this.#step('fail', end)
      this.#tell(job.run, { type: 'error', error: end })
    }
  }

  /** Takes a message out of the queue, or stops its turn. */
  #cancel(job: Job): void {
    const at = this.#queue.indexOf(job)
    if (at < 0) {
      job.turn?.fail(new AbortError())
      return
    }
    this.#queue.splice(at, 1)
    job.forget()
    this.#tell(job.run, { type: 'error', error: new AbortError() })
  }

  #step(step: StatusStep, error: LeuriaError | null = null): void {
    this.#status = STATUS_STEPS[this.#status][step]
    this.#error = error
  }

  #tell(run: ChatRun, body: EventBody, result?: RunResult): void {
    const event: RunEvent = { ...body, turnId: run.turnId, at: this.#host.clock.date().getTime() }
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
    if (this.#job ?? this.#queue[0] ?? this.#sessions.slot) this.#unregister ??= this.#host.register(this)
    else {
      this.#unregister?.()
      this.#unregister = null
    }
    this.#subscribers.emit()
  }
}

interface Talk {
  readonly job: Job
  readonly turn: Turn
  readonly message: Message
  /** What was said before it. */
  readonly history: readonly Message[]
}
