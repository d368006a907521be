/**
 * A chat model whose service has to bring it into memory first, or that can't call tools: says so in plain words,
 * then lets the model answer. How a model is loaded is the adapter's part.
 */
import type { ChatMessage } from './chat-message.js'
import type { ChatModel, ChatRequest, ModelFacts, ModelPart } from './chat-model.js'

/** What is known of a model by the time it can answer. */
export interface ReadyFacts extends ModelFacts {
  /** False: it is never sent tools. Unknown: they are tried. */
  tools?: boolean
}

export interface PreparedModelOptions {
  /** For people: "Ollama". */
  serviceName: string
  /** For people: "llama3.2". */
  modelName: string
  /** What is known before it was made ready. */
  facts: ReadyFacts
  /** Makes it ready before each answer: says what goes on, returns what is known then. Ends at once when `signal` aborts. */
  prepare(signal: AbortSignal): AsyncGenerator<string, ReadyFacts>
  /** Makes the model itself; called once, when it is ready. */
  make(facts: ReadyFacts): ChatModel
}

export function prepareModel(options: PreparedModelOptions): ChatModel {
  return new PreparedModel(options)
}

class PreparedModel implements ChatModel {
  readonly serviceName: string
  #known: ReadyFacts
  #model: ChatModel | undefined
  #toldAboutTools = false

  constructor(private readonly options: PreparedModelOptions) {
    this.serviceName = options.serviceName
    this.#known = options.facts
  }

  get facts(): ModelFacts {
    const images = this.#model?.facts.images ?? this.#known.images
    const { contextTokens } = this.#known
    return { ...(images === undefined ? {} : { images }), ...(contextTokens === undefined ? {} : { contextTokens }) }
  }

  async *stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<readonly ModelPart[]> {
    try {
      yield* this.#getReady(signal)
    } catch (error) {
      if (signal.aborted) return
      throw error
    }
    if (signal.aborted) return
    this.#model ??= this.options.make(this.#known)
    if (this.#known.tools !== false || request.tools.length === 0) {
      yield* this.#model.stream(request, signal)
      return
    }
    if (!this.#toldAboutTools) {
      this.#toldAboutTools = true
      yield [
        { type: 'status', text: `${this.options.modelName} can't use this page's tools: it answers without them.` },
      ]
    }
    yield* this.#model.stream({ ...request, tools: [], messages: withoutTools(request.messages) }, signal)
  }

  async *#getReady(signal: AbortSignal): AsyncGenerator<readonly ModelPart[]> {
    const steps = this.options.prepare(signal)
    for (let step = await steps.next(); ; step = await steps.next()) {
      if (step.done === true) {
        this.#known = { ...this.#known, ...step.value }
        return
      }
      yield [{ type: 'status', text: step.value }]
    }
  }
}

/** The model is told too: it would otherwise make up what the tools say, and the visitor would not learn why. */
const NO_TOOLS =
  "This page has tools, but you can't use them. If a question needs one, say plainly that the chosen AI model can't use this page's tools, and that another model can be chosen. Never make up what a tool would say."

function withoutTools(messages: readonly ChatMessage[]): ChatMessage[] {
  const [first, ...rest] = messages
  if (first?.role === 'system') return [{ role: 'system', text: `${first.text}\n\n${NO_TOOLS}` }, ...rest]
  return [{ role: 'system', text: NO_TOOLS }, ...messages]
}
