/** The tool channel of one session of the kit's engine: tools that the page declares, calls to it, pings. */
import { randomUUID } from 'node:crypto'
import { type WebSocket } from 'ws'
import type { PageTimes } from '../page-times.js'
import type { EngineDefect } from './defects.js'
import type { EngineLog } from './engine-log.js'

export type Fields = Readonly<Record<string, unknown>>
export type CallOutcome = { ok: true; value: unknown } | { ok: false; error: string }

export interface FakeChannelParts {
  session: string
  log: EngineLog
  times: PageTimes
  has: (defect: EngineDefect) => boolean
}

export function fieldsIn(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}

function parse(data: Buffer): Fields {
  try {
    return fieldsIn(JSON.parse(data.toString()))
  } catch {
    return {}
  }
}

function errorIn(error: unknown): string {
  const { message } = fieldsIn(error)
  return typeof error === 'string' ? error : typeof message === 'string' ? message : 'The call failed.'
}

export class FakeChannel {
  readonly id = randomUUID()
  readonly token = randomUUID()
  readonly tools = new Map<string, Fields>()
  readonly resources = new Map<string, Fields>()
  readonly prompts = new Map<string, Fields>()
  ended = false
  #socket: WebSocket | null = null
  readonly #open = new Map<string, (outcome: CallOutcome) => void>()

  constructor(private readonly parts: FakeChannelParts) {}

  get path(): string {
    return `/webmcp/channel/${this.id}`
  }

  get connected(): boolean {
    return this.#socket !== null
  }

  attach(socket: WebSocket): void {
    this.#socket?.terminate()
    this.#socket = socket
    const pinging = setInterval(() => {
      if (!this.parts.has('no_ping')) this.send({ type: 'ping' })
    }, this.parts.times.pingMs)
    socket.on('message', (data: Buffer) => {
      const message = parse(data)
      this.parts.log.add({ kind: 'message', from: 'page', session: this.parts.session, message })
      this.#take(message)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(pinging)
      if (this.#socket === socket) this.#socket = null
    })
  }

  send(message: Fields): void {
    if (this.#socket === null) return
    this.parts.log.add({ kind: 'message', from: 'engine', session: this.parts.session, message })
    this.#socket.send(JSON.stringify(message))
  }

  /** Asks the page and waits for its answer. */
  ask(message: Fields): Promise<CallOutcome> {
    if (this.#socket === null) return Promise.resolve({ ok: false, error: 'The page is not connected.' })
    const id = randomUUID()
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#end(id, { ok: false, error: 'The page did not answer in time.' })
      }, this.parts.times.callMs)
      this.#open.set(id, (outcome) => {
        clearTimeout(timer)
        resolve(outcome)
      })
      this.send({ ...message, id })
    })
  }

  call(tool: string, args: unknown): Promise<CallOutcome> {
    if (!this.tools.has(tool)) return Promise.resolve({ ok: false, error: `There is no tool ${tool}.` })
    return this.ask({ type: 'callTool', tool, arguments: args })
  }

  /** Cuts the connection; the page may come back. */
  drop(): void {
    this.#socket?.terminate()
    this.#socket = null
  }

  end(): void {
    this.ended = true
    this.#socket?.close(1000)
    for (const id of [...this.#open.keys()]) this.#end(id, { ok: false, error: 'The session is over.' })
  }

  #end(id: string, outcome: CallOutcome): void {
    const settle = this.#open.get(id)
    this.#open.delete(id)
    settle?.(outcome)
  }

  #take(message: Fields): void {
    switch (message.type) {
      case 'registerTool':
        this.#declare(this.tools, {
          registration: 'registerTool',
          key: 'name',
          fields: fieldsIn(message.tool ?? message),
        })
        break
      case 'registerResource':
        this.#declare(this.resources, {
          registration: 'registerResource',
          key: 'uri',
          fields: fieldsIn(message.resource ?? message),
        })
        break
      case 'registerPrompt':
        this.#declare(this.prompts, {
          registration: 'registerPrompt',
          key: 'name',
          fields: fieldsIn(message.prompt ?? message),
        })
        break
      case 'deregisterTool':
        this.tools.delete(String(message.name))
        break
      case 'ping':
        this.send({ type: 'pong' })
        break
      case 'toolResponse':
      case 'resourceResponse':
      case 'promptResponse':
        this.#answered(message)
        break
      default: // Nothing else needs an answer.
    }
  }

  #declare(
    list: Map<string, Fields>,
    { registration, key, fields }: { registration: string; key: string; fields: Fields },
  ): void {
    const name = String(fields[key])
    const { type: _, ...declaration } = fields
    list.set(name, declaration)
    this.send({ type: 'ack', registration, name })
  }

  #answered(message: Fields): void {
    const id = this.parts.has('ids_ignored') ? ([...this.#open.keys()][0] ?? '') : String(message.id)
    const isError = message.error !== undefined
    if (isError && this.parts.has('errors_as_results')) this.#end(id, { ok: true, value: errorIn(message.error) })
    else this.#end(id, isError ? { ok: false, error: errorIn(message.error) } : { ok: true, value: message.result })
  }
}
