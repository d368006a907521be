/** A session's event stream as a page reads it: its head, its events, its end, and the text as it was. */
import type { IncomingHttpHeaders } from 'node:http'
import { createParser } from 'eventsource-parser'
import { Inbox } from '../inbox.js'
import { type Call, openRequest } from '../wire-http.js'

export interface SeenEvent {
  readonly event: string
  /** `undefined`: not JSON. */
  readonly data: unknown
}

/** How long an event may take that no AI has to think about. */
const EVENT_LIMIT_MS = 10_000

function parseData(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}

export class EventStream {
  readonly inbox = new Inbox<SeenEvent>()
  /** Everything as it came. */
  text = ''

  constructor(
    readonly status: number,
    readonly headers: IncomingHttpHeaders,
    readonly close: () => void,
  ) {}

  get events(): readonly SeenEvent[] {
    return this.inbox.items
  }

  get names(): string[] {
    return this.events.map(({ event }) => event)
  }

  /** The data of all events of this name. */
  dataOf(name: string): unknown[] {
    return this.events.filter(({ event }) => event === name).map(({ data }) => data)
  }

  /** All text of the AI so far. */
  get said(): string {
    return this.dataOf('chunk').map(String).join('')
  }

  /** Waits for the `count`th event of this name. @throws ClauseBroken */
  next(name: string, count = 1, limitMs = EVENT_LIMIT_MS): Promise<SeenEvent> {
    const what = count === 1 ? `the event ${name}` : `event ${name} number ${count}`
    return this.inbox.find((item) => item === this.events.filter(({ event }) => event === name)[count - 1], {
      limitMs,
      what,
    })
  }

  /** Waits for the stream's end. @throws ClauseBroken */
  end(limitMs = EVENT_LIMIT_MS): Promise<void> {
    return this.inbox.end(limitMs, 'the stream')
  }
}

/** Opens it; resolves with the head of the answer. @throws ClauseBroken without one */
export async function openStream(url: URL, call: Call): Promise<EventStream> {
  const { incoming, outgoing } = await openRequest(url, call)
  const stream = new EventStream(incoming.statusCode ?? 0, incoming.headers, () => outgoing.destroy())
  const parser = createParser({
    onEvent: ({ event = 'message', data }) => {
      stream.inbox.push({ event, data: parseData(data) })
    },
  })
  const decoder = new TextDecoder()
  incoming.on('data', (chunk: Buffer) => {
    const text = decoder.decode(chunk, { stream: true })
    stream.text += text
    parser.feed(text)
  })
  const close = (): void => {
    stream.inbox.close()
  }
  incoming.on('end', close).on('error', close).on('close', close)
  return stream
}
