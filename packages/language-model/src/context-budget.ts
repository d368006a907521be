/**
 * Keeps a conversation within what a model can take: shortens the oldest tool results first, then leaves out the oldest
 * turns, and tells the AI each time. Changes the history for good, so that a server's cache of its beginning stays useful.
 */
import type { ChatMessage, ToolOffer, UserPart } from './chat-message.js'
import { Growing } from './growing.js'

/** UTF-8 bytes a token, on the safe side: English has about 4, code about 3, Chinese 3 for one character. */
const BYTES_PER_TOKEN = 3
/** A message's role and separators. */
const TOKENS_PER_MESSAGE = 8
/** An image of usual size; services differ from 85 to 3,000. */
const TOKENS_PER_IMAGE = 1_500
/** What is left of a shortened result: enough to see what it was. */
const SHORT_RESULT_LENGTH = 300
/** Part of the context that is kept free for the answer, at most this many tokens. */
const ANSWER_SHARE = 0.25
const MAX_ANSWER_TOKENS = 4_096
/** When shrinking, some more than needed is freed: each change costs a local server its cached beginning. */
const SHRINK_TO = 0.8

const OMITTED_TURNS = '[Earlier parts of this conversation were left out to fit into your context.]'

/** Of each conversation as long as it lives. */
const counted = new WeakMap<readonly ChatMessage[], Growing<ChatMessage, number>>()

/** A rough count, on the safe side. */
export function estimateTokens(messages: readonly ChatMessage[], tools: readonly ToolOffer[] = []): number {
  const known = counted.get(messages) ?? new Growing<ChatMessage, number>(0, (sum, message) => sum + bytesOf(message))
  counted.set(messages, known)
  const toolBytes = tools.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(tools))
  return Math.ceil((known.of(messages) + toolBytes) / BYTES_PER_TOKEN)
}

/** Tokens count as the bytes that they stand for. */
function bytesOf(message: ChatMessage): number {
  let bytes = TOKENS_PER_MESSAGE * BYTES_PER_TOKEN
  if (message.role === 'user') bytes += partTokens(message.parts) * BYTES_PER_TOKEN
  else bytes += Buffer.byteLength(message.text)
  if (message.role === 'assistant')
    for (const call of message.calls) bytes += Buffer.byteLength(call.arguments) + call.name.length
  return bytes
}

function partTokens(parts: readonly UserPart[]): number {
  let tokens = 0
  for (const part of parts)
    tokens += part.type === 'image' ? TOKENS_PER_IMAGE : Math.ceil(Buffer.byteLength(part.text) / BYTES_PER_TOKEN)
  return tokens
}

/** How many tokens a question may have in a context of this size. */
export function questionBudget(contextTokens: number): number {
  return contextTokens - Math.min(MAX_ANSWER_TOKENS, Math.floor(contextTokens * ANSWER_SHARE))
}

/**
 * Shrinks `messages` in place until they fit `budget`, together with the tools.
 * False: nothing more can be taken away and it may still be too long.
 */
export function fitContext(messages: ChatMessage[], tools: readonly ToolOffer[], budget: number): boolean {
  if (estimateTokens(messages, tools) <= budget) return true
  const goal = Math.floor(budget * SHRINK_TO)
  const fits = (limit: number): boolean => estimateTokens(messages, tools) <= limit
  shortenOldResults(messages, () => fits(goal))
  while (!fits(goal) && dropOldestTurn(messages));
  if (!fits(goal)) cutNewResults(messages, () => estimateTokens(messages, tools) - goal)
  return fits(budget)
}

/** True when there is anything that `fitContext` could take away. */
export function canShrink(messages: readonly ChatMessage[]): boolean {
  return (
    messages.some((message) => message.role === 'tool' && message.text.length > SHORT_RESULT_LENGTH * 2) ||
    messages.filter((message) => message.role === 'user').length > 1
  )
}

/** Results of the step that the AI has not answered yet: they matter most. */
function firstNewResult(messages: readonly ChatMessage[]): number {
  return messages.findLastIndex((message) => message.role !== 'tool') + 1
}

function shortenOldResults(messages: ChatMessage[], enough: () => boolean): void {
  const end = firstNewResult(messages)
  for (let at = 0; at < end && !enough(); at += 1) shortenResult(messages, at, SHORT_RESULT_LENGTH)
}

/** Cuts a result to `length` characters and says so. Shorter ones stay. */
function shortenResult(messages: ChatMessage[], at: number, length: number): void {
  const message = messages[at]
  if (message?.role !== 'tool' || message.text.length <= length * 2) return
  const kept = wholeCharacters(message.text, length)
  const note = `[Shortened to fit into your context: this is the beginning (${kept.length} of ${message.text.length} characters). Call the tool again if you need more.]`
  messages[at] = { ...message, text: `${kept}\n${note}` }
}

/** The beginning, never ending in half a character. */
function wholeCharacters(text: string, length: number): string {
  const cut = text.slice(0, length)
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut
}

/** Takes out the first question with everything up to the next one. False: there is only one left. */
function dropOldestTurn(messages: ChatMessage[]): boolean {
  const first = messages.findIndex((message) => message.role === 'user')
  const second = messages.findIndex((message, at) => at > first && message.role === 'user')
  if (first === -1 || second === -1) return false
  messages.splice(first, second - first)
  const next = messages[first]
  if (next?.role === 'user' && !isOmission(next.parts[0])) {
    messages[first] = { role: 'user', parts: [{ type: 'text', text: OMITTED_TURNS }, ...next.parts] }
  }
  return true
}

const isOmission = (part: UserPart | undefined): boolean => part?.type === 'text' && part.text === OMITTED_TURNS

/** Last resort: every new result gets an equal share less. */
function cutNewResults(messages: ChatMessage[], excess: () => number): void {
  for (let round = 0; round < 4; round += 1) {
    const missing = excess()
    const start = firstNewResult(messages)
    const results = messages.length - start
    if (missing <= 0 || results === 0) return
    const perResult = Math.ceil((missing * BYTES_PER_TOKEN) / results)
    for (let at = start; at < messages.length; at += 1) {
      const message = messages[at]
      if (message?.role !== 'tool') continue
      const length = Math.max(SHORT_RESULT_LENGTH, message.text.length - perResult - SHORT_RESULT_LENGTH)
      if (length < message.text.length) shortenExactly(messages, at, length)
    }
  }
}

function shortenExactly(messages: ChatMessage[], at: number, length: number): void {
  const message = messages[at]
  if (message?.role !== 'tool' || message.text.length <= length) return
  const kept = wholeCharacters(message.text, length)
  messages[at] = {
    ...message,
    text: `${kept}\n[Cut here to fit into your context: ${message.text.length - kept.length} characters are missing.]`,
  }
}
