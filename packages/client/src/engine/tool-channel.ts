/**
 * The tool channel of one session: registers once, opens the channel, declares the tools, answers the engine, and does it
 * again with the same channel token wherever it dropped (Page tools). What a call does is `tool-calls`'.
 */
import { type CancelTimer, type Clock, pause } from '@leuria/clock'
import { LeuriaError } from '../errors.js'
import { type EngineSocket, openSocket, type SocketClass, SOCKET_LIMIT_MS } from './engine-socket.js'
import { declarationOf, type PageTool } from './page-tool.js'
import { type LinkCallbacks, Reconnector } from './reconnector.js'
import { type SilenceWatch, watchSilence } from './silence-watch.js'
import { ToolCalls } from './tool-calls.js'
import { asText, type Fields } from './unknown-value.js'

/** How long the engine's acknowledgements are waited for before the AI may start; engines needn't send any. */
const ACK_LIMIT_MS = 1_000
/** The engine pings every 15 s; after three that didn't come the channel is looked into. */
const SILENCE_LIMIT_MS = 45_000
/** How long the answer to our own ping may take. */
const PONG_LIMIT_MS = 5_000

export interface ToolChannelOptions extends LinkCallbacks {
  /** `ws://…` base URL. */
  socketUrl: string
  registrationToken: string
  tools: readonly PageTool[]
  clock: Clock
  WebSocket: SocketClass
  /** Why the session can't be reached any more: a socket doesn't say. */
  findGone: () => Promise<LeuriaError | null>
}

interface ChannelKey {
  path: string
  token: string
}

export class ToolChannel extends Reconnector<EngineSocket> {
  readonly #options: ToolChannelOptions
  readonly #calls: ToolCalls
  #key: ChannelKey | null = null
  #socket: EngineSocket | null = null
  /** Messages of the socket that is open. */
  #heard = 0
  #silence: SilenceWatch | null = null
  #cancelProbe: CancelTimer = noop
  /** Tools whose declaration hasn't been acknowledged yet. */
  readonly #unacknowledged: Set<string>
  readonly #acknowledged = new AbortController()

  constructor(options: ToolChannelOptions) {
    super({
      ...options,
      connect: async (signal) => {
        this.#key ??= await this.#register(signal)
        return this.#openSocket(this.#key, signal)
      },
      use: (socket) => this.#use(socket),
    })
    this.#options = options
    this.#unacknowledged = new Set(options.tools.map(({ name }) => name))
    this.#calls = new ToolCalls({ ...options, send: (answer) => this.#socket?.send(answer) ?? false })
  }

  /** Resolves when the tools are declared; the first failure rejects and is the end. */
  override async open(): Promise<void> {
    await super.open()
    if (this.#unacknowledged.size > 0) await pause(this.#options.clock, ACK_LIMIT_MS, this.#acknowledged.signal)
  }

  /** Finds out whether the other side is still there; if not, the channel is opened again. */
  probe(): void {
    if (this.#socket === null) {
      this.hurry()
      return
    }
    const heard = this.#heard
    this.#socket.send({ type: 'ping' })
    this.#cancelProbe()
    this.#cancelProbe = this.#options.clock.setTimer(PONG_LIMIT_MS, () => {
      if (this.#heard === heard) this.reopen()
    })
  }

  override close(): void {
    this.#calls.end()
    super.close()
  }

  /** Declares the tools, sends what waits, and answers until the socket is closed. True: the engine said something. */
  async #use(socket: EngineSocket): Promise<boolean> {
    const { clock, tools } = this.#options
    this.#socket = socket
    for (const tool of tools) socket.send(declarationOf(tool))
    this.#calls.flush()
    this.#silence = watchSilence(clock, SILENCE_LIMIT_MS, () => {
      this.probe()
    })
    await socket.closed
    this.#silence.stop()
    this.#cancelProbe()
    this.#socket = null
    return this.#heard > tools.length
  }

  /** The registration token works once, so this is done once. */
  async #register(signal: AbortSignal): Promise<ChannelKey> {
    const { socketUrl, WebSocket, clock, registrationToken } = this.#options
    let onReply: (reply: Fields) => void = noop
    const replied = new Promise<Fields>((resolve) => {
      onReply = resolve
    })
    const socket = await openSocket({
      url: `${socketUrl}/webmcp/register`,
      WebSocket,
      clock,
      signal,
      onMessage: (m) => {
        onReply(m)
      },
    })
    socket.send({ type: 'register', token: registrationToken })
    const cancelTimer = clock.setTimer(SOCKET_LIMIT_MS, () => {
      socket.close()
    })
    const reply = await Promise.race([replied, socket.closed])
    cancelTimer()
    socket.close()
    return readKey(reply)
  }

  #openSocket({ path, token }: ChannelKey, signal: AbortSignal): Promise<EngineSocket> {
    const { socketUrl, WebSocket, clock } = this.#options
    this.#heard = 0
    return openSocket({
      url: `${socketUrl}${path}?token=${encodeURIComponent(token)}`,
      WebSocket,
      clock,
      signal,
      onMessage: (message) => {
        this.#heard += 1
        this.#silence?.heard()
        this.#take(message)
      },
    })
  }

  #take(message: Fields): void {
    const id = asText(message.id)
    switch (message.type) {
      case 'ping':
        this.#socket?.send({ type: 'pong' })
        break
      case 'ack':
        this.#unacknowledged.delete(asText(message.name) ?? '')
        if (this.#unacknowledged.size === 0) this.#acknowledged.abort()
        break
      case 'callTool':
        if (id !== undefined) this.#calls.take({ id, tool: asText(message.tool) ?? '', arguments: message.arguments })
        break
      case 'cancelCall':
        if (id !== undefined) this.#calls.cancel(id)
        break
      case 'readResource':
        this.#socket?.send({ type: 'resourceResponse', id, error: 'This page has no resources.' })
        break
      case 'getPrompt':
        this.#socket?.send({ type: 'promptResponse', id, error: 'This page has no prompts.' })
        break
      default: // An engine may say more than this client knows.
    }
  }
}

/** @throws LeuriaError when it isn't the reply that the page promises */
function readKey(reply: Fields | void): ChannelKey {
  const path = asText(reply?.channel)
  const token = asText(reply?.token)
  if (reply?.type === 'registerSuccess' && token !== undefined && path?.startsWith('/webmcp/channel/') === true) {
    return { path, token }
  }
  const detail = asText(reply?.message) ?? 'No answer.'
  throw new LeuriaError('Leuria did not take the tools of this page.', { code: 'not_registered', detail })
}

function noop(): void {
  // Nobody waits yet.
}
