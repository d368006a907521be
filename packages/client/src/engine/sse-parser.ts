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

export interface SseParser {
  /** @throws RangeError when an event is longer than the limit */
  push(bytes: Uint8Array): void
  /** True once a comment was seen: this engine sends heartbeats. */
  commented(): boolean
}

export function createSseParser(onEvent: (event: SseEvent) => void, maxLength = MAX_EVENT_LENGTH): SseParser {
  const block = createBlock(onEvent)
  const decoder = new TextDecoder()
  /** Parts of a line whose end hasn't come; joined once, so that a long line costs no more than its length. */
  let line: string[] = []
  let length = 0
  /** The last part ended with CR: an LF that follows belongs to it. */
  let afterCr = false

  const keep = (part: string): void => {
    length += part.length
    if (length > maxLength) throw new RangeError('An event is too long.')
    line.push(part)
  }

  return {
    push: (bytes) => {
      let text = decoder.decode(bytes, { stream: true })
      if (text === '') return
      if (afterCr && text.startsWith('\n')) text = text.slice(1)
      afterCr = text.endsWith('\r')
      let start = 0
      for (const end of text.matchAll(LINE_END)) {
        keep(text.slice(start, end.index))
        if (block.take(line.join(''))) length = 0
        line = []
        start = end.index + end[0].length
      }
      keep(text.slice(start))
    },
    commented: block.commented,
  }
}

/** Lines → events. */
function createBlock(onEvent: (event: SseEvent) => void) {
  let event = ''
  let data: string[] = []
  let id: string | null = null
  let commented = false

  /** An event without data is none. */
  const dispatch = (): void => {
    const whole = { event: event === '' ? 'message' : event, data: data.join('\n'), id }
    const hasData = data.length > 0
    event = ''
    data = []
    id = null
    if (hasData) onEvent(whole)
  }

  const field = (name: string, value: string): void => {
    if (name === 'event') event = value
    if (name === 'data') data.push(value)
    if (name === 'id' && !value.includes('\0')) id = value
  }

  return {
    commented: () => commented,
    /** True: the line ended an event. */
    take: (line: string): boolean => {
      const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
      if (line === '') dispatch()
      else if (name === '') commented = true
      else field(name, value)
      return line === ''
    },
  }
}
