/**
 * Messages as a chat completions endpoint takes them, always in an order that the strictest one accepts: roles take turns,
 * and every tool call has its result directly after it.
 */
import { isFields } from '../engine/unknown-value.js'
import { messageFiles, promptText } from '../message/message-content.js'
import type { Message, ToolCallPart } from '../message/message.js'
import { outcomeText } from './outcome-text.js'
import type { SessionOptions } from './provider.js'

interface WireCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

type UserContent = string | ({ type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } })[]

export type ChatMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: UserContent }
  | { role: 'assistant'; content: string | null; tool_calls?: WireCall[] }
  | { role: 'tool'; tool_call_id: string; content: string }

/** What a call gets as its result when the turn ended before there was one. */
export const NO_RESULT = 'Stopped before there was a result.'
/** Stands where a word of the other side is missing. */
const NOTHING_SAID = '[No answer.]'

/** A name that every API takes (letters, digits, `_`, `-`, at most 64): a page may have `cart.add` (FC-18). */
export function wireName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64)
}

export function wireCall(call: { id: string; name: string; args: unknown }): WireCall {
  const args = JSON.stringify(isFields(call.args) ? call.args : {})
  return { id: call.id, type: 'function', function: { name: wireName(call.name), arguments: args } }
}

/** Says something in the AI's place where it is the AI's turn: a turn may have failed or been stopped. */
export function settle(messages: ChatMessage[]): void {
  const role = messages.at(-1)?.role
  if (role === 'user' || role === 'tool') messages.push({ role: 'assistant', content: NOTHING_SAID })
}

/** The visitor's message. */
export function ask(messages: ChatMessage[], message: Message, images: boolean): void {
  settle(messages)
  const text = promptText(message)
  const pictures = images ? messageFiles(message).filter(({ mediaType }) => mediaType.startsWith('image/')) : []
  const content: UserContent =
    pictures.length === 0
      ? text
      : [
          ...(text === '' ? [] : [{ type: 'text' as const, text }]),
          ...pictures.map(({ url }) => ({ type: 'image_url' as const, image_url: { url } })),
        ]
  messages.push({ role: 'user', content })
}

/** What was said before. */
export function chatHistory({ system, history }: SessionOptions, images: boolean): ChatMessage[] {
  const messages: ChatMessage[] = system === undefined ? [] : [{ role: 'system', content: system }]
  for (const message of history) {
    if (message.role === 'user') ask(messages, message, images)
    else repeat(messages, message)
  }
  settle(messages)
  return messages
}

/** The AI's message: each run of calls ends one of its answers. */
function repeat(messages: ChatMessage[], { parts }: Message): void {
  const role = messages.at(-1)?.role
  if (role !== 'user' && role !== 'tool') messages.push({ role: 'user', content: NOTHING_SAID })
  let text = ''
  let calls: ToolCallPart[] = []
  const flush = (): void => {
    if (calls.length > 0) {
      const tool_calls = calls.map(({ callId, name, args }) => wireCall({ id: callId, name, args }))
      messages.push({ role: 'assistant', content: text || null, tool_calls })
      for (const call of calls) messages.push({ role: 'tool', tool_call_id: call.callId, content: partResult(call) })
    } else if (text !== '') messages.push({ role: 'assistant', content: text })
    text = ''
    calls = []
  }
  for (const part of parts) {
    if (part.type === 'tool-call') calls.push(part)
    if (part.type !== 'text') continue
    if (calls.length > 0) flush()
    text += part.text
  }
  flush()
  settle(messages)
}

function partResult({ state, result, error = NO_RESULT }: ToolCallPart): string {
  if (state === 'done') return outcomeText({ ok: true, result })
  return state === 'error' ? outcomeText({ ok: false, error }) : NO_RESULT
}
