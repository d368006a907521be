/**
 * Server-sent events from bytes (HTML Standard, "Parsing an event stream"), whatever way the bytes are split.
 * EventSource can't be used: it sends no Authorization header. `retry:` is ignored: backoff is ours.
 */

export interface SseEvent {
  event: string
  data: string
  /** The event's own `id:`. `null`: it had none. */
  id: string | null
}

/** Longest event that is kept, in UTF-16 units: a body of 16 MB with room for its JSON escapes. */
export const MAX_EVENT_LENGTH = 32 * 1024 * 1024

const LINE_END = /\r\n|\n|\r/g

export class SseParser {
  readonly #onEvent: (event: SseEvent) => void
  readonly #maxLength: number
  readonly #decoder = new TextDecoder()
  /** Parts of a line whose end hasn't come; joined once, so that a long line costs no more than its length. */
  #line: string[] = []
  #length = 0
  /** The last part ended with CR: an LF that follows belongs to it. */
  #afterCr = false
  #event = ''
  #data: string[] = []
  #id: string | null = null
  #commented = false

  constructor(onEvent: (event: SseEvent) => void, maxLength = MAX_EVENT_LENGTH) {
    this.#onEvent = onEvent
    this.#maxLength = maxLength
  }

  /** True once a comment was seen: this engine sends heartbeats. */
  get commented(): boolean {
    return this.#commented
  }

  /** @throws RangeError when an event is longer than the limit */
  push(bytes: Uint8Array): void {
    let text = this.#decoder.decode(bytes, { stream: true })
    if (text === '') return
    if (this.#afterCr && text.startsWith('\n')) text = text.slice(1)
    this.#afterCr = text.endsWith('\r')
    let start = 0
    for (const end of text.matchAll(LINE_END)) {
      this.#keep(text.slice(start, end.index))
      this.#endLine()
      start = end.index + end[0].length
    }
    this.#keep(text.slice(start))
  }

  #keep(part: string): void {
    if (part === '') return
    this.#length += part.length
    if (this.#length > this.#maxLength) throw new RangeError('An event is too long.')
    this.#line.push(part)
  }

  #endLine(): void {
    const line = this.#line.join('')
    this.#line = []
    if (line === '') this.#dispatch()
    else if (line.startsWith(':')) this.#commented = true
    else this.#field(line)
  }

  #field(line: string): void {
    const colon = line.indexOf(':')
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (name === 'event') this.#event = value
    else if (name === 'data') this.#data.push(value)
    else if (name === 'id' && !value.includes('\0')) this.#id = value
  }

  /** An event without data is none, but for its id. */
  #dispatch(): void {
    const event = { event: this.#event === '' ? 'message' : this.#event, data: this.#data.join('\n'), id: this.#id }
    const hasData = this.#data.length > 0
    this.#event = ''
    this.#data = []
    this.#id = null
    this.#length = 0
    if (hasData) this.#onEvent(event)
  }
}
