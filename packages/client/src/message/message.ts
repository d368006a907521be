/** What a conversation is made of: messages and their parts. Shapes only; immutable, so that a snapshot can be kept. */
import type { ProviderInfo } from '../provider/provider.js'

export interface TextPart {
  readonly type: 'text'
  readonly text: string
}

/** What the AI thought aloud. */
export interface ReasoningPart {
  readonly type: 'reasoning'
  readonly text: string
}

export interface FilePart {
  readonly type: 'file'
  readonly mediaType: string
  /** A `data:` URL. */
  readonly url: string
  readonly filename?: string
}

/** `awaiting-input`: the visitor answers this call. */
export type ToolCallState = 'running' | 'awaiting-input' | 'done' | 'error'

export interface ToolCallPart {
  readonly type: 'tool-call'
  readonly callId: string
  readonly name: string
  readonly args: unknown
  readonly state: ToolCallState
  /** With `done`. */
  readonly result?: unknown
  /** With `error`. */
  readonly error?: string
}

export type MessagePart = TextPart | ReasoningPart | FilePart | ToolCallPart

/** What the page knows and the AI should: plain values, given with one message. */
export type TurnContextData = Readonly<Record<string, unknown>>

/** How an answer came about. */
export interface MessageMetadata {
  readonly turnId: string
  readonly provider: ProviderInfo
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly finishedAt?: number
  /** What a tool ended the turn with (`endTurn`). */
  readonly outcome?: unknown
  /** The answer of a request with a `schema`, checked. */
  readonly object?: unknown
}

export interface Message {
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly parts: readonly MessagePart[]
  readonly context?: TurnContextData
  readonly metadata?: MessageMetadata
}

/** A file as a page has it. */
export type FileInput = Blob | { readonly url: string; readonly mediaType: string; readonly filename?: string }

/** What a page sends: a text, or a text with files. */
export type MessageInput =
  string | { readonly role?: 'user'; readonly content: string; readonly files?: readonly FileInput[] }
