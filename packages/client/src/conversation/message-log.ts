/**
 * A conversation's messages: those that are done, and the answer under way. What it shows are immutable snapshots made
 * when somebody reads them, so that a piece of text costs the same after a thousand messages as after one.
 */
import { messageText } from '../message/message-content.js'
import type { Message, MessageMetadata, MessagePart, TextPart, ToolCallPart } from '../message/message.js'
import { newId } from '../message/new-id.js'

/** The answer under way: finished parts, and the text or thought that still grows. */
interface Draft {
  readonly id: string
  metadata: MessageMetadata
  parts: readonly MessagePart[]
  tail: Extract<MessagePart, { text: string }> | null
}

export class MessageLog {
  #done: readonly Message[] = []
  #draft: Draft | null = null
  #answer: () => Message | null = () => null
  #read: () => readonly Message[] = () => []
  #waiting: readonly ToolCallPart[] = []

  constructor(messages: readonly Message[] = []) {
    this.set(messages)
  }

  /** Tells the messages as they stand; the function goes on telling the same after changes. */
  get read(): () => readonly Message[] {
    return this.#read
  }

  /** Calls that the visitor has to answer. */
  get waiting(): readonly ToolCallPart[] {
    return this.#waiting
  }

  /** What has been written of the answer under way. */
  get text(): string {
    const answer = this.#answer()
    return answer ? messageText(answer) : ''
  }

  /** True while the answer under way holds nothing. */
  get isEmpty(): boolean {
    return !this.#draft?.tail && !this.#draft?.parts.length
  }

  set(messages: readonly Message[]): void {
    this.#done = [...messages]
    this.#draft = null
    this.#touch()
  }

  add(message: Message): void {
    this.set([...this.#done, message])
  }

  begin(metadata: MessageMetadata): void {
    this.#draft = { id: newId('message'), metadata, parts: [], tail: null }
    this.#touch()
  }

  /** A piece of the answer. Engines join such texts when they are read, not before. */
  append(type: 'text' | 'reasoning', text: string): void {
    const draft = this.#draft
    if (!draft) return
    if (draft.tail?.type === type) draft.tail = { type, text: draft.tail.text + text }
    else {
      this.#seal(draft)
      draft.tail = { type, text }
    }
    this.#touch()
  }

  /** Puts one text in place of what was written, after everything else. */
  replaceText(text: string): void {
    const draft = this.#draft
    if (!draft) return
    this.#seal(draft)
    const tail: TextPart | null = text ? { type: 'text', text } : null
    Object.assign(draft, { parts: draft.parts.filter(({ type }) => type !== 'text'), tail })
    this.#touch()
  }

  /** A call that is new, or has changed. */
  putCall(call: ToolCallPart): void {
    const draft = this.#draft
    if (!draft) return
    this.#seal(draft)
    const at = draft.parts.findIndex((part) => part.type === 'tool-call' && part.callId === call.callId)
    draft.parts = at < 0 ? [...draft.parts, call] : draft.parts.map((part, index) => (index === at ? call : part))
    const waiting = draft.parts.filter((part) => part.type === 'tool-call').filter(isWaiting)
    const isSame = waiting.length === this.#waiting.length && waiting.every((each) => this.#waiting.includes(each))
    if (!isSame) this.#waiting = waiting
    this.#touch()
  }

  /** The answer is over. An empty one is removed unless it is to be kept. */
  end(metadata: Partial<MessageMetadata>, keepEmpty: boolean): Message | null {
    const draft = this.#draft
    if (!draft) return null
    draft.metadata = { ...draft.metadata, ...metadata }
    this.#touch()
    const message = this.isEmpty && !keepEmpty ? null : this.#answer()
    this.#draft = null
    if (message) this.add(message)
    else this.#touch()
    return message
  }

  #seal(draft: Draft): void {
    if (draft.tail) draft.parts = [...draft.parts, draft.tail]
    draft.tail = null
  }

  #touch(): void {
    const done = this.#done
    const draft = this.#draft && { ...this.#draft }
    const answer = (this.#answer = once(() => draft && finished(draft)))
    this.#read = once(() => {
      const last = answer()
      return last ? [...done, last] : done
    })
  }
}

function isWaiting(call: ToolCallPart): boolean {
  return call.state === 'awaiting-input'
}

function finished({ tail, ...draft }: Draft): Message {
  return { ...draft, role: 'assistant', parts: tail ? [...draft.parts, tail] : draft.parts }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}
