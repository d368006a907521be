/**
 * One turn: from a message of the visitor's to exactly one end. What a provider reports goes into the log and out as events
 * until then; whatever comes later is dropped. Who answers, and in which session, is the conversation's affair.
 */
import { aiFailed, type LeuriaError } from '../errors.js'
import type { Message } from '../message/message.js'
import { userMessage } from '../message/to-message.js'
import type { ProviderInfo, ToolRequest, TurnContext } from '../provider/provider.js'
import { extractJson } from '../structured/extract-json.js'
import { repairWords, type Structure, SUBMIT_TOOL } from '../structured/structure.js'
import { StructuredOutputError } from '../structured/structured-output-error.js'
import { failed } from '../tool/run-call.js'
import type { ToolOutcome } from '../tool/tool.js'
import type { RunResult } from './chat-run.js'
import { type TurnCallParts, TurnCalls } from './turn-calls.js'

export interface TurnParts extends TurnCallParts {
  readonly structure: Structure | null
  /** Milliseconds since 1970. */
  now: () => number
  /** Called once, with what came of it or with why it failed; the log is closed. */
  onEnd: (end: RunResult | LeuriaError) => void
}

const OVER = failed('The turn is over.')

export class Turn {
  readonly calls: TurnCalls
  readonly #parts: TurnParts
  readonly #abort = new AbortController()
  #provider: ProviderInfo | null = null
  #isAsking = false
  #isNative = false
  #isRepaired = false
  #isOver = false
  /** A tool has ended the turn; its own outcome is still to come. */
  #ending: { outcome: unknown } | null = null
  #answer: { object: unknown } | null = null

  constructor(parts: TurnParts) {
    this.#parts = parts
    this.calls = new TurnCalls(parts, {
      mute: (outcome) => {
        this.#ending = { outcome }
      },
      end: () => {
        this.#end()
      },
    })
  }

  isOver(): boolean {
    return this.#isOver
  }

  get provider(): ProviderInfo | null {
    return this.#provider
  }

  /** What the provider reports to. */
  get context(): TurnContext {
    return {
      turnId: this.#parts.turnId,
      signal: this.#abort.signal,
      text: (text) => {
        this.#append('text', text)
      },
      reasoning: (text) => {
        this.#append('reasoning', text)
      },
      status: (status) => {
        if (!this.#isDeaf) this.#parts.emit({ type: 'status', status })
      },
      runTool: (request) => this.#runTool(request),
    }
  }

  /** An answer begins. */
  begin(provider: ProviderInfo): void {
    const { log, turnId, now, emit } = this.#parts
    this.#provider = provider
    log.begin({ turnId, provider, startedAt: now() })
    emit({ type: 'start', provider })
  }

  /**
   * Has the AI answer, and mend its answer once if it must have a shape. Rejects as `ask` does.
   * `isNative`: the provider holds the answer to the schema itself.
   */
  async talk(message: Message, isNative: boolean, ask: (message: Message) => Promise<{ text: string }>): Promise<void> {
    const { log } = this.#parts
    this.#isNative = isNative
    for (let request = message; ;) {
      this.#isAsking = true
      const { text } = await ask(request)
      this.#isAsking = false
      if (!this.#isDeaf) this.#settleText(text)
      const fault = this.#isDeaf ? null : await this.#fault()
      if (fault === null) break
      if (this.#isRepaired) throw new StructuredOutputError(log.text, { detail: fault })
      this.#isRepaired = true
      log.replaceText('')
      request = userMessage([{ type: 'text', text: repairWords(fault) }])
    }
    this.#end()
  }

  /** Ends it, unless it is over. */
  fail(error: unknown): void {
    this.#end(aiFailed(error))
  }

  /** What still comes is dropped. */
  get #isDeaf(): boolean {
    return this.#isOver || this.#ending !== null
  }

  #append(type: 'text' | 'reasoning', text: string): void {
    if (this.#isDeaf || !text) return
    this.#parts.log.append(type, text)
    this.#parts.emit({ type: `${type}-delta`, text })
  }

  /** A provider may know the text better than what it streamed; no text means that it doesn't. */
  #settleText(text: string): void {
    const { log } = this.#parts
    const written = log.text
    if (text.startsWith(written)) this.#append('text', text.slice(written.length))
    else if (text) log.replaceText(text)
  }

  async #runTool(request: ToolRequest): Promise<ToolOutcome> {
    const { structure } = this.#parts
    if (this.#isDeaf) return OVER
    const isSubmit = structure && !this.#isNative && request.name === SUBMIT_TOOL
    return isSubmit ? this.#submit(request.args) : this.calls.run(request)
  }

  async #submit(answer: unknown): Promise<ToolOutcome> {
    try {
      const fault = await this.#check(answer, true)
      if (fault === null) return { ok: true, result: 'Taken.' }
      if (this.#isRepaired) throw new StructuredOutputError(JSON.stringify(answer), { detail: fault })
      this.#isRepaired = true
      return failed(repairWords(fault))
    } catch (error) {
      this.fail(error)
      return OVER
    }
  }

  /** What is wrong with the answer as it was written; `null`: nothing. */
  async #fault(): Promise<string | null> {
    return this.#answer ? null : this.#check(extractJson(this.#parts.log.text), !this.#isNative)
  }

  async #check(answer: unknown, mayBeWrapped: boolean): Promise<string | null> {
    const checked = await this.#parts.structure?.check(answer, mayBeWrapped)
    if (!checked) return null
    if (!checked.ok) return checked.error
    this.#answer = { object: checked.value }
    return null
  }

  #end(error: LeuriaError | null = null): void {
    if (this.#isOver) return
    this.#isOver = true
    const { log, now, onEnd } = this.#parts
    this.calls.callOff()
    if (this.#isAsking) this.#abort.abort()
    // What a tool has ended is a success, whatever became of the AI since.
    const failure = this.#ending ? null : error
    const { outcome } = this.#ending ?? {}
    const { object } = this.#answer ?? {}
    const text = log.text
    const facts = { ...(outcome !== undefined && { outcome }), ...(object !== undefined && { object }) }
    const message = log.end({ finishedAt: now(), ...facts }, !failure)
    const provider = this.#provider
    if (message && provider && !failure) onEnd({ text, object, outcome, message, provider })
    else onEnd(failure ?? aiFailed('It ended before it began.'))
  }
}
