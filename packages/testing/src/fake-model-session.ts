/** A session of the fake Prompt API: remembers, streams, forgets stopped exchanges, and has a limit. */
import type {
  FakeContent,
  FakeCreateOptions,
  FakeLanguageModel,
  FakeModelMessage,
  FakeModelStep,
} from './fake-language-model.js'

type FakePrompt = string | readonly FakeModelMessage[]

export interface FakePromptOptions {
  responseConstraint?: object
  signal?: AbortSignal
}

const lengthOf = (messages: readonly FakeModelMessage[]): number =>
  messages.reduce(
    (sum, { content }) => sum + (typeof content === 'string' ? content : JSON.stringify(content)).length,
    0,
  )

const messagesOf = (input: FakePrompt): FakeModelMessage[] =>
  typeof input === 'string' ? [{ role: 'user', content: input }] : [...input]

/** Rejects as the spec says: with the reason, for `abort()` an AbortError. */
const abortionOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const abort = (): void => {
      reject(signal.reason instanceof Error ? signal.reason : new DOMException('Aborted.', 'AbortError'))
    }
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort)
  })

export class FakeModelSession {
  /** All that it remembers, system prompt included. */
  readonly history: FakeModelMessage[]
  /** The options of each prompt. */
  readonly prompts: FakePromptOptions[] = []
  /** Missing in old browsers. */
  readonly append?: (input: FakePrompt) => Promise<void>
  readonly #destroyed = new AbortController()
  readonly #owner: FakeLanguageModel
  #calls = 0

  constructor(
    owner: FakeLanguageModel,
    readonly options: FakeCreateOptions,
  ) {
    this.#owner = owner
    this.history = [...(options.initialPrompts ?? [])]
    if (this.contextUsage > this.contextWindow) throw this.#tooLong()
    if (owner.options.old !== true) {
      this.append = async (input) => {
        await this.#ready()
        this.history.push(...messagesOf(input))
      }
    }
  }

  get isDestroyed(): boolean {
    return this.#destroyed.signal.aborted
  }

  get contextUsage(): number {
    return lengthOf(this.history)
  }

  get contextWindow(): number {
    return this.#owner.options.contextWindow ?? Infinity
  }

  destroy(): void {
    this.#destroyed.abort()
  }

  /** A text; or, in the open loop, a list when there are calls. */
  async prompt(input: FakePrompt, options: FakePromptOptions = {}): Promise<string | FakeContent[]> {
    let text = ''
    const calls: FakeContent[] = []
    for await (const piece of this.#pieces(input, options)) {
      if (typeof piece === 'string') text += piece
      else if (piece.type === 'tool-call') calls.push(piece)
    }
    return calls.length === 0 ? text : [...(text === '' ? [] : [{ type: 'text', value: text }]), ...calls]
  }

  promptStreaming(input: FakePrompt, options: FakePromptOptions = {}): ReadableStream<string | FakeContent> {
    const pieces = this.#pieces(input, options)
    const isOld = this.#owner.options.old === true
    let text = ''
    return new ReadableStream({
      pull: async (controller) => {
        try {
          const { done, value } = await pieces.next()
          if (done === true) {
            controller.close()
            return
          }
          if (typeof value === 'string') text += value
          controller.enqueue(isOld && typeof value === 'string' ? text : value)
        } catch (error) {
          controller.error(error)
        }
      },
    })
  }

  async *#pieces(input: FakePrompt, options: FakePromptOptions): AsyncGenerator<string | FakeContent, void> {
    await this.#ready()
    this.prompts.push(options)
    const asked = messagesOf(input)
    if (lengthOf(asked) > this.contextWindow) throw this.#tooLong()
    const steps = this.#owner.nextAnswer()
    const ended = Promise.race(
      [options.signal ?? null, this.#destroyed.signal].flatMap((s) => (s ? [abortionOf(s)] : [])),
    )
    ended.catch(() => undefined)
    let text = ''
    for (const step of typeof steps === 'string' ? [steps] : steps) {
      const piece = await Promise.race([this.#play(step), ended])
      if (typeof piece === 'string') text += piece
      if (piece !== null) yield piece
    }
    // Only a whole exchange is remembered, and the oldest makes way, but never the system prompt.
    this.history.push(...asked, { role: 'assistant', content: text })
    const first = this.history[0]?.role === 'system' ? 1 : 0
    while (this.contextUsage > this.contextWindow && this.history.length > first + 1) this.history.splice(first, 1)
  }

  async #play(step: FakeModelStep): Promise<string | FakeContent | null> {
    // Pieces come one by one, not all in one go.
    await new Promise((resolve) => setTimeout(resolve))
    if (typeof step === 'string') return step
    if ('hang' in step) return new Promise(() => undefined)
    if ('fail' in step) throw step.fail
    if ('thought' in step) return { type: 'thought', value: step.thought }
    const { name, args = {} } = step.call
    if (this.#owner.options.openLoop === true) {
      const value = { callId: `c${(this.#calls += 1)}`, name, arguments: args }
      return { type: 'tool-call', value }
    }
    await this.options.tools?.find((tool) => tool.name === name)?.execute?.(args)
    return null
  }

  #ready(): Promise<void> {
    if (!this.isDestroyed) return Promise.resolve()
    return Promise.reject(new DOMException('The session is destroyed.', 'InvalidStateError'))
  }

  #tooLong(): Error {
    return new DOMException('The input is too large.', 'QuotaExceededError')
  }
}
