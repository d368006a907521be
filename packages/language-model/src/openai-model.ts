/**
 * `ChatModel` on any server that speaks OpenAI's chat completions: sends the request, tries again where that may help,
 * leaves out what the server complains about, and reads the answer. The answer's quirks are `answer-stream.ts`'s part.
 */
import { AgentError } from '@leuria/agent'
import { type Clock, pause } from '@leuria/clock'
import { AnswerAssembler } from './answer-assembler.js'
import { readAnswer } from './answer-stream.js'
import type { ChatModel, ChatRequest, ModelFacts, ModelPart } from './chat-model.js'
import { exchange, HttpFault, type HttpReply } from './http-exchange.js'
import { OpenAiRequests, type ServerHabits } from './openai-request.js'
import { readErrorReply } from './reply-body.js'
import { decideRetry, type FailedTry } from './retry-policy.js'
import { missingHabit } from './server-habits.js'
import { type ServiceNames, translateError, translateFault, type UpstreamError } from './upstream-error.js'

export interface OpenAiModelOptions {
  /** With its version segment, without a slash at the end. */
  baseUrl: string
  /** The id the service knows the model by. */
  model: string
  /** For people: "Ollama". */
  serviceName: string
  clock: Clock
  /** Sent as `Authorization: Bearer`. Never appears in errors. */
  apiKey?: string
  /** More headers, for services that want them. Their values never appear in errors. */
  headers?: Readonly<Record<string, string>>
  facts?: ModelFacts
  /** Longest silence before the first token and between two. @default 30 minutes */
  silenceLimitMs?: number
}

/** A model of an OpenAI-compatible service. Holds nothing open between answers. */
export function createOpenAiModel(options: OpenAiModelOptions): ChatModel {
  return new OpenAiModel(options)
}

type Outcome =
  | { kind: 'reply'; reply: HttpReply }
  | { kind: 'error'; error: UpstreamError; retryAfter?: string }
  | { kind: 'fault'; fault: HttpFault }

class OpenAiModel implements ChatModel {
  readonly serviceName: string
  readonly #names: ServiceNames
  readonly #url: URL
  readonly #headers: Readonly<Record<string, string>>
  readonly #habits: ServerHabits
  readonly #requests: OpenAiRequests

  constructor(private readonly options: OpenAiModelOptions) {
    const { serviceName, model, apiKey, headers = {}, facts } = options
    this.serviceName = serviceName
    this.#names = { serviceName, model, secrets: [apiKey ?? '', ...Object.values(headers)] }
    this.#url = new URL(`${options.baseUrl}/chat/completions`)
    this.#headers = { ...requestHeaders(apiKey, headers), 'content-type': 'application/json' }
    this.#habits = { usage: true, tools: true, toolChoice: true, images: facts?.images === true }
    this.#requests = new OpenAiRequests(model, this.#habits)
  }

  get facts(): ModelFacts {
    const { contextTokens } = this.options.facts ?? {}
    return { images: this.#habits.images, ...(contextTokens === undefined ? {} : { contextTokens }) }
  }

  async *stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<readonly ModelPart[]> {
    const { clock, silenceLimitMs } = this.options
    for (let tries = 1; ; tries += 1) {
      const outcome = await this.#ask(request, signal)
      if (isAborted(signal)) return
      if (outcome.kind === 'reply') {
        const tools = new Set(this.#habits.tools ? request.tools.map((tool) => tool.name) : [])
        const assembler = new AnswerAssembler({ names: this.#names, tools })
        yield* readAnswer(outcome.reply, assembler, { clock, signal, names: this.#names, silenceLimitMs })
        return
      }
      if (outcome.kind === 'error') {
        const habit = missingHabit(outcome.error, this.#habits, request)
        if (habit !== null) {
          this.#habits[habit.habit] = false
          this.#requests.forget()
          if (habit.words !== undefined) yield [{ type: 'status', text: habit.words }]
          tries -= 1
          continue
        }
      }
      const decision = decideRetry(failedTry(outcome), tries, clock.date().getTime())
      if (!decision.retry) throw this.#translate(outcome)
      yield [{ type: 'status', text: statusWords(decision, this.serviceName) }]
      await pause(clock, decision.delayMs, signal)
      if (isAborted(signal)) return
    }
  }

  async #ask(request: ChatRequest, signal: AbortSignal): Promise<Outcome> {
    const { clock } = this.options
    const body = this.#requests.write(request)
    try {
      const reply = await exchange({ method: 'POST', url: this.#url, headers: this.#headers, body, signal, clock })
      if (reply.status >= 200 && reply.status < 300) return { kind: 'reply', reply }
      const retryAfter = reply.headers['retry-after']
      return {
        kind: 'error',
        error: await readErrorReply(reply, clock),
        ...(retryAfter === undefined ? {} : { retryAfter }),
      }
    } catch (error) {
      if (error instanceof HttpFault) return { kind: 'fault', fault: error }
      throw new AgentError('failed', `The request to ${this.serviceName} could not be sent.`, { cause: error })
    }
  }

  #translate(outcome: Exclude<Outcome, { kind: 'reply' }>): AgentError {
    return outcome.kind === 'error'
      ? translateError(outcome.error, this.#names)
      : translateFault(outcome.fault, this.serviceName)
  }
}

/** Asked anew after each wait; a plain look would be taken for the last one's result. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted

/** What every request to a service carries. Compressed bodies would hold tokens back. */
export function requestHeaders(
  apiKey: string | undefined,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    accept: 'text/event-stream, application/json',
    'accept-encoding': 'identity',
    'user-agent': 'leuria',
    ...(apiKey === undefined || apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
    ...more,
  }
}

function failedTry(outcome: Exclude<Outcome, { kind: 'reply' }>): FailedTry {
  if (outcome.kind === 'fault') return { outcome: outcome.fault.kind === 'refused' ? 'refused' : 0 }
  const { error, retryAfter } = outcome
  return {
    outcome: error.status,
    words: `${error.code} ${error.message}`,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  }
}

function statusWords(decision: { delayMs: number; why: 'busy' | 'loading' }, serviceName: string): string {
  if (decision.why === 'loading') return `${serviceName} is loading the model.`
  return `${serviceName} is busy. Trying again in ${Math.max(1, Math.round(decision.delayMs / 1_000))} s.`
}
