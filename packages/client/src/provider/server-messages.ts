/**
 * Messages as a chat completions endpoint takes them, always in an order that the strictest one accepts: roles take turns,
 * and every tool call has its result directly after it.
 */
import { messageFiles, promptText } from '../message/message-content.js'
import type { Message, ToolCallPart } from '../message/message.js'
import { outcomeText } from './outcome-text.js'
import type { SessionOptions } from './provider.js'

export interface WireCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

type UserPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }

interface AssistantMessage {
  role: 'assistant'
  content: string
  tool_calls?: WireCall[]
}

export type ChatMessage =
  | AssistantMessage
  | { role: 'system'; content: string }
  | { role: 'user'; content: string | UserPart[] }
  | { role: 'tool'; content: string; tool_call_id: string }

/** What a call gets as its result when the turn ended before there was one. */
export const NO_RESULT = 'Stopped before there was a result.'

/** A name that every API takes (letters, digits, `_`, `-`, at most 64): a page may have `cart.add` (FC-18). */
export function wireName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64)
}

export function wireCall(id: string, name: string, args: unknown): WireCall {
  return { id, type: 'function', function: { name: wireName(name), arguments: JSON.stringify(args ?? {}) } }
}

/** Says something for the other side where its word is missing: a turn may have failed, a page may speak first. */
export function giveTurnTo(role: 'user' | 'assistant', messages: ChatMessage[]): void {
  const last = messages.at(-1)?.role
  const asked = last === 'user' || last === 'tool'
  const content = '[No answer.]'
  if (role === 'user' && asked) messages.push({ role: 'assistant', content })
  if (role === 'assistant' && !asked) messages.push({ role: 'user', content })
}

/** The visitor's message. */
export function ask(messages: ChatMessage[], message: Message, images: boolean): void {
  giveTurnTo('user', messages)
  const text = promptText(message)
  const pictures = messageFiles(message).flatMap(({ mediaType, url }): UserPart[] =>
    images && mediaType.startsWith('image/') ? [{ type: 'image_url', image_url: { url } }] : [],
  )
  messages.push({
    role: 'user',
    content: pictures.length > 0 ? [...(text ? [{ type: 'text' as const, text }] : []), ...pictures] : text,
  })
}

/** What was said before. */
export function chatHistory({ system, history }: SessionOptions, images: boolean): ChatMessage[] {
  const messages: ChatMessage[] = system ? [{ role: 'system', content: system }] : []
  for (const message of history) {
    if (message.role === 'user') ask(messages, message, images)
    else repeat(messages, message)
  }
  return messages
}

/** The AI's message: text after calls is another answer of its. */
function repeat(messages: ChatMessage[], { parts }: Message): void {
  giveTurnTo('assistant', messages)
  let answer: AssistantMessage | undefined
  const open = (): AssistantMessage => {
    answer = { role: 'assistant', content: '' }
    messages.push(answer)
    return answer
  }
  for (const part of parts) {
    if (part.type === 'text') (answer?.tool_calls ? open() : (answer ?? open())).content += part.text
    if (part.type !== 'tool-call') continue
    const { callId, name, args } = part
    ;((answer ?? open()).tool_calls ??= []).push(wireCall(callId, name, args))
    messages.push({ role: 'tool', tool_call_id: callId, content: partResult(part) })
  }
}

function partResult({ state, result, error = NO_RESULT }: ToolCallPart): string {
  return outcomeText(state === 'done' ? { ok: true, result } : { ok: false, error })
}
