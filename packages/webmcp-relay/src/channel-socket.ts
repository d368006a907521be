/**
 * One WebSocket of a page's channel while it is the current one: frames in, frames out, liveness, its end.
 * What messages mean, and what happens to calls when it ends, is decided elsewhere.
 */
import type { CancelTimer, Clock } from '@leuria/clock'
import type { EngineMessage } from '@leuria/protocol'
import { WebSocket } from 'ws'
import { CLOSE, closeSocket } from './close-code.js'
import { readFrame } from './frame.js'
import { MAX_MISSED_PONGS, type RelayLimits } from './relay-limits.js'

/** `tooBig`: the page sent a frame over the limit, so what it was answering is known to be too large. */
export type SocketEnd = 'gone' | 'tooBig'

export interface ChannelSocketOptions {
  clock: Clock
  limits: RelayLimits
  /** A JSON object from the page. Returns words when it makes no sense. */
  receive(message: object): string | null
  /** The socket has ended by itself; called at most once, and never after `close`. */
  ended(end: SocketEnd): void
}

export class ChannelSocket {
  readonly #socket: WebSocket
  readonly #options: ChannelSocketOptions
  #cancelPing: CancelTimer
  #cancelCut: CancelTimer | null = null
  #missedPongs = 0
  #badFrames = 0
  #closed = false

  constructor(socket: WebSocket, options: ChannelSocketOptions) {
    this.#socket = socket
    this.#options = options
    this.#cancelPing = this.#schedulePing()
    socket.on('message', (data, isBinary) => {
      if (!this.#closed) this.#receive(readFrame(data, isBinary))
    })
    socket.on('error', (error) => {
      if (isTooBig(error)) this.#end('tooBig')
    })
    socket.on('close', () => {
      this.#cancelCut?.()
      this.#end('gone')
    })
  }

  /** Sends a frame that is JSON text already. False: it can't be sent. */
  sendText(text: string): boolean {
    if (this.#closed || this.#socket.readyState !== WebSocket.OPEN) return false
    if (this.#socket.bufferedAmount > this.#options.limits.maxUnsentBytes) {
      this.#fail(CLOSE.tryLater, 'the page does not read what it is sent')
      return false
    }
    this.#socket.send(text)
    return true
  }

  send(message: EngineMessage): boolean {
    return this.sendText(JSON.stringify(message))
  }

  /** The page answered a ping. */
  pong(): void {
    this.#missedPongs = 0
  }

  /** Closes from this side; `ended` isn't called. Idempotent. */
  close(code: number, reason: string): void {
    if (!this.#stop()) return
    this.#shut(code, reason)
  }

  #receive(frame: ReturnType<typeof readFrame>): void {
    const fault = frame.ok ? this.#options.receive(frame.value) : frame.error
    if (fault === null) return
    this.#badFrames += 1
    if (this.#badFrames > this.#options.limits.maxBadFrames)
      this.#fail(CLOSE.policy, 'too many messages that make no sense')
    else this.send({ type: 'error', message: fault })
  }

  #schedulePing(): CancelTimer {
    return this.#options.clock.setTimer(this.#options.limits.pingMs, () => {
      if (this.#missedPongs >= MAX_MISSED_PONGS) {
        this.#fail(CLOSE.unresponsive, 'no pong')
        return
      }
      this.#missedPongs += 1
      this.#cancelPing = this.#schedulePing()
      this.send({ type: 'ping' })
    })
  }

  /** Closes because of the page's own doing, and says so inside. */
  #fail(code: number, reason: string): void {
    if (this.#closed) return
    this.#end('gone')
    this.#shut(code, reason)
  }

  #end(end: SocketEnd): void {
    if (this.#stop()) this.#options.ended(end)
  }

  /** True the first time. */
  #stop(): boolean {
    if (this.#closed) return false
    this.#closed = true
    this.#cancelPing()
    return true
  }

  #shut(code: number, reason: string): void {
    closeSocket(this.#socket, code, reason)
    if (this.#socket.readyState === WebSocket.CLOSED) return
    this.#cancelCut = this.#options.clock.setTimer(this.#options.limits.closeGraceMs, () => {
      this.#socket.terminate()
    })
  }
}

/** The library's word for a frame over its `maxPayload`. */
function isTooBig(error: Error): boolean {
  return 'code' in error && error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH'
}
