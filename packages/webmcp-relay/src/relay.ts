/**
 * The relay: channels by id, and the three doors to them (register, channel, MCP).
 * Who may call at all was decided by the engine's gate; tokens and whose channel it is are decided here.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AuditSink } from '@leuria/agent'
import type { Clock } from '@leuria/clock'
import type { ToolLimits } from '@leuria/page-tools'
import { MAX_BODY_BYTES } from '@leuria/protocol'
import type { WebSocket } from 'ws'
import { CLOSE, closeSocket } from './close-code.js'
import { sendJson } from './mcp/late-answer.js'
import { McpEndpoint } from './mcp/mcp-endpoint.js'
import { RPC } from './mcp/mcp-fault.js'
import type { Exchange } from './mcp/quick-calls.js'
import { errorText } from './mcp/rpc-message.js'
import { serveRegisterSocket } from './register-socket.js'
import { type ChannelRequest, OpenChannel, type RelayChannel } from './relay-channel.js'
import type { Owner, RelayContext } from './relay-context.js'
import { RELAY_LIMITS, type RelayLimits } from './relay-limits.js'
import { channelIdOf } from './secret.js'

export interface RelayOptions {
  clock: Clock
  /** `http://127.0.0.1:<port>`; asked when needed, because the port may be known late. */
  baseUrl(): string
  audit?: AuditSink
  limits?: Partial<RelayLimits>
  toolLimits?: Partial<ToolLimits>
  /** Lines for debugging; never content or secrets. @default none */
  log?: (line: string) => void
  /** Shown to MCP clients. @default '0' */
  version?: string
}

export interface Relay {
  open(request: ChannelRequest): RelayChannel
  /** Serves an upgraded `/webmcp/register` socket. */
  acceptRegister(socket: WebSocket, caller: Owner): void
  /** Whether an upgrade of `/webmcp/channel/<id>?token=` may pass: 401 wrong id or token, 403 another origin's. */
  authorizeChannel(channelId: string, token: string, caller: Owner): 'ok' | 401 | 403
  /** Serves an upgraded channel socket, after `authorizeChannel` said ok. */
  acceptChannel(socket: WebSocket, channelId: string): void
  /** Answers POST, GET and DELETE of `/webmcp/mcp`; `body` is the text of a POST. Never rejects. */
  handleMcp(request: IncomingMessage, response: ServerResponse, body: string): Promise<void>
  /** What is held, for checks that nothing is left behind. */
  counts(): { channels: number; registerSockets: number; openCalls: number; mcp: number }
  /** Ends every channel. Idempotent. */
  close(): Promise<void>
}

export function createRelay(options: RelayOptions): Relay {
  return new ChannelRelay(options)
}

interface Entry {
  channel: OpenChannel
  mcp: McpEndpoint
}

type CloseRegister = (code: number, reason: string) => void

class ChannelRelay implements Relay {
  readonly #context: RelayContext
  readonly #entries = new Map<string, Entry>()
  readonly #registering = new Map<Owner, Set<CloseRegister>>()
  readonly #closing = new Set<Promise<void>>()

