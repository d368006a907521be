/** A page's WebSocket: opens with the page's Origin, or says how the upgrade was refused; JSON both ways. */
import { WebSocket } from 'ws'
import { Inbox } from '../inbox.js'
import { ClauseBroken } from '../report/observe.js'

const OPEN_LIMIT_MS = 10_000
const MESSAGE_LIMIT_MS = 10_000

export type Message = Readonly<Record<string, unknown>>

function toMessage(data: Buffer): Message {
  try {
    const value: unknown = JSON.parse(data.toString())
    if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value))
  } catch {
    // Not JSON: kept as it is, for whoever looks for it.
  }
  return { type: 'not JSON', text: data.toString() }
}

export class PageSocket {
  readonly inbox = new Inbox<Message>()
  /** Answers the engine's pings, as a page has to. */
  answersPings = true
  /** Called for each message, after the pings. */
  onMessage: (message: Message) => void = () => undefined

  constructor(private readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      const message = toMessage(data)
      if (message.type === 'ping' && this.answersPings) this.send({ type: 'pong' })
      this.inbox.push(message)
      this.onMessage(message)
    })
    socket.on('close', () => {
      this.inbox.close()
    })
  }

  send(message: object): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message))
  }

  /** The next message of this type, from index `from` on. @throws ClauseBroken */
  next(
    type: string,
    { from = 0, limitMs = MESSAGE_LIMIT_MS }: { from?: number; limitMs?: number } = {},
  ): Promise<Message> {
    return this.inbox.find((message) => message.type === type, { limitMs, what: `the message ${type}`, from })
  }

  /** Waits until the engine has closed it. @throws ClauseBroken */
  closed(limitMs = MESSAGE_LIMIT_MS): Promise<void> {
    return this.inbox.end(limitMs, 'the channel')
  }

  /** Drops it without a word. */
  drop(): void {
    this.socket.terminate()
  }
}

/** Opens a WebSocket. `socket` is null when the upgrade was refused with `status`. @throws ClauseBroken without an answer */
export function openSocket(url: string, origin?: string): Promise<{ status: number; socket: PageSocket | null }> {
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    handshakeTimeout: OPEN_LIMIT_MS,
    ...(origin === undefined ? {} : { origin }),
  })
  return new Promise((resolve, reject) => {
    const page = new PageSocket(socket)
    socket.on('open', () => {
      resolve({ status: 101, socket: page })
    })
    socket.on('unexpected-response', (outgoing, incoming) => {
      resolve({ status: incoming.statusCode ?? 0, socket: null })
      outgoing.destroy()
    })
    socket.on('error', (cause) => {
      reject(new ClauseBroken(`the upgrade of ${new URL(url).pathname} got no answer: ${cause.message}`, { cause }))
    })
  })
}

/** Opens it and needs it open. @throws ClauseBroken */
export async function mustOpen(url: string, origin?: string): Promise<PageSocket> {
  const { status, socket } = await openSocket(url, origin)
  if (socket === null) throw new ClauseBroken(`the upgrade of ${new URL(url).pathname} was refused with ${status}`)
  return socket
}
