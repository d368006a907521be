/**
 * A web page's side of the tool channel over a real WebSocket: registers, declares, answers calls with given functions.
 * It can also misbehave: drop, stall, answer twice, leave pings unanswered, send anything at all.
 */
import { type EngineMessage, engineMessage, registerReply } from '@leuria/protocol'
import { WebSocket } from 'ws'

export interface FakePageTool {
  description?: string
  inputSchema?: unknown
  annotations?: unknown
  /** Gives the result; throwing answers with an error. A promise that never resolves stalls the call. */
  run: (args: unknown, call: { id: string; page: FakePage }) => unknown
}

export interface FakePageOptions {
  /** As `POST /session/prepare` gave it. */
  registrationToken: string
  /** `ws://127.0.0.1:<port>` */
  server: string
  /** Sent as `Origin`. Absent: none, as from a local program. */
  origin?: string
  tools?: Readonly<Record<string, FakePageTool>>
  /** By uri. */
  resources?: Readonly<Record<string, () => unknown>>
  prompts?: Readonly<Record<string, (args: unknown) => unknown>>
}

export interface FakePageCall {
  id: string
  tool: string
  arguments: unknown
}

/** How long the page waits for what must come, in ms: generous, because a test machine is busy. */
const PATIENCE_MS = 20_000

export class FakePage {
  /** Every `callTool`, in order, repeated ones too. */
  readonly calls: FakePageCall[] = []
  /** Everything else the engine sent on the channel. */
  readonly messages: EngineMessage[] = []
  /** False: pings stay unanswered. */
  answersPings = true
  /** False: calls wait for `answer`. */
  answersCalls = true
  /** How often each answer is sent. */
  answerCount = 1
  #socket: WebSocket | null = null
  #closed: Promise<{ code: number; reason: string }> = new Promise(() => undefined)
  #channel = ''
  readonly #waiting = new Set<() => void>()

  constructor(readonly options: FakePageOptions) {}

  /** Path and token of the channel, once registered. */
  get channel(): string {
    return this.#channel
  }

  get open(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN
  }

  /** Registers, opens the channel and declares everything. */
  async connect(): Promise<void> {
    const reply = await this.register(this.options.registrationToken)
    if (reply.type === 'error') throw new Error(`The page could not register: ${reply.message}`)
    this.#channel = `${reply.channel}?token=${reply.token}`
    await this.openChannel()
    await this.declareAll()
  }

  /** One register exchange on a socket of its own. */
  async register(token: string) {
    const socket = await this.#open('/webmcp/register')
    const answer = new Promise<unknown>((resolve) =>
      socket.once('message', (data: Buffer) => {
        resolve(JSON.parse(data.toString()))
      }),
    )
    socket.send(JSON.stringify({ type: 'register', token }))
    const reply = registerReply.parse(await answer)
    socket.close()
    return reply
  }

