/**
 * One turn: from a message of the visitor's, which may have to wait, to exactly one end. What a provider reports goes into
 * the log and out as events until then; whatever comes later is dropped. Who answers is the conversation's affair.
 */
import type { Clock } from '@leuria/clock'
import { aiFailed, AbortError, type LeuriaError, TimeoutError } from '../errors.js'
import { loadLater } from '../load-later.js'
import type { Message, MessageMetadata, ToolCallPart, TurnContextData } from '../message/message.js'
import { newId } from '../message/new-id.js'
import { userMessage } from '../message/to-message.js'
import type { ProviderInfo, ToolRequest, TurnContext } from '../provider/provider.js'
import type { ShapeReview } from '../structured/shape.js'
import { SUBMIT_TOOL } from '../structured/submit-tool.js'
import { failed } from '../tool/failed.js'
import type { ToolBox } from '../tool/run-call.js'
import type { ToolOutcome } from '../tool/tool.js'
import { ChatRun, type RunResult } from './chat-run.js'
import type { MessageLog } from './message-log.js'
import type { EventBody } from './run-event.js'
import type { SessionSlot } from './session-slot.js'
import type { CallOwner, TurnCalls } from './turn-calls.js'

/** What all turns of a conversation share. */
export interface TurnStage {
  readonly clock: Clock
  readonly log: MessageLog
  readonly toolBox: ToolBox
  /** Tells what has happened; the log has it already. */
  emit: (turn: Turn, event: EventBody) => void
  /** Called once, with what came of it or with why it failed; the log is closed. */
  onEnd: (turn: Turn, end: RunResult | LeuriaError) => void
}

/** The longest that a timer can wait. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

export class Turn implements CallOwner {
  readonly id = newId('turn')
  readonly run: ChatRun
  /** Once the AI has called a tool. */
  calls?: TurnCalls
  readonly context: TurnContextData
  /** The session that has heard of it. */
  slot: SessionSlot | null = null
  readonly #stage: TurnStage
  readonly #abort = new AbortController()
  #metadata: MessageMetadata | null = null
  #cancelTimer: (() => void) | undefined
  #isAsking = false
  #isOver = false
  /** A tool has ended the turn; its own outcome may be still to come. */
  #ending: { outcome: unknown } | null = null
  #review: ShapeReview | null = null

  constructor(stage: TurnStage, context: TurnContextData = {}) {
    this.#stage = stage
    this.context = context
    this.run = new ChatRun(this.id, () => {
      this.fail(new AbortError())
    })
  }

  isOver(): boolean {
    return this.#isOver
  }

  /** Its time begins. */
  limit(timeoutMs: number): void {
    this.#cancelTimer = this.#stage.clock.setTimer(Math.min(timeoutMs, MAX_TIMEOUT_MS), () => {
      this.fail(new TimeoutError('The AI took too long to answer.'))
    })
  }

  /** An answer begins, if it isn't this provider's already. */
  begin(provider: ProviderInfo): void {
    if (this.#metadata?.provider.id === provider.id) return
    this.#metadata = { turnId: this.id, provider, startedAt: this.#now }
    this.#stage.log.begin(this.#metadata)
    this.#stage.emit(this, { type: 'start', provider })
  }

  /** Has the AI answer, and mend its answer if it must have a shape. Rejects as `ask` and as the review do. */
  async talk(
    message: Message,
    review: ShapeReview | null | undefined,
    ask: (message: Message, context: TurnContext) => Promise<{ text: string }>,
  ): Promise<void> {
    const { log } = this.#stage
    this.#review = review ?? null
    for (let request = message; ;) {
      this.#isAsking = true
      const { text } = await ask(request, this.#provided())
      this.#isAsking = false
      this.#settleText(text)
      const words = this.#isDeaf || !review ? null : await review.retry(log.text)
      if (words === null) break
      log.replaceText('')
      request = userMessage([{ type: 'text', text: words }])
    }
    this.end()
  }

  /** Ends it, unless it is over. */
  fail(error: unknown): void {
    this.end(aiFailed(error))
  }

  tell(call: ToolCallPart, event: EventBody): void {
    this.#stage.log.putCall(call)
    this.#stage.emit(this, event)
  }

  mute(outcome: unknown): void {
    this.#ending = { outcome }
  }

  end(error: LeuriaError | null = null): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#cancelTimer?.()
    this.calls?.callOff()
    if (this.#isAsking) this.#abort.abort()
    // What a tool has ended is a success, whatever became of the AI since.
    const end = (!this.#ending && error) || this.#result() || aiFailed('It ended before it began.')
    if (end === error && this.#metadata) this.#stage.log.end({ ...this.#metadata, finishedAt: this.#now }, false)
    this.#stage.onEnd(this, end)
  }

  get #now(): number {
    return this.#stage.clock.date().getTime()
  }

  /** What still comes is dropped. */
  get #isDeaf(): boolean {
    return this.#isOver || this.#ending !== null
  }

  #result(): RunResult | null {
    const { log } = this.#stage
    const { text } = log
    const { outcome } = this.#ending ?? {}
    const { object } = this.#review?.answer ?? {}
    const metadata = this.#metadata && { ...this.#metadata, finishedAt: this.#now, outcome, object }
    const message = metadata && log.end(metadata, true)
    return message && { text, object, outcome, message, provider: metadata.provider }
  }

  /** What the provider reports to. */
  #provided(): TurnContext {
    return {
      turnId: this.id,
      signal: this.#abort.signal,
      text: (text) => {
        this.#append('text', text)
      },
      reasoning: (text) => {
        this.#append('reasoning', text)
      },
      status: (status) => {
        if (!this.#isDeaf) this.#stage.emit(this, { type: 'status', status })
      },
      runTool: (request) => this.#runTool(request),
    }
  }

  #append(type: 'text' | 'reasoning', text: string): void {
    if (this.#isDeaf || !text) return
    this.#stage.log.append(type, text)
    this.#stage.emit(this, { type: `${type}-delta`, text })
  }

  /** A provider may know the text better than what it streamed; no text means that it doesn't. */
  #settleText(text: string): void {
    const { log } = this.#stage
    const written = log.text
    if (text.startsWith(written)) this.#append('text', text.slice(written.length))
    else if (text && !this.#isDeaf) log.replaceText(text)
  }

  async #runTool(request: ToolRequest): Promise<ToolOutcome> {
    const { TurnCalls } = await loadLater()
    const { submit } = this.#review ?? {}
    if (this.#isDeaf) return failed('The turn is over.')
    if (!submit || request.name !== SUBMIT_TOOL) {
      this.calls ??= new TurnCalls(this.#stage.toolBox, this)
      return this.calls.run(request)
    }
    try {
      return await submit(request.args)
    } catch (error) {
      this.fail(error)
      return failed('The turn is over.')
    }
  }
}
