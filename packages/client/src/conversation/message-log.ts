/**
 * A conversation's messages: those that are done, and the answer under way. The list is put together when somebody reads it,
 * and texts are joined by the browser when they are shown: a piece of text costs the same after a thousand messages as after one.
 */
import { messageText } from '../message/message-content.js'
import type { Message, MessageMetadata, MessagePart, ToolCallPart } from '../message/message.js'
import { newId } from '../message/new-id.js'

export class MessageLog {
  #done: readonly Message[] = []
  #answer: Message | null = null
  #waiting: readonly ToolCallPart[] = []
  /** Tells the messages as they stand, and goes on telling the same after changes. */
  read: () => readonly Message[] = () => []

  constructor(messages: readonly Message[] = []) {
    this.set([...messages])
  }

  /** Calls that the visitor has to answer. */
  get waiting(): readonly ToolCallPart[] {
    return this.#waiting
  }

  /** What has been written of the answer under way. */
  get text(): string {
    return this.#answer ? messageText(this.#answer) : ''
  }

  /** Nothing of the answer under way. */
  get isEmpty(): boolean {
    return !this.#answer?.parts.length
  }

  set(done: readonly Message[], answer: Message | null = null): void {
    let read: readonly Message[] | undefined
    this.#done = done
    this.#answer = answer
    this.read = () => (read ??= answer ? [...done, answer] : done)
  }

  add(message: Message): void {
    this.set([...this.#done, message])
  }

  begin(metadata: MessageMetadata): void {
    this.set(this.#done, { id: newId('message'), role: 'assistant', parts: [], metadata })
  }

  /** A piece of the answer. */
  append(type: 'text' | 'reasoning', text: string): void {
    this.#setParts((parts) => {
      const last = parts.at(-1)
      return last?.type === type
        ? [...parts.slice(0, -1), { type, text: last.text + text }]
        : [...parts, { type, text }]
    })
  }

  /** Puts one text in place of what was written, after everything else. */
  replaceText(text: string): void {
    this.#setParts((parts) => {
      const others = parts.filter(({ type }) => type !== 'text')
      return text ? [...others, { type: 'text', text }] : others
    })
  }

  /** A call that is new, or has changed. */
  putCall(call: ToolCallPart): void {
    const isIt = (part: MessagePart): boolean => part.type === 'tool-call' && part.callId === call.callId
    this.#setParts((parts) => (parts.some(isIt) ? parts.map((part) => (isIt(part) ? call : part)) : [...parts, call]))
    const others = this.#waiting.filter((part) => !isIt(part))
    if (call.state === 'awaiting-input') this.#waiting = [...others, call]
    else if (others.length < this.#waiting.length) this.#waiting = others
  }

  /** The answer is over. An empty one is removed unless it is to be kept. */
  end(metadata: MessageMetadata, keepEmpty: boolean): Message | null {
    const message = this.#answer && (keepEmpty || !this.isEmpty) ? { ...this.#answer, metadata } : null
    if (message) this.add(message)
    else this.set(this.#done)
    return message
  }

  #setParts(change: (parts: readonly MessagePart[]) => readonly MessagePart[]): void {
    const answer = this.#answer
    if (answer) this.set(this.#done, { ...answer, parts: change(answer.parts) })
  }
}
