/** Reads server-sent events in tests, as they come: whole events, their ids, and how many comments there were. */

export interface SseEvent {
  /** Absent: the event had no `id:` of its own. */
  id?: string
  event: string
  /** Parsed from JSON. */
  data: unknown
}

/** Takes text in pieces of any size and gives the events that are complete (WHATWG HTML, "event stream interpretation"). */
export class SseReader {
  readonly events: SseEvent[] = []
  comments = 0
  #rest = ''

  /** The events that `text` completed. */
  push(text: string): SseEvent[] {
    const blocks = (this.#rest + text).split('\n\n')
    this.#rest = blocks.pop() ?? ''
    const found = blocks.map((block) => this.#readBlock(block)).filter((event) => event !== null)
    for (const event of found) this.events.push(event)
    return found
  }

  /** What came after the last complete event. */
  get rest(): string {
    return this.#rest
  }

  #readBlock(block: string): SseEvent | null {
    const fields = new Map<string, string>()
    for (const line of block.split('\n')) {
      const at = line.indexOf(':')
      if (at === 0) this.comments += 1
      else if (at > 0) fields.set(line.slice(0, at), line.slice(at + 1).replace(/^ /, ''))
    }
    const data = fields.get('data')
    if (data === undefined) return null
    const id = fields.get('id')
    const event = { event: fields.get('event') ?? 'message', data: JSON.parse(data) as unknown }
    return id === undefined ? event : { id, ...event }
  }
}

/** The events of a response body (`fetch(...).body`, an `IncomingMessage`), until it ends. */
export async function* readEvents(body: AsyncIterable<Uint8Array | string>): AsyncGenerator<SseEvent, void, undefined> {
  const reader = new SseReader()
  const decoder = new TextDecoder()
  for await (const piece of body) {
    yield* reader.push(typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true }))
  }
}
