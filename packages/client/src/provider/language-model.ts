/**
 * The part of the browser's Prompt API (https://webmachinelearning.github.io/prompt-api/, `LanguageModel`) that is used,
 * and its failures in words for visitors. Older browsers stream whole texts instead of pieces and have no `append`.
 */
import { LeuriaError } from '../errors.js'

export type Availability = 'unavailable' | 'downloadable' | 'downloading' | 'available'

/** Content of other kinds than text: tool calls, their results, thoughts. */
export interface ModelContent {
  type: string
  value: unknown
}

export interface ModelMessage {
  role: 'system' | 'user' | 'assistant'
  content: string | ModelContent[]
}

export interface ModelTool {
  name: string
  description: string
  inputSchema: object
  execute(args: unknown): Promise<string>
}

export interface ModelOptions {
  expectedInputs?: { type: string; languages?: readonly string[] }[]
  expectedOutputs?: { type: string; languages?: readonly string[] }[]
  tools?: ModelTool[]
}

interface CreateOptions extends ModelOptions {
  initialPrompts?: ModelMessage[]
  monitor?(monitor: EventTarget): void
}

interface PromptOptions {
  responseConstraint?: object
  signal?: AbortSignal
}

export interface ModelSession {
  /** Texts, contents, or lists of contents. */
  promptStreaming(input: string | ModelMessage[], options: PromptOptions): AsyncIterable<unknown>
  append?(input: ModelMessage[]): Promise<unknown>
  destroy(): void
}

export interface LanguageModelApi {
  availability(options: ModelOptions): Promise<Availability>
  create(options: CreateOptions): Promise<ModelSession>
}

/** The browser's model. `undefined`: this browser has none. */
export function languageModel(): LanguageModelApi | undefined {
  return (globalThis as { LanguageModel?: LanguageModelApi }).LanguageModel
}

/** Longest piece of a browser's words that is kept. */
const MAX_DETAIL_LENGTH = 200

/** `too_long`, `not_allowed` (a download that no click began) or `browser_failed`. */
export function modelError(cause: unknown): LeuriaError {
  const name = cause instanceof Error ? cause.name : ''
  const [code, words] = WORDS[name] ?? ['browser_failed', "The browser's AI couldn't answer."]
  return new LeuriaError(words, { code, detail: String(cause).slice(0, MAX_DETAIL_LENGTH), cause })
}

const WORDS: Readonly<Record<string, readonly [code: string, words: string]>> = {
  QuotaExceededError: ['too_long', "This is more than the browser's AI takes at once."],
  NotAllowedError: ['not_allowed', "The browser didn't allow its AI here."],
}
