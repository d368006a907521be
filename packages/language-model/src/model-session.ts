/**
 * The tool loop: an `AgentSession` on a `ChatModel`. It asks the model, carries out the calls it makes with the page's
 * tools, tells it the results, and goes on until the model answers or its steps are used up.
 */
import {
  AgentError,
  type AgentExit,
  type AgentSession,
  type PageTools,
  type Prompt,
  type TurnEvent,
} from '@leuria/agent'
import { MAX_TURN_STEPS, MIN_TURN_STEPS, type StopReason } from '@leuria/protocol'
import type { ToolCall, ToolOffer } from './chat-message.js'
import type { ChatModel, FinishReason, ModelPart } from './chat-model.js'
import { canShrink, estimateTokens, fitContext, questionBudget } from './context-budget.js'
import { History } from './history.js'
import { promptParts } from './prompt-message.js'
import { type PreparedCall, runCalls } from './tool-calls.js'
import { ToolNames } from './tool-names.js'
import { Turn } from './turn.js'

/** Steps of a turn when the site names none. */
const DEFAULT_MAX_TURNS = 10
/** Where no limit of the model is known: only a guard for this computer's memory. */
const MAX_HISTORY_TOKENS = 1_000_000
/** How often an answer is asked for with a shorter history after the service called it too long. */
const MAX_SHRINKS = 2

export interface ModelSessionOptions {
  model: ChatModel
  tools: PageTools
  systemPrompt?: string
  /** 1 to 50. @default 10 */
  maxTurns?: number
}

/** Opens a conversation. Nothing runs between turns; `close` ends a running one. */
export function openModelSession(options: ModelSessionOptions): AgentSession {
  return new ModelSession(options)
}

/** What one answer of the model came to. */
interface Answer {
  text: string
  calls: { id: string; name: string; input: PreparedCall['input'] }[]
  reason: FinishReason
}

/** `max_turns` is for a model that still asked for tools in its last step. */
const STOP_REASON_OF = {
  stop: 'end_turn',
  calls: 'max_turns',
  length: 'max_tokens',
  refusal: 'refusal',
} as const satisfies Record<FinishReason, StopReason>

class ModelSession implements AgentSession {
  /** A model has no process: it never ends by itself. */
  readonly exited = new Promise<AgentExit>(() => undefined)
  readonly #history: History
  readonly #names = new ToolNames()
  readonly #maxSteps: number
  readonly #closing = new AbortController()

  constructor(private readonly options: ModelSessionOptions) {
    this.#history = new History(options.systemPrompt)
    const steps = Math.trunc(options.maxTurns ?? DEFAULT_MAX_TURNS)
    this.#maxSteps = Math.min(MAX_TURN_STEPS, Math.max(MIN_TURN_STEPS, steps))
  }

  prompt(prompt: Prompt, signal: AbortSignal): AsyncIterable<TurnEvent> {
    const turn = new Turn(prompt, [signal, this.#closing.signal])
    void this.#run(turn)
    return turn.events
  }

  async close(): Promise<void> {
    this.#closing.abort()
  }

  /** Never rejects: what goes wrong is the reader's to see. */
  async #run(turn: Turn): Promise<void> {
    let end: { error?: Error } = {}
    let stopReason: StopReason = 'cancelled'
    this.#history.ask(promptParts(turn.prompt))
    try {
      if (!turn.isCancelled()) stopReason = await this.#steps(turn)
    } catch (error) {
      if (!turn.isCancelled()) end = { error: error instanceof Error ? error : new Error(String(error)) }
    }
    turn.detach()
    this.#history.settle(turn.partial)
    if (end.error === undefined)
      turn.events.push({ type: 'turn_end', stopReason: turn.isCancelled() ? 'cancelled' : stopReason })
    turn.events.end(end)
  }

  async #steps(turn: Turn): Promise<StopReason> {
    for (let step = 1; ; step += 1) {
      const last = step >= this.#maxSteps
      const { text, calls, reason } = await this.#ask(turn, last ? 'none' : 'auto')
      if (turn.isCancelled()) return 'cancelled'
      turn.partial = ''
      if (reason !== 'calls' || last) {
        this.#history.say(text, [])
        return STOP_REASON_OF[reason]
      }
      await this.#carryOut(turn, text, calls)
      if (turn.isCancelled()) return 'cancelled'
    }
  }

  async #carryOut(turn: Turn, text: string, calls: Answer['calls']): Promise<void> {
    const prepared = calls.map(({ id, name, input }): PreparedCall => {
      return { id: this.#history.claimId(id), pageName: this.#names.forPage(name), input }
    })
    this.#history.say(
      text,
      prepared.map((call) => historyCall(call, this.#names.forModel(call.pageName))),
    )
    const results = await runCalls(prepared, {
      tools: this.options.tools,
      signal: turn.signal,
      report: (event) => {
        turn.events.push(event)
      },
    })
    for (const { id, text: result } of results) this.#history.result(id, result)
  }

  /** One answer of the model; asked for again with a shorter history when it was too long. */
  async #ask(turn: Turn, toolChoice: 'auto' | 'none'): Promise<Answer> {
    // The list is read before each call: a page may declare tools while a turn runs.
    const tools = this.#offers()
    const { messages } = this.#history
    const limit = this.options.model.facts.contextTokens
    fitContext(messages, tools, limit === undefined ? MAX_HISTORY_TOKENS : questionBudget(limit))
    for (let shrinks = 0; ; shrinks += 1) {
      turn.listen()
      try {
        return await this.#listen(this.options.model.stream({ messages, tools, toolChoice }, turn.signal), turn)
      } catch (error) {
        const tooLong = error instanceof AgentError && error.code === 'too_long'
        if (!tooLong || turn.hasSpoken() || shrinks >= MAX_SHRINKS || !canShrink(messages)) throw error
        fitContext(messages, tools, Math.floor(estimateTokens(messages, tools) / 2))
        turn.events.push({
          type: 'status',
          text: 'The conversation is too long for the model: its oldest parts are shortened.',
        })
      }
    }
  }

  /** Passes on what the model says and gathers what it comes to. */
  async #listen(stream: AsyncIterable<readonly ModelPart[]>, turn: Turn): Promise<Answer> {
    const answer: Answer = { text: '', calls: [], reason: 'stop' }
    for await (const parts of stream) {
      if (turn.isCancelled()) break
      for (const part of parts) take(part, answer, turn)
      const room = turn.events.room()
      if (room !== null) await room
    }
    return answer
  }

  #offers(): ToolOffer[] {
    const tools = this.options.tools.listTools()
    this.#names.learn(tools.map((tool) => tool.name))
    return tools.map(({ name, description, inputSchema }) => {
      return { name: this.#names.forModel(name), description, inputSchema }
    })
  }
}

function take(part: ModelPart, answer: Answer, turn: Turn): void {
  switch (part.type) {
    case 'text':
      answer.text += part.text
      turn.partial = answer.text
      turn.speak(part)
      break
    case 'thought':
      turn.speak(part)
      break
    case 'status':
      turn.events.push(part)
      break
    case 'call':
      answer.calls.push(part)
      break
    case 'usage':
      turn.events.push({ type: 'usage', ...turn.addUsage(part.usage) })
      break
    case 'finish':
      answer.reason = part.reason
  }
}

/** A call in the history. Arguments that could not be read are kept inside an object: strict APIs take nothing else. */
function historyCall({ id, input }: PreparedCall, name: string): ToolCall {
  return { id, name, arguments: JSON.stringify(input.ok ? input.value : { unreadable: input.text }) }
}
