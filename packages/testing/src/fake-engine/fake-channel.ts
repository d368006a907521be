/** The tool channel of one session of a fake engine: declarations, calls and their answers. */
import type { ToolOutcome } from '@leuria/agent'
import { randomUUID } from 'node:crypto'
import { WebSocket } from 'ws'
import type { FakeEngineSwitches } from './switches.js'

interface OpenCall {
  message: Record<string, unknown>
  settle(outcome: ToolOutcome): void
}

/** A string goes to the AI as it is, anything else as JSON text. */
function outcomeOf(answer: Record<string, unknown>): ToolOutcome {
  const { error, result } = answer
  if (error === undefined || error === null || error === '') {
    return { ok: true, text: typeof result === 'string' ? result : JSON.stringify(result ?? null) }
  }
  const message = typeof error === 'object' && 'message' in error ? error.message : error
  return { ok: false, code: 'page_error', error: typeof message === 'string' ? message : 'The tool failed.' }
}

export class FakeChannel {
  readonly path = `/webmcp/channel/${randomUUID()}`
  readonly token = randomUUID()
  /** Declared tools by name. */
  readonly tools = new Map<string, Record<string, unknown>>()
  /** Answers by call id, in order: more than one would be a fault of the page. */
  readonly answers = new Map<string, Record<string, unknown>[]>()
  private readonly open = new Map<string, OpenCall>()
  private socket: WebSocket | undefined

  constructor(
    readonly sessionId: string,
    private readonly switches: FakeEngineSwitches,
  ) {}

  get connected(): boolean {
    return this.socket?.readyState === WebSocket.OPEN
  }

  attach(socket: WebSocket): void {
    this.socket = socket
    if (this.switches.resendCalls) for (const call of this.open.values()) this.send(call.message)
  }

  take(message: Record<string, unknown>): void {
    switch (message.type) {
      case 'registerTool':
        this.declare(message)
        break
      case 'deregisterTool':
        this.tools.delete(String(message.name))
        break
      case 'ping':
        this.send({ type: 'pong' })
        break
      case 'toolResponse':
        this.settle(message)
        break
      default:
    }
  }

  call({ name, arguments: args, signal }: { name: string; arguments: unknown; signal?: AbortSignal }) {
    if (!this.connected) {
      return Promise.resolve<ToolOutcome>({ ok: false, code: 'not_connected', error: 'The page is not connected.' })
    }
    const message = { type: 'callTool', id: randomUUID(), tool: name, arguments: args }
    return new Promise<ToolOutcome>((resolve) => {
      this.open.set(message.id, { message, settle: resolve })
      signal?.addEventListener('abort', () => {
        if (!this.open.delete(message.id)) return
        this.send({ type: 'cancelCall', id: message.id })
        resolve({ ok: false, code: 'cancelled', error: 'Cancelled.' })
      })
      this.send(message)
    })
  }

  /** Any message to the page, as it is. Texts are sent unchanged. */
  send(message: Record<string, unknown> | string): void {
    this.socket?.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  /** Cuts the connection without a word. */
  drop(): void {
    this.socket?.terminate()
  }

  end(): void {
    for (const call of this.open.values())
      call.settle({ ok: false, code: 'session_ended', error: 'The session ended.' })
    this.open.clear()
    this.socket?.close(1000, 'session ended')
  }

  private declare(message: Record<string, unknown>): void {
    const { tool } = message
    const declared = typeof tool === 'object' && tool !== null ? tool : message
    if (!('name' in declared) || typeof declared.name !== 'string') return
    const { name } = declared
    this.tools.set(name, { ...declared })
    if (this.switches.extras) this.send({ type: 'moon_phase', phase: 'full' })
    if (this.switches.acks) this.send({ type: 'ack', registration: 'registerTool', name })
  }

  private settle(message: Record<string, unknown>): void {
    const id = String(message.id)
    this.answers.set(id, [...(this.answers.get(id) ?? []), message])
    this.open.get(id)?.settle(outcomeOf(message))
    this.open.delete(id)
  }
}