  /** Opens the channel (again). Declares nothing. */
  async openChannel(): Promise<void> {
    const socket = await this.#open(this.#channel)
    socket.on('message', (data: Buffer) => {
      this.#receive(socket, data)
    })
    this.#closed = new Promise((resolve) => {
      socket.once('close', (code, reason) => {
        resolve({ code, reason: reason.toString() })
      })
    })
    this.#socket = socket
  }

  /** Opens the channel again and declares everything again, as a page does that lost its connection. */
  async reconnect(): Promise<void> {
    await this.openChannel()
    await this.declareAll()
  }

  async declareAll(): Promise<void> {
    const { tools = {}, resources = {}, prompts = {} } = this.options
    for (const [name, { run: _, ...tool }] of Object.entries(tools))
      await this.declare({ type: 'registerTool', name, ...tool })
    for (const uri of Object.keys(resources)) await this.declare({ type: 'registerResource', uri })
    for (const name of Object.keys(prompts)) await this.declare({ type: 'registerPrompt', name })
  }

  /** Sends a declaration and waits for its `ack`, or for the `error` that refuses it. */
  async declare(message: { type: string; [key: string]: unknown }): Promise<EngineMessage> {
    const from = this.messages.length
    this.send(message)
    return this.next(
      (reply) => reply.type === 'error' || (reply.type === 'ack' && reply.registration === message.type),
      from,
    )
  }

  send(message: unknown): void {
    this.sendRaw(JSON.stringify(message))
  }

  /** Any bytes at all. */
  sendRaw(data: string | Buffer): void {
    this.#socket?.send(data)
  }

  /** The first message since `from` that fits; waits for it. */
  next(fits: (message: EngineMessage) => boolean, from = 0): Promise<EngineMessage> {
    return this.#until(() => this.messages.slice(from).find(fits), 'a message')
  }

  /** Waits until so many calls have come. */
  async called(count: number): Promise<FakePageCall[]> {
    await this.#until(() => (this.calls.length >= count ? true : undefined), `${count} calls`)
    return this.calls
  }

  /** Answers a call by hand. */
  answer(id: string, fields: { result?: unknown; error?: unknown; content?: unknown }): void {
    for (let sent = 0; sent < this.answerCount; sent += 1) this.send({ type: 'toolResponse', id, ...fields })
  }

  /** Cuts the connection without a word, as a sleeping laptop does. */
  drop(): void {
    this.#socket?.terminate()
  }

  close(): void {
    this.#socket?.close()
  }

  /** Stops reading, as a page stuck in a loop does; what the engine sends piles up. */
  pause(): void {
    this.#socket?.pause()
  }

  /** Resolves with the code when the current socket has closed, also when that has happened already. */
  closed(): Promise<{ code: number; reason: string }> {
    return this.#closed
  }

  #open(path: string): Promise<WebSocket> {
    const { server, origin } = this.options
    const socket = new WebSocket(server + path, { perMessageDeflate: false, ...(origin !== undefined && { origin }) })
    return new Promise((resolve, reject) => {
      socket.once('open', () => {
        resolve(socket)
      })
      socket.once('error', reject)
      socket.on('error', () => undefined)
    })
  }

  #receive(socket: WebSocket, data: Buffer): void {
    const message = engineMessage.parse(JSON.parse(data.toString()))
    if (message.type === 'callTool')
      this.calls.push({ id: message.id, tool: message.tool, arguments: message.arguments })
    this.messages.push(message)
    for (const check of [...this.#waiting]) check()
    if (message.type === 'ping') {
      if (this.answersPings) socket.send('{"type":"pong"}')
    } else if (this.answersCalls) void this.#answer(message)
  }

  /** On whatever socket is open then: an answer may come after a reconnect. */
  async #answer(message: EngineMessage): Promise<void> {
    const run = this.#runnerOf(message)
    if (run === null || !('id' in message)) return
    const type = message.type.replace(/^(call|read|get)/, '').toLowerCase() + 'Response'
    let answer: object
    try {
      answer = { type, id: message.id, result: await run() }
    } catch (error) {
      answer = { type, id: message.id, error: error instanceof Error ? error.message : String(error) }
    }
    for (let sent = 0; sent < this.answerCount; sent += 1) if (this.open) this.send(answer)
  }

  #runnerOf(message: EngineMessage): (() => unknown) | null {
    const { tools = {}, resources = {}, prompts = {} } = this.options
    switch (message.type) {
      case 'callTool': {
        const tool = tools[message.tool]
        return () => {
          if (tool === undefined) throw new Error(`Unknown tool ${message.tool}`)
          return tool.run(message.arguments, { id: message.id, page: this })
        }
      }
      case 'readResource':
        return () => resources[message.uri]?.()
      case 'getPrompt':
        return () => prompts[message.name]?.(message.arguments)
      default:
        return null
    }
  }

  #until<Found>(look: () => Found | undefined, what: string): Promise<Found> {
    const found = look()
    if (found !== undefined) return Promise.resolve(found)
    return new Promise((resolve, reject) => {
      const check = (): void => {
        const value = look()
        if (value === undefined) return
        stop()
        resolve(value)
      }
      const timer = setTimeout(() => {
        stop()
        reject(new Error(`The page waited for ${what} in vain.`))
      }, PATIENCE_MS)
      const stop = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(check)
      }
      this.#waiting.add(check)
    })
  }
}

/** A page that has registered, opened its channel and declared its tools. */
export async function fakePage(options: FakePageOptions): Promise<FakePage> {
  const page = new FakePage(options)
  await page.connect()
  return page
}
