/**
 * Calls on their way to the page and back: ids, sockets that drop and come back, answers that come late or twice.
 * A call is in one of three places: on the current socket, waiting for the page to come back, or over.
 */
import type { CancelTimer, Clock } from '@leuria/clock'
import type { PageAnswer, PageLink } from '@leuria/page-tools'
import type { ChannelSocket, SocketEnd } from './channel-socket.js'

/** What a call needs from the page: the declaration that, made again, shows that the page is ready for it. */
export type DeclarationKind = 'tool' | 'resource' | 'prompt'

interface Call {
  readonly kind: DeclarationKind
  readonly name: string
  /** The frame as it was sent; the same id again when it is sent again. */
  readonly frame: string
  readonly settle: (answer: PageAnswer) => void
  sentAgain: boolean
  /** Set while the call waits for the page to come back. */
  cancelWait: CancelTimer | null
}

export interface PageCallsOptions {
  clock: Clock
  reconnectGraceMs: number
}

const NOT_CONNECTED: PageAnswer = {
  ok: false,
  code: 'not_connected',
  error: "The page is not connected, so its tools can't be used right now.",
}

const TOO_LARGE: PageAnswer = {
  ok: false,
  code: 'too_large',
  error: 'The page sent more than can be taken in one message, and its connection was closed. Ask for less.',
}

export class PageCalls implements PageLink {
  readonly #options: PageCallsOptions
  readonly #calls = new Map<string, Call>()
  #socket: ChannelSocket | null = null

  constructor(options: PageCallsOptions) {
    this.#options = options
  }

  get pending(): number {
    return this.#calls.size
  }

  callTool({ id, tool, arguments: args }: { id: string; tool: string; arguments: unknown }): Promise<PageAnswer> {
    return this.#start(id, { kind: 'tool', name: tool }, { type: 'callTool', id, tool, arguments: args })
  }

  readResource({ id, uri }: { id: string; uri: string }): Promise<PageAnswer> {
    return this.#start(id, { kind: 'resource', name: uri }, { type: 'readResource', id, uri })
  }

  getPrompt({ id, name, arguments: args }: { id: string; name: string; arguments: unknown }): Promise<PageAnswer> {
    return this.#start(id, { kind: 'prompt', name }, { type: 'getPrompt', id, name, arguments: args })
  }

  /** Forgets a call and tells the page (additive `cancelCall`), so that it can stop asking the visitor. */
  cancel(id: string): void {
    const call = this.#calls.get(id)
    if (call === undefined) return
    this.#forget(id, call)
    this.#socket?.send({ type: 'cancelCall', id })
  }

  /** An answer from the page. Unknown, late and repeated ids are ignored. */
  answer(id: string, answer: PageAnswer): void {
    const call = this.#calls.get(id)
    if (call === undefined) return
    this.#forget(id, call)
    call.settle(answer)
  }

  attach(socket: ChannelSocket): void {
    this.#socket = socket
  }

  /** The current socket is gone: calls in flight wait for the page to come back. */
  detach(end: SocketEnd): void {
    this.#socket = null
    for (const [id, call] of [...this.#calls]) {
      if (end === 'tooBig') this.answer(id, TOO_LARGE)
      else call.cancelWait ??= this.#startWait(id, call)
    }
  }

  /** The page declared this (again): calls that wait for it are sent once more, under the same id. */
  declared(kind: DeclarationKind, name: string): void {
    for (const call of this.#calls.values()) {
      if (call.kind !== kind || call.name !== name || call.cancelWait === null || call.sentAgain) continue
      if (this.#socket?.sendText(call.frame) !== true) continue
      call.sentAgain = true
      call.cancelWait()
      call.cancelWait = null
    }
  }

  #start(id: string, { kind, name }: { kind: DeclarationKind; name: string }, message: object): Promise<PageAnswer> {
    if (this.#socket === null) return Promise.resolve(NOT_CONNECTED)
    const frame = JSON.stringify(message)
    return new Promise((settle) => {
      const call: Call = { kind, name, frame, settle, sentAgain: false, cancelWait: null }
      this.#calls.set(id, call)
      if (this.#socket?.sendText(frame) !== true) this.answer(id, NOT_CONNECTED)
    })
  }

  #startWait(id: string, { kind, sentAgain }: Call): CancelTimer {
    const { clock, reconnectGraceMs } = this.#options
    return clock.setTimer(reconnectGraceMs, () => {
      const what =
        this.#socket === null
          ? `did not come back within ${reconnectGraceMs / 1000} seconds`
          : `came back, but did not answer${sentAgain ? '' : ` or offer this ${kind} again`}`
      const error = `The connection to the page was lost during this call, and the page ${what}. The ${kind} may or may not have been used: check before you try again.`
      this.answer(id, { ok: false, code: 'not_connected', error })
    })
  }

  #forget(id: string, call: Call): void {
    call.cancelWait?.()
    this.#calls.delete(id)
  }
}
