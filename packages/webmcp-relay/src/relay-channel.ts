/**
 * The relay's part of one session: its tokens, its page's socket, and the page's tools as the AI sees them.
 * The socket may come and go; everything else lasts until `close`.
 */
import { randomUUID } from 'node:crypto'
import { createPageTools, type DeclaredPageTools } from '@leuria/page-tools'
import { formatRegistrationToken } from '@leuria/protocol'
import type { WebSocket } from 'ws'
import { ChannelSocket, type SocketEnd } from './channel-socket.js'
import { CLOSE } from './close-code.js'
import { PageCalls } from './page-calls.js'
import { handlePageMessage } from './page-messages.js'
import type { Owner, RelayContext } from './relay-context.js'
import { Secret } from './secret.js'

/** What a session holds of the relay. */
export interface RelayChannel {
  readonly id: string
  /** The blob that the page registers with; it works once. */
  readonly registrationToken: string
  /** `http://127.0.0.1:<port>` */
  readonly webmcpUrl: string
  /** For the page: opens the channel, and the MCP endpoint as the protocol page says. */
  readonly channelToken: string
  /** For the agent: opens the MCP endpoint and no channel. */
  readonly agentToken: string
  readonly tools: DeclaredPageTools
  /** Resolves when an agent has spoken to the MCP endpoint for the first time. */
  readonly mcpConnected: Promise<void>
  connected(): boolean
  /** Tells when the page's socket comes and goes. Returns its undo. */
  onConnectedChange(listener: (connected: boolean) => void): () => void
  /** A budget of `maxCallsPerTurn` calls begins. */
  beginTurn(): void
  /** Calls still open are cancelled; the page is told. */
  endTurn(): void
  /** Ends all calls, the page's socket and the agent's MCP sessions; the tokens stop working. Idempotent. */
  close(reason: string): void
}

export interface ChannelRequest {
  sessionId: string
  /** Whose session it is: only this origin may register and open the channel. */
  origin: Owner
}

/** The channel with the side that only the relay uses. */
export class OpenChannel implements RelayChannel {
  readonly id = randomUUID()
  readonly owner: Owner
  readonly tools: DeclaredPageTools
  readonly #context: RelayContext
  readonly #calls: PageCalls
  readonly #registration = new Secret(this.id)
  readonly #channel = new Secret(this.id)
  readonly #agent = new Secret(this.id)
  readonly #listeners = new Set<(connected: boolean) => void>()
  readonly #onClose: () => void
  readonly mcpConnected: Promise<void>
  #noteMcp: () => void = () => undefined
  #registered = false
  #socket: ChannelSocket | null = null
  #closed = false

  constructor(context: RelayContext, request: ChannelRequest, onClose: () => void) {
    this.#context = context
    this.#onClose = onClose
    this.owner = request.origin
    this.mcpConnected = new Promise((resolve) => (this.#noteMcp = resolve))
    this.#calls = new PageCalls({ clock: context.clock, reconnectGraceMs: context.limits.reconnectGraceMs })
    const { clock, audit, toolLimits: limits } = context
    this.tools = createPageTools({ page: this.#calls, clock, audit, limits, ...request })
  }

  get webmcpUrl(): string {
    return this.#context.baseUrl()
  }

  get registrationToken(): string {
    return formatRegistrationToken(this.webmcpUrl.replace(/^http/, 'ws'), this.#registration.token)
  }

  get channelToken(): string {
    return this.#channel.token
  }

  get agentToken(): string {
    return this.#agent.token
  }

  get path(): string {
    return `/webmcp/channel/${this.id}`
  }

  /** Uses up the registration token. False: it is another, or was used before. */
  register(token: string): boolean {
    if (!this.#registration.matches(token) || this.#registered) return false
    this.#registered = true
    return true
  }

  opensChannel(token: string): boolean {
    return this.#channel.matches(token)
  }

  opensMcp(token: string): boolean {
    return this.#agent.matches(token) || this.#channel.matches(token)
  }

  /** An agent has spoken to the MCP endpoint with this channel's token. */
  noteMcp(): void {
    this.#noteMcp()
  }

  connected(): boolean {
    return this.#socket !== null
  }

  onConnectedChange(listener: (connected: boolean) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Takes a page's socket as the current one; the one before is closed and forgotten. */
  accept(webSocket: WebSocket): void {
    const { clock, limits } = this.#context
    const socket: ChannelSocket = new ChannelSocket(webSocket, {
      clock,
      limits,
      receive: (message) => this.#receive(socket, message),
      ended: (end) => {
        this.#lose(socket, end)
      },
    })
    if (this.#closed) {
      socket.close(CLOSE.sessionEnded, 'The session has ended.')
      return
    }
    const before = this.#socket
    if (before !== null) this.#calls.detach('gone')
    this.#socket = socket
    this.#calls.attach(socket)
    before?.close(CLOSE.replaced, 'This channel was opened again.')
    if (before === null) this.#tell()
  }

  beginTurn(): void {
    this.tools.beginTurn(this.#context.limits.maxCallsPerTurn)
  }

  endTurn(): void {
    this.tools.endTurn()
  }

  close(reason: string): void {
    this.end(reason, CLOSE.sessionEnded)
  }

  end(reason: string, code: number): void {
    if (this.#closed) return
    this.#closed = true
    this.tools.close(reason)
    this.#socket?.close(code, `The session has ended: ${reason}`)
    this.#socket = null
    this.#calls.detach('gone')
    this.#listeners.clear()
    this.#onClose()
  }

  /** A fault of ours must not take the process with it: the page gets words, the log the reason. */
  #receive(socket: ChannelSocket, message: object): string | null {
    try {
      return handlePageMessage({ tools: this.tools, calls: this.#calls }, socket, message)
    } catch (error) {
      this.#context.log(
        `A page's message failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      )
      return 'The engine could not take this message.'
    }
  }

  /** A late end of a socket that was replaced changes nothing. */
  #lose(socket: ChannelSocket, end: SocketEnd): void {
    if (this.#socket !== socket) return
    this.#socket = null
    this.#calls.detach(end)
    this.#tell()
  }

  #tell(): void {
    const connected = this.connected()
    for (const listener of [...this.#listeners]) listener(connected)
  }
}
