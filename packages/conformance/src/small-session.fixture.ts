/** For this package's tests: the session of the small client: stream, tool channel, end. */
import { createParser } from 'eventsource-parser'
import type { ClientSession, ClientTool, PageParts } from './client-check/client-page.js'
import type { ClientDefect } from './client-defects.fixture.js'
import { fieldsIn, type Fields } from './fake-engine/fake-channel.js'
import { pause } from './client-check/stage.js'

export interface SmallSessionParts {
  page: PageParts
  has: (defect: ClientDefect) => boolean
  /** POST with the token. */
  post: (path: string, body?: unknown, init?: RequestInit) => Promise<Fields>
  token: () => string
  tools: readonly ClientTool[]
  prompted: boolean
  show: (raw: string, plain: string) => void
}

/** Before the attempts to open something again. */
const WAITS_MS = [250, 500, 1_000, 2_000, 4_000]

export class SmallSession implements ClientSession {
  #outcome: string | null = null
  /** Chunks of the turn, and how many the stream that is open has sent. */
  #chunks: string[] = []
  #seen = 0
  #socket: WebSocket | null = null
  #key: { channel: string; token: string } | null = null

  constructor(
    private readonly id: string,
    private readonly registrationToken: string,
    private readonly parts: SmallSessionParts,
  ) {}

  async start(): Promise<void> {
    const { has } = this.parts
    if (has('approves_first')) await this.#act('approve')
    await this.#openStream()
    const connect = async (): Promise<void> => {
      if (this.parts.tools.length > 0) await this.#openChannel(true)
    }
    if (has('late_tools')) {
      await this.#act('approve')
      await pause(300)
      await connect()
      return
    }
    await connect()
    if (!has('approves_first')) await this.#act('approve')
  }

  outcome(): string | null {
    return this.#outcome
  }

  text(): string {
    return this.#chunks.join('')
  }

  async prompt(text: string): Promise<void> {
    if (this.#outcome !== null) throw new Error('This conversation is over.')
    await this.parts.post(`/session/${this.id}/prompt`, { prompt: text })
  }

  async close(): Promise<void> {
    if (this.#outcome !== null) return
    this.#end('completed')
    await this.parts
      .post(`/session/${this.id}/close`, {}, { keepalive: !this.parts.has('no_keepalive') })
      .catch(() => undefined)
  }

  #act(action: string): Promise<Fields> {
    return this.parts.post(`/session/${this.id}/${action}`)
  }

  #end(outcome: string): void {
    this.#outcome ??= outcome
    this.#socket?.close()
  }

  async #openStream(): Promise<void> {
    const { page, token } = this.parts
    const answer = await page.fetch(`${page.url}/session/${this.id}/stream`, {
      headers: { authorization: `Bearer ${token()}` },
    })
    if (!answer.ok || answer.body === null) throw new Error('no stream')
    this.#seen = 0
    void this.#read(answer.body).finally(() => this.#streamAgain())
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const parser = createParser({
      onEvent: ({ event, data }) => {
        this.#take(event ?? '', JSON.parse(data))
      },
    })
    const decoder = new TextDecoder()
    try {
      for await (const chunk of body as unknown as AsyncIterable<Uint8Array>)
        parser.feed(decoder.decode(chunk, { stream: true }))
    } catch {
      // A stream that broke is opened again.
    }
  }

  async #streamAgain(): Promise<void> {
    const isOver = (): boolean => this.#outcome !== null && !this.parts.has('reopens_ended')
    for (const waitMs of WAITS_MS) {
      if (isOver()) return
      await pause(this.parts.has('no_backoff') ? 250 : waitMs)
      if (isOver()) return
      const isOpen = await this.#openStream().then(
        () => true,
        () => false,
      )
      if (isOpen) return
    }
    this.#end('failed')
  }

  #take(event: string, data: unknown): void {
    if (event === 'turn_start') {
      this.#chunks = []
      this.#seen = 0
    } else if (event === 'chunk') {
      this.#seen += 1
      if (this.#seen > this.#chunks.length || this.parts.has('doubles_replay')) this.#chunks.push(String(data))
    } else if (event === 'failed') {
      this.parts.show(String(data), 'The AI stopped because of an error.')
      this.#end(event)
    } else if (event === 'completed' || event === 'cancelled') this.#end(event)
  }

  async #openChannel(isFirst: boolean): Promise<void> {
    const { page, tools, has } = this.parts
    const server = page.url.replace('http', 'ws')
    this.#key ??= await this.#register(server)
    const socket = await open(page, `${server}${this.#key.channel}?token=${this.#key.token}`)
    this.#socket = socket
    socket.onmessage = ({ data }) => {
      this.#hear(socket, fieldsIn(JSON.parse(String(data))))
    }
    socket.onclose = () => void this.#channelAgain()
    if (!isFirst && has('bare_channel')) return
    for (const { name, description } of tools) socket.send(JSON.stringify({ type: 'registerTool', name, description }))
  }

  async #channelAgain(): Promise<void> {
    for (const waitMs of WAITS_MS) {
      if (this.#outcome !== null) return
      await pause(waitMs)
      const isOpen = await this.#openChannel(false).then(
        () => true,
        () => false,
      )
      if (isOpen) return
    }
  }

  async #register(server: string): Promise<{ channel: string; token: string }> {
    const socket = await open(this.parts.page, `${server}/webmcp/register`)
    const replied = new Promise<Fields>((resolve) => {
      socket.onmessage = ({ data }) => {
        resolve(fieldsIn(JSON.parse(String(data))))
      }
    })
    socket.send(JSON.stringify({ type: 'register', token: this.registrationToken }))
    const { channel, token } = await replied
    socket.close()
    return { channel: String(channel), token: String(token) }
  }

  #hear(socket: WebSocket, { type, id, tool: name }: Fields): void {
    const { has, tools } = this.parts
    if (type === 'ping' && !has('no_pong')) socket.send('{"type":"pong"}')
    if (type !== 'callTool') return
    const tool = tools.find((one) => one.name === name)
    if (tool === undefined && has('ignores_unknown')) return
    const answer = { type: 'toolResponse', id: has('wrong_id') ? `my-${String(id)}` : id }
    try {
      if (tool === undefined) throw new Error('There is no such tool.')
      socket.send(JSON.stringify({ ...answer, result: tool.run() }))
    } catch (error) {
      socket.send(JSON.stringify({ ...answer, error: error instanceof Error ? error.message : 'It failed.' }))
    }
  }
}

function open(page: PageParts, url: string): Promise<WebSocket> {
  const socket = new page.WebSocket(url)
  return new Promise((resolve, reject) => {
    socket.onopen = () => {
      resolve(socket)
    }
    socket.onerror = () => {
      reject(new Error('no socket'))
    }
  })
}
