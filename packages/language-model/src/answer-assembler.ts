/**
 * Makes the parts of an answer from its chunks, and decides at the end what the answer was: whether it is complete,
 * which calls it makes, why it stopped. Knows nothing of bytes, connections or timers.
 */
import { AgentError } from '@leuria/agent'
import { type AnswerChunk, readAnswerChunk } from './answer-chunk.js'
import { CallAssembler } from './call-assembler.js'
import { readCallArguments } from './call-arguments.js'
import type { FedChunk } from './chunk-feed.js'
import type { FinishReason, ModelPart, ModelUsage } from './chat-model.js'
import { TextCallCatcher } from './text-call.js'
import { ThinkTags } from './think-tags.js'
import { readUpstreamError, type ServiceNames, translateError } from './upstream-error.js'

/**
 * How the body came to its end. `done`: the server said so. `closed`: it ended as its framing announced.
 * `cut`: it just stopped, as a killed server's does; only a finish reason tells that the answer was complete.
 */
export type BodyEnd = 'done' | 'closed' | 'cut'

const FINISH_OF: Readonly<Record<string, FinishReason>> = {
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  content_filter: 'refusal',
  refusal: 'refusal',
}

export interface AnswerOptions {
  names: ServiceNames
  /** The names of the tools that were offered. */
  tools: ReadonlySet<string>
}

export class AnswerAssembler {
  readonly #names: ServiceNames
  readonly #calls: CallAssembler
  readonly #think = new ThinkTags()
  readonly #catcher: TextCallCatcher
  #usage: ModelUsage | null = null
  #finish: string | null = null
  #refused = false
  #spoke = false
  #settled = false

  constructor({ names, tools }: AnswerOptions) {
    this.#names = names
    this.#calls = new CallAssembler((name) => tools.has(name))
    this.#catcher = new TextCallCatcher(tools.size === 0 ? null : (name) => tools.has(name))
  }

  /** A finish reason was read: little more will come. */
  get finished(): boolean {
    return this.#finish !== null
  }

  /** The chunk after the finish reason that only carries usage was read: nothing more will come. */
  get settled(): boolean {
    return this.#settled
  }

  /**
   * Takes a chunk and adds to `parts` what it says.
   * @throws AgentError when the chunk is an error
   */
  read({ value, declaredError }: FedChunk, parts: ModelPart[]): void {
    const error = readUpstreamError(value, 200, declaredError)
    if (error !== null) throw translateError(error, this.#names)
    const chunk = readAnswerChunk(value)
    if (chunk === null) return
    if (chunk.usage !== null) this.#usage = chunk.usage
    if (!chunk.hasChoice && chunk.usage !== null && this.finished) this.#settled = true
    if (chunk.finish === 'error') throw translateError({ status: 200, message: '', code: '' }, this.#names)
    if (chunk.finish !== null) this.#finish = chunk.finish
    for (const call of chunk.calls) this.#calls.add(call)
    this.#say(chunk, parts)
  }

  /**
   * The body is over: the rest of the parts, `finish` last.
   * @throws AgentError when it was no complete answer
   */
  end(how: BodyEnd): ModelPart[] {
    const rest = this.#think.end()
    const parts: ModelPart[] = rest.thought === '' ? [] : [{ type: 'thought', text: rest.thought }]
    const shown = rest.text === '' ? '' : this.#catcher.push(rest.text)
    const reason = this.#reason(how)
    const { call, text } =
      reason === 'stop' && this.#calls.empty ? this.#catcher.end() : { call: null, text: this.#catcher.release() }
    pushText(parts, shown + text)
    this.#spoke ||= parts.length > 0
    if (call !== null) parts.push({ type: 'call', id: '', name: call.name, input: { ok: true, value: call.arguments } })
    const calls = reason === 'calls' ? this.#calls.list() : []
    for (const { id, name, arguments: args } of calls)
      parts.push({ type: 'call', id, name, input: readCallArguments(args) })
    const empty = !this.#spoke && call === null && calls.length === 0
    if (empty && this.#finish === null) throw emptyAnswer(this.#names)
    if (this.#usage !== null) parts.push({ type: 'usage', usage: this.#usage })
    parts.push({ type: 'finish', reason: call === null ? reason : 'calls' })
    return parts
  }

  #say(chunk: AnswerChunk, parts: ModelPart[]): void {
    const before = parts.length
    if (chunk.thought !== '') parts.push({ type: 'thought', text: chunk.thought })
    if (chunk.text !== '') {
      const { text, thought } = this.#think.push(chunk.text)
      if (thought !== '') parts.push({ type: 'thought', text: thought })
      if (text !== '') pushText(parts, this.#catcher.push(text))
    }
    if (chunk.refusal !== '') {
      this.#refused = true
      pushText(parts, this.#catcher.release() + chunk.refusal)
    }
    this.#spoke ||= parts.length > before
  }

  #reason(how: BodyEnd): FinishReason {
    const known = this.#finish === null ? undefined : FINISH_OF[this.#finish]
    if (known !== undefined) return known
    if (this.#finish === null && (how === 'cut' || (how === 'closed' && this.#endsInCall()))) {
      throw new AgentError('crashed', `${this.#names.serviceName} stopped in the middle of its answer.`)
    }
    if (this.#refused) return 'refusal'
    // Whether the server says "stop" or "tool_calls": what it sent decides.
    return this.#calls.list().length > 0 ? 'calls' : 'stop'
  }

  /** The body ended without a word about it, and its last call may have lost its arguments. */
  #endsInCall(): boolean {
    const last = this.#calls.list().at(-1)
    return last !== undefined && (last.arguments.trim() === '' || !readCallArguments(last.arguments).ok)
  }
}

function pushText(parts: ModelPart[], text: string): void {
  if (text !== '') parts.push({ type: 'text', text })
}

function emptyAnswer({ serviceName }: ServiceNames): AgentError {
  return new AgentError('failed', `${serviceName} ended its answer without saying anything.`)
}
