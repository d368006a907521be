/** From what a page sends to a message. */
import type { Message, MessageInput, MessagePart, TurnContextData } from './message.js'
import { newId } from './new-id.js'
import { loadLater } from '../load-later.js'

/**
 * Makes a message of the visitor's; files become `data:` URLs.
 * @throws LeuriaError `bad_request` for a file that is neither a Blob nor a `data:` URL
 */
export async function toMessage(input: MessageInput, context?: TurnContextData): Promise<Message> {
  return userMessage(await readParts(input), context)
}

/** The message around its parts. */
export function userMessage(parts: readonly MessagePart[], context?: TurnContextData): Message {
  return { id: newId('message'), role: 'user', parts, ...(context && { context }) }
}

/** The parts of what a page sends: at once where there are no files. */
export function readParts(input: MessageInput): MessagePart[] | Promise<MessagePart[]> {
  const { content, files = [] } = typeof input === 'string' ? { content: input } : input
  const text: MessagePart[] = content ? [{ type: 'text', text: content }] : []
  if (files.length === 0) return text
  return loadLater().then(async ({ readFile }) => [...text, ...(await Promise.all(files.map(readFile)))])
}