  constructor(options: RelayOptions) {
    this.#context = {
      ...options,
      limits: { ...RELAY_LIMITS, ...options.limits },
      log: options.log ?? (() => undefined),
      version: options.version ?? '0',
    }
  }

  open(request: ChannelRequest): RelayChannel {
    const channel = new OpenChannel(this.#context, request, () => {
      this.#forget(channel.id)
    })
    this.#entries.set(channel.id, { channel, mcp: new McpEndpoint(this.#context, channel.tools) })
    return channel
  }

  acceptRegister(socket: WebSocket, caller: Owner): void {
    const open = this.#registering.get(caller) ?? new Set<CloseRegister>()
    if (open.size >= this.#context.limits.maxRegisterSockets) {
      socket.on('error', () => undefined)
      closeSocket(socket, CLOSE.tryLater, 'Too many register sockets are open.')
      return
    }
    this.#registering.set(caller, open)
    const { clock, limits } = this.#context
    const close = serveRegisterSocket(socket, {
      clock,
      limits,
      register: (token) => this.#register(token, caller),
      ended: () => {
        open.delete(close)
        if (open.size === 0) this.#registering.delete(caller)
      },
    })
    open.add(close)
  }

  authorizeChannel(channelId: string, token: string, caller: Owner): 'ok' | 401 | 403 {
    const channel = this.#entries.get(channelId)?.channel
    if (channel === undefined || !channel.opensChannel(token)) return 401
    return channel.owner === caller ? 'ok' : 403
  }

  acceptChannel(socket: WebSocket, channelId: string): void {
    const channel = this.#entries.get(channelId)?.channel
    if (channel !== undefined) {
      channel.accept(socket)
      return
    }
    // The session ended between the check and here.
    socket.on('error', () => undefined)
    closeSocket(socket, CLOSE.sessionEnded, 'The session has ended.')
  }

  async handleMcp(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    try {
      await this.#answerMcp({ request, response }, body)
    } catch (error) {
      this.#context.log(`MCP failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
      response.destroy()
    }
  }

  counts(): { channels: number; registerSockets: number; openCalls: number; mcp: number } {
    const entries = [...this.#entries.values()]
    const sum = (of: (entry: Entry) => number): number => entries.reduce((total, entry) => total + of(entry), 0)
    return {
      channels: entries.length,
      registerSockets: [...this.#registering.values()].reduce((total, { size }) => total + size, 0),
      openCalls: sum(({ channel }) => channel.tools.openCalls),
      mcp: sum(({ mcp }) => mcp.open),
    }
  }

  async close(): Promise<void> {
    for (const { channel } of [...this.#entries.values()]) channel.end('the engine stops', CLOSE.goingAway)
    for (const sockets of [...this.#registering.values()])
      for (const close of [...sockets]) close(CLOSE.goingAway, 'The engine stops.')
    await Promise.all(this.#closing)
  }

  /** Another origin's token is as good as none, and isn't used up by the attempt. */
  #register(token: string, caller: Owner): { channel: string; token: string } | null {
    const channel = this.#entries.get(channelIdOf(token))?.channel
    if (channel === undefined || channel.owner !== caller || !channel.register(token)) return null
    return { channel: channel.path, token: channel.channelToken }
  }

  async #answerMcp({ request, response }: Exchange, body: string): Promise<void> {
    const refuse = (status: number, message: string, headers: Record<string, string> = {}): void => {
      sendJson(response, errorText(null, { code: RPC.refused, message }), { status, headers })
    }
    // "Pages can't call this endpoint (403)": only browsers send an Origin (Page tools, The AI's side).
    if (request.headers.origin !== undefined) {
      refuse(403, 'Web pages may not use this endpoint.')
      return
    }
    const mcp = this.#findMcp(request)
    if (mcp === null)
      refuse(401, 'This token is not valid, or its session has ended.', { 'www-authenticate': 'Bearer' })
    else if (request.method === 'GET' || request.method === 'DELETE') await mcp.getOrDelete({ request, response })
    else if (request.method !== 'POST') refuse(405, 'Method not allowed.', { allow: 'GET, POST, DELETE' })
    else if (body.length > MAX_BODY_BYTES) refuse(413, `A request may have at most ${MAX_BODY_BYTES} bytes.`)
    else await mcp.post({ request, response }, body)
  }

  #findMcp({ headers }: IncomingMessage): McpEndpoint | null {
    const token = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? ''
    const entry = this.#entries.get(channelIdOf(token))
    if (entry?.channel.opensMcp(token) !== true) return null
    entry.channel.noteMcp()
    return entry.mcp
  }

  #forget(id: string): void {
    const entry = this.#entries.get(id)
    if (entry === undefined) return
    this.#entries.delete(id)
    const closing = entry.mcp.close().catch((error: unknown) => {
      this.#context.log(`MCP did not close: ${String(error)}`)
    })
    this.#closing.add(closing)
    void closing.then(() => this.#closing.delete(closing))
  }
}
