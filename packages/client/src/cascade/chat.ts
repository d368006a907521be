/** One request: a conversation that is closed once it is answered. */
import type { ChatRun } from '../conversation/chat-run.js'
import type { ConversationOptions } from '../conversation/conversation-options.js'
import { Conversation, type SendOptions } from '../conversation/conversation.js'
import { LeuriaError } from '../errors.js'
import { messageFiles, messageText } from '../message/message-content.js'
import type { Message } from '../message/message.js'
import type { ConversationHost } from './conversation-host.js'

export interface ChatRequest<Checked = unknown, Output = Checked>
  extends ConversationOptions<Checked, Output>, SendOptions {
  /** What to answer. In its place, or after what was said before: `messages`. */
  prompt?: string
  /** What was said before, oldest first; without `prompt` the last one is the visitor's, and is answered. */
  messages?: readonly Message[]
}

/** @throws LeuriaError `bad_request` without a message of the visitor's */
export function startChat(host: ConversationHost, request: ChatRequest): ChatRun {
  const { prompt, messages = [], context, signal, timeoutMs, ...options } = request
  const last = prompt === undefined ? messages.at(-1) : undefined
  if (prompt === undefined && last?.role !== 'user') {
    throw new LeuriaError('There is nothing to answer.', { code: 'bad_request' })
  }
  const input = last ? { content: messageText(last), files: messageFiles(last) } : (prompt ?? '')
  const conversation = new Conversation(host, { ...options, messages: last ? messages.slice(0, -1) : messages })
  const run = conversation.send(input, { context: context ?? last?.context, signal, timeoutMs })
  const close = (): void => {
    void conversation.close()
  }
  run.result().then(close, close)
  return run
}
