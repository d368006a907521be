/**
 * A page that behaves as a good client does on a bad network: comes back whenever its channel drops, declares again,
 * carries out each call once and answers it as often as it is asked. Its answers may also come twice.
 */
import { engineMessage, registerReply } from '@leuria/protocol'
import { between, type Random } from '@leuria/testing'
import { WebSocket } from 'ws'

export interface PageOptions {
  /** Where to connect to, and what `Host` says. */
  port: number
  host: string
  origin: string
  registrationToken: string
  random: Random
}

/** How long the page waits for the register door before it tries again, in ms. */
const REGISTER_LIMIT_MS = 80

export class StubbornPage {
  /** Call id → how often it came, and how often it was carried out. */
  readonly calls = new Map<string, { came: number; ran: number; n: unknown }>()
  #channel: string | null = null
  #socket: WebSocket | null = null
  #gone = false
  #declared = false
  readonly #open = new Set<WebSocket>()

  constructor(private readonly options: PageOptions) {
    void this.#live()
  }

  /** Resolves when its tool is declared, or after a while: some pages never get in. */
  async ready(limitMs: number): Promise<void> {
    const startMs = performance.now()
    while (!this.#declared && performance.now() - startMs < limitMs) await this.#pause(3)
  }

  /** Leaves for good. */
  leave(): void {
    this.#gone = true
    for (const socket of this.#open) socket.terminate()
  }

  /** Drops the channel, as a page that reloads its connection. */
  drop(): void {
    this.#socket?.terminate()
  }

  async #live(): Promise<void> {
    for (let tries = 0; !this.#gone && this.#channel === null && tries < 20; tries += 1) {
      this.#channel = await this.#register()
      await this.#pause(5)
    }
    while (!this.#gone && this.#channel !== null) {
      await this.#serve(this.#channel)
      await this.#pause(8)
    }
  }

  #pause(maxMs: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, between(this.options.random, 1, maxMs)))
  }

  #dial(path: string): WebSocket {
    const { port, host, origin } = this.options
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, {
      origin,
      headers: { host },
      perMessageDeflate: false,
    })
    this.#open.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => this.#open.delete(socket))
    return socket
  }

  /** `null`: it didn't work. The token works once, so a lost answer means that this page never gets in. */
  #register(): Promise<string | null> {
    const socket = this.#dial('/webmcp/register')
    return new Promise((resolve) => {
      const finish = (channel: string | null): void => {
        clearTimeout(timer)
        socket.terminate()
        resolve(channel)
      }
      const timer = setTimeout(() => {
        finish(null)
      }, REGISTER_LIMIT_MS)
      socket.on('open', () => {
        socket.send(JSON.stringify({ type: 'register', token: this.options.registrationToken }))
      })
      socket.on('message', (data: Buffer) => {
        const reply = registerReply.parse(JSON.parse(data.toString()))
        finish(reply.type === 'error' ? null : `${reply.channel}?token=${reply.token}`)
      })
      socket.on('close', () => {
        finish(null)
      })
    })
  }

  /** One connection, until it ends. */
  #serve(channel: string): Promise<void> {
    const socket = this.#dial(channel)
    this.#socket = socket
    socket.on('open', () => {
      socket.send(JSON.stringify({ type: 'registerTool', name: 'echo', description: 'Says back a number' }))
    })
    socket.on('message', (data: Buffer) => {
      const message = engineMessage.parse(JSON.parse(data.toString()))
      if (message.type === 'ack') this.#declared = true
      if (message.type === 'ping') socket.send('{"type":"pong"}')
      if (message.type === 'callTool') void this.#answer(message.id, message.arguments)
    })
    socket.on('unexpected-response', () => {
      // 401: the session is over, or the page is to think so.
      socket.terminate()
    })
    return new Promise((resolve) => socket.on('close', () => resolve()))
  }

  /** On whatever socket is open then: an answer may come after a reconnect. */
  async #answer(id: string, args: unknown): Promise<void> {
    const n = typeof args === 'object' && args !== null && 'n' in args ? args.n : undefined
    const call = this.calls.get(id) ?? { came: 0, ran: 0, n }
    this.calls.set(id, call)
    call.came += 1
    // A page that reloads in the middle of a call, perhaps again and again.
    if (this.options.random() < 0.15) {
      this.drop()
      return
    }
    if (call.ran === 0) {
      call.ran += 1
      await this.#pause(12)
    }
    const twice = this.options.random() < 0.2 ? 2 : 1
    const answer = JSON.stringify({ type: 'toolResponse', id, result: { echo: n } })
    for (let count = 0; count < twice; count += 1)
      if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(answer)
  }
}
