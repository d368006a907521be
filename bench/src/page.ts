/** A page at the least cost: one session, its tools, its event stream. The same for every variant. */
import { type IncomingMessage, request } from 'node:http'
import { WebSocket } from 'ws'
import * as z from 'zod/mini'
import { ORIGIN } from './connected-engine.js'
import { KeepAliveClient } from './keep-alive-client.js'

export interface Target {
  port: number
  /** The grant token; the floors ask for none. */
  token: string
  /** @default the first connected site */
  origin?: string
}

export interface PageOptions {
  /** How many tools are declared; the first is called `work`. @default 1 */
  tools?: number
  /** What each call gives back. @default 'done' */
  result?: string
}

/** One event of the stream, and when its bytes had come. */
export interface PageEvent {
  event: string
  data: string
  atMs: number
}

const prepared = z.object({ sessionId: z.string(), registrationToken: z.string() })
const registered = z.object({ type: z.literal('registerSuccess'), channel: z.string(), token: z.string() })
const called = z.object({ type: z.string(), id: z.optional(z.string()) })

/** How long anything may take before the scenario fails. */
const LIMIT_MS = 60_000

function asText(data: WebSocket.RawData): string {
  return Buffer.isBuffer(data) ? data.toString() : ''
}

function open(url: string, origin: string): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { origin, perMessageDeflate: false })
    socket.once('open', () => {
      resolve(socket)
    })
    socket.once('error', reject)
  })
}

function nextMessage(socket: WebSocket): Promise<string> {
  return new Promise((resolve) => {
    socket.once('message', (data) => {
      resolve(asText(data))
    })
  })
}

export class Page {
  readonly #target: Target
  readonly #client = new KeepAliveClient()
  readonly #listeners = new Set<(event: PageEvent) => void>()
  #sessionId = ''
  #stream: IncomingMessage | null = null
  #channel: WebSocket | null = null
  /** For the MCP endpoint. */
  mcpToken = ''
  /** From the visitor's yes to `ready`. */
  readyMs = Number.NaN

  constructor(target: Target) {
    this.#target = target
  }

  get origin(): string {
    return this.#target.origin ?? ORIGIN
  }

  /** Prepares, connects the tools and the stream, starts the AI; resolves when it is ready. */
  async start({ tools = 1, result = 'done' }: PageOptions = {}): Promise<void> {
    const { sessionId, registrationToken } = z.parse(prepared, JSON.parse(await this.#post('prepare', {})))
    this.#sessionId = sessionId
    if (tools > 0) await this.#connectTools({ registrationToken, tools, result })
    await this.#openStream()
    const ready = this.next('ready')
    const approvedAt = performance.now()
    await this.#post(`${sessionId}/approve`, {})
    this.readyMs = (await ready).atMs - approvedAt
  }

  on(listener: (event: PageEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The next event of this name. */
  next(name: string): Promise<PageEvent> {
    return new Promise((resolve, reject) => {
      const stop = this.on((event) => {
        if (event.event !== name && event.event !== 'failed') return
        clearTimeout(timer)
        stop()
        if (event.event === name) resolve(event)
        else reject(new Error(`the session failed: ${event.data}`))
      })
      const timer = setTimeout(() => {
        stop()
        reject(new Error(`no ${name} within ${LIMIT_MS} ms`))
      }, LIMIT_MS)
    })
  }

  /** Sends a prompt; resolves when it was taken. */
  async prompt(prompt: string): Promise<void> {
    await this.#post(`${this.#sessionId}/prompt`, { prompt })
  }

  /** A whole turn. */
  async turn(prompt: string): Promise<void> {
    const done = this.next('turn_completed')
    await this.prompt(prompt)
    await done
  }

  /** A second reader that missed everything of the only turn but its start; resolves at the turn's end. */
  replay(): Promise<void> {
    return new Promise((resolve, reject) => {
      const path = `/session/${this.#sessionId}/stream`
      const headers = { ...this.#headers(), 'last-event-id': '1' }
      const outgoing = request({ host: '127.0.0.1', port: this.#target.port, path, headers })
      outgoing.once('error', reject)
      outgoing.once('response', (stream) => {
        let end = ''
        stream.setEncoding('utf8').on('data', (part: string) => {
          // The event's name may come in two parts.
          end = end.slice(-32) + part
          if (!end.includes('turn_completed')) return
          stream.destroy()
          resolve()
        })
        stream.on('error', () => undefined)
      })
      outgoing.end()
    })
  }

  async close(): Promise<void> {
    await this.#post(`${this.#sessionId}/close`, {})
    this.#stream?.destroy()
    this.#channel?.terminate()
    this.#client.close()
  }

  #headers(): Record<string, string> {
    const { token } = this.#target
    return { origin: this.origin, authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  }

  #post(path: string, body: object): Promise<string> {
    const call = { port: this.#target.port, path: `/session/${path}`, method: 'POST' as const }
    return this.#client.send({ ...call, headers: this.#headers(), body: JSON.stringify(body) })
  }

  async #connectTools(asked: { registrationToken: string; tools: number; result: string }): Promise<void> {
    const base = `ws://127.0.0.1:${this.#target.port}`
    const register = await open(`${base}/webmcp/register`, this.origin)
    register.send(JSON.stringify({ type: 'register', token: asked.registrationToken }))
    const { channel, token } = z.parse(registered, JSON.parse(await nextMessage(register)))
    register.close()
    this.mcpToken = token
    const socket = await open(`${base}${channel}?token=${token}`, this.origin)
    this.#channel = socket
    let acks = 0
    const declared = new Promise<void>((resolve) => {
      socket.on('message', (data) => {
        const { type, id } = z.parse(called, JSON.parse(asText(data)))
        if (type === 'callTool') socket.send(JSON.stringify({ type: 'toolResponse', id, result: asked.result }))
        if (type === 'ping') socket.send('{"type":"pong"}')
        if (type === 'ack' && ++acks === asked.tools) resolve()
      })
    })
    const inputSchema = { type: 'object', properties: { text: { type: 'string' } } }
    for (let tool = 0; tool < asked.tools; tool += 1) {
      const name = tool === 0 ? 'work' : `work_${tool}`
      socket.send(JSON.stringify({ type: 'registerTool', name, description: 'Does the work.', inputSchema }))
    }
    await declared
  }

  #openStream(): Promise<void> {
    return new Promise((resolve, reject) => {
      const path = `/session/${this.#sessionId}/stream`
      const outgoing = request({ host: '127.0.0.1', port: this.#target.port, path, headers: this.#headers() })
      outgoing.once('error', reject)
      outgoing.once('response', (stream) => {
        this.#stream = stream
        this.#read(stream)
        resolve()
      })
      outgoing.end()
    })
  }

  #read(stream: IncomingMessage): void {
    let rest = ''
    stream.setEncoding('utf8').on('data', (part: string) => {
      const atMs = performance.now()
      const blocks = (rest + part).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) this.#tell(block, atMs)
    })
    stream.on('error', () => undefined)
  }

  #tell(block: string, atMs: number): void {
    const event = /^event: (.*)$/m.exec(block)?.[1]
    if (event === undefined) return
    const data = /^data: (.*)$/m.exec(block)?.[1] ?? ''
    for (const listener of [...this.#listeners]) listener({ event, data, atMs })
  }
}
