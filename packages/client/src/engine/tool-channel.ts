/**
 * The tool channel of one session: registers once, opens the channel, declares the tools, answers the engine, and does it
 * again with the same channel token wherever it dropped (Page tools). What a call does is `tool-calls`'.
 */
import { type CancelTimer, type Clock, pause } from '@leuria/clock'
import { LeuriaError } from '../errors.js'
import { type EngineSocket, openSocket, type SocketClass, SOCKET_LIMIT_MS } from './engine-socket.js'
import { declarationOf, type PageTool } from './page-tool.js'
import { type AttemptEnd, Reconnector } from './reconnector.js'
import { SilenceWatch } from './silence-watch.js'
import { ToolCalls } from './tool-calls.js'
import { asText, type Fields } from './unknown-value.js'

/** How long the engine's acknowledgements are waited for before the AI may start; engines needn't send any. */
const ACK_LIMIT_MS = 1_000
/** The engine pings every 15 s; after three that didn't come the channel is looked into. */
const SILENCE_LIMIT_MS = 45_000
/** How long the answer to our own ping may take. */
const PONG_LIMIT_MS = 5_000

export interface ToolChannelOptions {
  /** `ws://…` base URL. */
  url: string
  registrationToken: string
  tools: readonly PageTool[]
  clock: Clock
  WebSocket: SocketClass
  /** Whether the session can still be reached. An error: it is gone. */
  findGone: () => Promise<LeuriaError | null>
  onReopen: () => void
  onDrop: (failures: number) => void
  onGone: (error: LeuriaError) => void
}

interface ChannelKey {
  path: string
  token: string
}

export class ToolChannel {
  readonly #options: ToolChannelOptions
  readonly #link: Reconnector
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
  #wasOpen = false
  #firstOpen: { resolve(): void; reject(error: LeuriaError): void } = { resolve: noop, reject: noop }

  constructor(options: ToolChannelOptions) {
    this.#options = options
    this.#unacknowledged = new Set(options.tools.map(({ name }) => name))
    this.#calls = new ToolCalls({
      tools: options.tools,
      clock: options.clock,
      send: (answer) => this.#socket?.send(answer) ?? false,
    })
    this.#link = new Reconnector({
      clock: options.clock,
      attempt: (signal, opened) => this.#attempt(signal, opened),
      onDrop: options.onDrop,
      onGone: (error) => {
        this.#firstOpen.reject(error)
        if (this.#wasOpen) options.onGone(error)
      },
    })
  }

  /** Resolves when the tools are declared; the first failure rejects and is the end. */
  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#firstOpen = { resolve, reject }
      this.#link.start()
    })
  }

  /** Finds out whether the other side is still there; if not, the channel is opened again. */
  probe(): void {
    const socket = this.#socket
    if (socket === null) {
      this.#link.hurry()
      return
    }
    const heard = this.#heard
    socket.send({ type: 'ping' })
    this.#cancelProbe()
    this.#cancelProbe = this.#options.clock.setTimer(PONG_LIMIT_MS, () => {
      if (this.#heard === heard) this.#link.reopen()
    })
  }

  close(): void {
    this.#calls.end()
    this.#link.close()
  }

  async #attempt(signal: AbortSignal, opened: () => void): Promise<AttemptEnd> {
    let socket: EngineSocket
    try {
      this.#key ??= await this.#register(signal)
      socket = await this.#openSocket(this.#key, signal)
    } catch (error) {
      return { progressed: false, gone: await this.#goneBy(error) }
    }
    const silence = new SilenceWatch(this.#options.clock, SILENCE_LIMIT_MS, () => {
      this.probe()
    })
    this.#socket = socket
    this.#silence = silence
    for (const tool of this.#options.tools) socket.send(declarationOf(tool))
    this.#calls.flush()
    opened()
    void this.#announce()
    await socket.closed
    silence.stop()
    this.#cancelProbe()
    this.#socket = null
    this.#silence = null
    return { progressed: this.#heard > this.#options.tools.length }
  }

  async #goneBy(error: unknown): Promise<LeuriaError | undefined> {
    if (!this.#wasOpen)
      return error instanceof LeuriaError ? error : new LeuriaError('The tools failed.', { cause: error })
    return (await this.#options.findGone()) ?? undefined
  }

  async #announce(): Promise<void> {
    const isReopened = this.#wasOpen
    this.#wasOpen = true
    if (isReopened) {
      this.#options.onReopen()
      return
    }
    if (this.#unacknowledged.size > 0) await pause(this.#options.clock, ACK_LIMIT_MS, this.#acknowledged.signal)
    this.#firstOpen.resolve()
  }

  /** The registration token works once, so this is done once. */
  async #register(signal: AbortSignal): Promise<ChannelKey> {
    const { url, WebSocket, clock, registrationToken } = this.#options
    let onReply: (reply: Fields) => void = noop
    const replied = new Promise<Fields>((resolve) => {
      onReply = resolve
    })
    const socket = await openSocket({
      url: `${url}/webmcp/register`,
      WebSocket,
      clock,
      signal,
      onMessage: (m) => {
        onReply(m)
      },
    })
    try {
      socket.send({ type: 'register', token: registrationToken })
      const over = new AbortController()
      const limit = pause(clock, SOCKET_LIMIT_MS, over.signal)
      const reply = await Promise.race([replied, socket.closed, limit])
      over.abort()
      return readKey(reply)
    } finally {
      socket.close()
    }
  }

  #openSocket({ path, token }: ChannelKey, signal: AbortSignal): Promise<EngineSocket> {
    const { url, WebSocket, clock } = this.#options
    this.#heard = 0
    return openSocket({
      url: `${url}${path}?token=${encodeURIComponent(token)}`,
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
  const detail = asText(reply?.message) ?? 'The register socket closed without an answer.'
  throw new LeuriaError('Leuria did not take the tools of this page.', { code: 'not_registered', detail })
}

function noop(): void {
  // Nobody waits yet.
}
