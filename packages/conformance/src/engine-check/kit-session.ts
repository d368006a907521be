/** A session of one of the kit's sites: its requests, its streams, its tool channel. Whoever prepared it closes it. */
import { holds } from '../report/observe.js'
import { type Answer, seen } from '../wire-http.js'
import { type EventStream, openStream } from './event-stream.js'
import { fieldsOf } from './mcp-agent.js'
import { type Message, mustOpen, type PageSocket } from './page-socket.js'
import type { Site, Subject } from './subject.js'

export interface Channel {
  readonly socket: PageSocket
  readonly path: string
  readonly token: string
}

/** A text field of an answer. @throws ClauseBroken when it isn't there */
export function textOf(answer: Answer, name: string): string {
  const value = fieldsOf(answer.json)[name]
  holds(typeof value === 'string', `${seen(answer)}, without a text in ${name}`)
  return value
}

export class KitSession {
  readonly id: string
  readonly registrationToken: string
  readonly #streams: EventStream[] = []
  readonly #sockets: PageSocket[] = []

  constructor(
    readonly subject: Subject,
    readonly site: Site,
    readonly prepared: Answer,
  ) {
    holds(prepared.status === 201, seen(prepared))
    this.id = textOf(prepared, 'sessionId')
    this.registrationToken = textOf(prepared, 'registrationToken')
    site.live.add(this.id)
  }

  get path(): string {
    return `/session/${this.id}`
  }

  async act(action: string, body: unknown = {}): Promise<Answer> {
    const { origin, token } = this.site
    const answer = await this.subject.call(`${this.path}/${action}`, { origin, token, body })
    if (answer.status === 200 && (action === 'close' || action === 'cancel')) this.site.live.delete(this.id)
    return answer
  }

  /** @throws ClauseBroken unless the answer is 200 */
  async must(action: string, body: unknown = {}): Promise<Answer> {
    const answer = await this.act(action, body)
    holds(answer.status === 200, seen(answer))
    return answer
  }

  info(): Promise<Answer> {
    const { origin, token } = this.site
    return this.subject.call(this.path, { origin, token })
  }

  async stream(): Promise<EventStream> {
    const { origin, token } = this.site
    const headers = { Accept: 'text/event-stream' }
    const stream = await openStream(new URL(`${this.path}/stream`, this.subject.options.url), {
      origin,
      token,
      headers,
    })
    this.#streams.push(stream)
    return stream
  }

  /** Registers with this token and gives the reply. */
  async register(token: string = this.registrationToken): Promise<Message> {
    const socket = await mustOpen(this.subject.socketUrl('/webmcp/register'), this.site.origin)
    socket.send({ type: 'register', token })
    const reply = await socket.inbox.find(() => true, { limitMs: 10_000, what: 'the reply to register' })
    socket.drop()
    return reply
  }

  async openChannel(path: string, token: string): Promise<PageSocket> {
    const url = this.subject.socketUrl(`${path}?token=${encodeURIComponent(token)}`)
    const socket = await mustOpen(url, this.site.origin)
    this.#sockets.push(socket)
    return socket
  }

  /** Registers and opens the channel. */
  async channel(): Promise<Channel> {
    const { channel: path, token, type } = await this.register()
    holds(
      typeof path === 'string' && typeof token === 'string',
      `register was answered by ${String(type)} without channel and token`,
    )
    return { socket: await this.openChannel(path, token), path, token }
  }

  /** Starts the AI without a prompt and waits until it is idle. */
  async warm(): Promise<EventStream> {
    const stream = await this.stream()
    await this.must('approve')
    await stream.next('ready', 1, this.subject.options.turnLimitMs)
    return stream
  }

  /** Ends it, whatever it is doing. */
  async dispose(): Promise<void> {
    if (this.site.live.has(this.id)) await this.act('close').catch(() => undefined)
    this.site.live.delete(this.id)
    for (const stream of this.#streams) stream.close()
    for (const socket of this.#sockets) socket.drop()
  }
}

export async function prepareSession(subject: Subject, site: Site, body: unknown = {}): Promise<KitSession> {
  const { origin, token } = site
  return new KitSession(subject, site, await subject.call('/session/prepare', { origin, token, body }))
}
