/**
 * The tool channel of one session: registers once, opens the channel, declares the tools, answers the engine, and does it
 * again with the same channel token wherever it dropped (Page tools). What a call does is `tool-calls`'.
 */
import { type CancelTimer, type Clock, pause } from '@leuria/clock'
import { LeuriaError } from '../errors.js'
import { type EngineSocket, openSocket, type SocketClass, SOCKET_LIMIT_MS } from './engine-socket.js'
import { declarationOf, type PageTool } from './page-tool.js'
import { createReconnector, type LinkCallbacks } from './reconnector.js'
import { type SilenceWatch, watchSilence } from './silence-watch.js'
import { createToolCalls } from './tool-calls.js'
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

export interface ToolChannel {
  /** Resolves when the tools are declared; the first failure rejects and is the end. */
  open(): Promise<void>
  /** Finds out whether the other side is still there; if not, the channel is opened again. */
  probe(): void
  close(): void
}

export function createToolChannel(options: ToolChannelOptions): ToolChannel {
  const { socketUrl, registrationToken, tools, clock, WebSocket } = options
  let key: ChannelKey | null = null
  let socket: EngineSocket | null = null
  /** Messages of the socket that is open. */
  let heard = 0
  let silence: SilenceWatch | null = null
  let cancelProbe: CancelTimer = noop
  /** Tools whose declaration hasn't been acknowledged yet. */
  const unacknowledged = new Set(tools.map(({ name }) => name))
  const acknowledged = new AbortController()
  const send = (message: object): boolean => socket?.send(message) ?? false
  const calls = createToolCalls({ tools, clock, send })

  const take = (message: Fields): void => {
    const id = asText(message.id)
    switch (message.type) {
      case 'ping':
        send({ type: 'pong' })
        break
      case 'ack':
        unacknowledged.delete(asText(message.name) ?? '')
        if (unacknowledged.size === 0) acknowledged.abort()
        break
      case 'callTool':
        if (id !== undefined) calls.take({ id, tool: asText(message.tool) ?? '', arguments: message.arguments })
        break
      case 'cancelCall':
        if (id !== undefined) calls.cancel(id)
        break
      case 'readResource':
        send({ type: 'resourceResponse', id, error: 'This page has no resources.' })
        break
      case 'getPrompt':
        send({ type: 'promptResponse', id, error: 'This page has no prompts.' })
        break
      default: // An engine may say more than this client knows.
    }
  }

  const openAt = (path: string, signal: AbortSignal, onMessage: (message: Fields) => void) =>
    openSocket({ url: socketUrl + path, WebSocket, clock, signal, onMessage })

  /** The registration token works once, so this is done once. */
  const register = async (signal: AbortSignal): Promise<ChannelKey> => {
    let onReply: (reply: Fields) => void = noop
    const replied = new Promise<Fields>((resolve) => {
      onReply = resolve
    })
    const registering = await openAt('/webmcp/register', signal, (reply) => {
      onReply(reply)
    })
    registering.send({ type: 'register', token: registrationToken })
    const cancelTimer = clock.setTimer(SOCKET_LIMIT_MS, () => {
      registering.close()
    })
    const reply = await Promise.race([replied, registering.closed])
    cancelTimer()
    registering.close()
    return readKey(reply)
  }

  const probe = (): void => {
    if (socket === null) {
      link.hurry()
      return
    }
    const before = heard
    send({ type: 'ping' })
    cancelProbe()
    cancelProbe = clock.setTimer(PONG_LIMIT_MS, () => {
      if (heard === before) link.reopen()
    })
  }

  const link = createReconnector<EngineSocket>({
    ...options,
    connect: async (signal) => {
      key ??= await register(signal)
      heard = 0
      return openAt(`${key.path}?token=${encodeURIComponent(key.token)}`, signal, (message) => {
        heard += 1
        silence?.heard()
        take(message)
      })
    },
    // Declares the tools, sends what waits, and answers until the socket is closed. True: the engine said something.
    use: async (opened) => {
      socket = opened
      for (const tool of tools) send(declarationOf(tool))
      calls.flush()
      silence = watchSilence(clock, SILENCE_LIMIT_MS, probe)
      await opened.closed
      silence.stop()
      cancelProbe()
      socket = null
      return heard > tools.length
    },
  })

  return {
    open: async () => {
      await link.open()
      if (unacknowledged.size > 0) await pause(clock, ACK_LIMIT_MS, acknowledged.signal)
    },
    probe,
    close: () => {
      calls.end()
      link.close()
    },
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
