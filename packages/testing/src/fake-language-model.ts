/**
 * The browser's Prompt API (https://webmachinelearning.github.io/prompt-api/) as a script plays it, for pages and tests in
 * Node: availability, download, sessions that remember, streams, tools, limits. It runs in browsers too: no Node code.
 */
import { FakeModelSession } from './fake-model-session.js'

export type FakeAvailability = 'unavailable' | 'downloadable' | 'downloading' | 'available'

/** A piece of the answer; a call of a tool; a thought; a failure; or nothing more until the prompt is aborted. */
export type FakeModelStep =
  | string
  | { readonly call: { readonly name: string; readonly args?: unknown } }
  | { readonly thought: string }
  | { readonly fail: Error }
  | { readonly hang: true }

export type FakeModelAnswer = string | readonly FakeModelStep[]

export interface FakeContent {
  type: string
  value: unknown
}

export interface FakeModelMessage {
  role: string
  content: string | FakeContent[]
}

export interface FakeModelTool {
  name: string
  execute?: (args: unknown) => Promise<string>
}

export interface FakeCreateOptions {
  expectedInputs?: readonly { type: string; languages?: readonly string[] }[]
  expectedOutputs?: readonly { type: string; languages?: readonly string[] }[]
  tools?: readonly FakeModelTool[]
  initialPrompts?: readonly FakeModelMessage[]
  monitor?: (target: EventTarget) => void
}

export interface FakeLanguageModelOptions {
  /** @default 'available' */
  availability?: FakeAvailability
  /** Answers to the prompts to come, in order; then "OK". */
  answers?: readonly FakeModelAnswer[]
  /** Browsers before `append`: every piece is the whole text so far. @default false */
  old?: boolean
  /** The page runs tools: calls are handed over instead of carried out. @default false */
  openLoop?: boolean
  /** In characters. @default Infinity */
  contextWindow?: number
}

/** `LanguageModel` as a page sees it. */
export interface FakeLanguageModelApi {
  availability(options?: FakeCreateOptions): Promise<FakeAvailability>
  create(options?: FakeCreateOptions): Promise<FakeModelSession>
}

export class FakeLanguageModel {
  /** What a page finds as `LanguageModel`. */
  readonly api: FakeLanguageModelApi
  /** In the order they were created. */
  readonly sessions: FakeModelSession[] = []
  /** What `availability` was asked with. */
  readonly asked: (FakeCreateOptions | undefined)[] = []
  /** A click is being handled: without one nothing is downloaded. */
  userActivation = false
  availability: FakeAvailability
  readonly options: FakeLanguageModelOptions
  readonly #answers: FakeModelAnswer[]
  readonly #monitors = new Set<EventTarget>()
  readonly #waiting: { resolve: () => void; reject: (error: Error) => void }[] = []

  constructor(options: FakeLanguageModelOptions = {}) {
    this.options = options
    this.availability = options.availability ?? 'available'
    this.#answers = [...(options.answers ?? [])]
    this.api = {
      availability: (asked) => {
        this.asked.push(asked)
        return Promise.resolve(this.availability)
      },
      create: (created) => this.#create(created),
    }
  }

  /** Adds answers for the prompts to come. */
  answer(...answers: readonly FakeModelAnswer[]): void {
    this.#answers.push(...answers)
  }

  nextAnswer(): FakeModelAnswer {
    return this.#answers.shift() ?? 'OK'
  }

  /** The download is so far: 0 to 1. */
  progress(loaded: number): void {
    for (const monitor of this.#monitors) {
      monitor.dispatchEvent(Object.assign(new Event('downloadprogress'), { loaded }))
    }
  }

  /** The download is done; sessions that wait for it begin. */
  finishDownload(): void {
    this.availability = 'available'
    this.progress(1)
    for (const { resolve } of this.#waiting.splice(0)) resolve()
  }

  /** The download broke off. */
  failDownload(): void {
    this.availability = 'downloadable'
    const error = new DOMException('The download failed.', 'NetworkError')
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }

  /** Puts it in place of the browser's; returns the undo. */
  install(): () => void {
    const before = Object.getOwnPropertyDescriptor(globalThis, 'LanguageModel')
    Object.defineProperty(globalThis, 'LanguageModel', { value: this.api, configurable: true })
    return () => {
      if (before === undefined) Reflect.deleteProperty(globalThis, 'LanguageModel')
      else Object.defineProperty(globalThis, 'LanguageModel', before)
    }
  }

  async #create(options: FakeCreateOptions = {}): Promise<FakeModelSession> {
    const { initialPrompts = [], monitor } = options
    if (this.availability === 'unavailable') throw new DOMException('There is no model.', 'NotSupportedError')
    if (initialPrompts.findLastIndex(({ role }) => role === 'system') > 0) throw new TypeError('System must be first.')
    if (this.availability !== 'available') {
      if (!this.userActivation) throw new DOMException('A click is needed.', 'NotAllowedError')
      await this.#downloaded(monitor)
    }
    const session = new FakeModelSession(this, options)
    this.sessions.push(session)
    return session
  }

  async #downloaded(monitor: FakeCreateOptions['monitor']): Promise<void> {
    const target = new EventTarget()
    monitor?.(target)
    this.#monitors.add(target)
    this.availability = 'downloading'
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
    })
    this.#monitors.delete(target)
  }
}

/** A browser with a model of its own. */
export function fakeLanguageModel(options?: FakeLanguageModelOptions): FakeLanguageModel {
  return new FakeLanguageModel(options)
}
