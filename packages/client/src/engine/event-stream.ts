/**
 * The event stream of one session: opened, read, and opened again where it dropped (Stream events).
 * Which of the events the page hasn't had yet is the turn ledger's to say.
 */
import type { Clock } from '@leuria/clock'
import { LeuriaError } from '../errors.js'
import type { EngineHttp } from './engine-http.js'
import { type AttemptEnd, Reconnector } from './reconnector.js'
import { SilenceWatch } from './silence-watch.js'
import { type SseEvent, SseParser } from './sse-parser.js'

/** Three of the heartbeats that engines with heartbeats send every 15 s. */
const SILENCE_LIMIT_MS = 45_000

export interface EventStreamOptions {
  http: EngineHttp
  clock: Clock
  sessionId: string
  /** Awaited before each opening: nothing that changes the session may be on its way while the engine writes its greeting. */
  before: () => Promise<unknown>
  /** The engine answered; its greeting follows. */
  onOpen: (isReopened: boolean) => void
  /** True: the page hadn't had this yet. */
  onEvent: (event: SseEvent) => boolean
  onDrop: (failures: number) => void
  /** The session can't be followed any more. */
  onGone: (error: LeuriaError) => void
  /** Nothing has come for a while. The engine may have nothing to say, or be out of reach. */
  onSilent: () => void
}

/** True when no further attempt can succeed: the session or the grant is gone, or the request itself is refused. */
export function isGone(error: unknown): error is LeuriaError {
  if (!(error instanceof LeuriaError) || error.status === undefined)
    return error instanceof LeuriaError && isUnpaired(error)
  return error.status >= 400 && error.status < 500 && error.status !== 429
}

/** No token is left: another request, or another tab, learnt that the grant is gone. */
function isUnpaired(error: LeuriaError): boolean {
  return error.code === 'not_paired'
}

export class EventStream {
  readonly #options: EventStreamOptions
  readonly #link: Reconnector
  #lastEventId: string | null = null
  #wasOpen = false
  #silence: SilenceWatch | null = null
  #firstOpen: { resolve(): void; reject(error: LeuriaError): void } = { resolve: noop, reject: noop }

  constructor(options: EventStreamOptions) {
    this.#options = options
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

  /** Resolves when the engine has answered for the first time; the first failure rejects and is the end. */
  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#firstOpen = { resolve, reject }
      this.#link.start()
    })
  }

  /** Resolves once the stream is open, or over. */
  settled(): Promise<void> {
    return this.#link.settled()
  }

  reopen(): void {
    this.#link.reopen()
  }

  hurry(): void {
    this.#link.hurry()
  }

  close(): void {
    this.#link.close()
  }

  get isOpen(): boolean {
    return this.#link.status === 'open'
  }

  /** How long nothing has come; 0 while there is no connection. */
  get silentMs(): number {
    return this.#silence?.silentMs ?? 0
  }

  async #attempt(signal: AbortSignal, opened: () => void): Promise<AttemptEnd> {
    const { http, sessionId } = this.#options
    await this.#options.before()
    const resume = this.#lastEventId === null ? '' : `?lastEventId=${encodeURIComponent(this.#lastEventId)}`
    let body: ReadableStream<Uint8Array>
    try {
      body = await http.stream(`/session/${sessionId}/stream${resume}`, signal)
    } catch (error) {
      const isFirst = !this.#wasOpen && error instanceof LeuriaError
      return { progressed: false, gone: isFirst || isGone(error) ? error : undefined }
    }
    this.#options.onOpen(this.#wasOpen)
    this.#wasOpen = true
    opened()
    this.#firstOpen.resolve()
    return { progressed: await this.#read(body, signal) }
  }

  /** Reads to the end. True: something new came. */
  async #read(body: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<boolean> {
    let progressed = false
    const parser = new SseParser((event) => {
      if (signal.aborted) return
      if (event.id !== null) this.#lastEventId = event.id
      progressed = this.#options.onEvent(event) || progressed
    })
    const silence = new SilenceWatch(this.#options.clock, SILENCE_LIMIT_MS, () => {
      if (parser.commented) this.reopen()
      else this.#options.onSilent()
    })
    this.#silence = silence
    try {
      await readAll(body, signal, (bytes) => {
        silence.heard()
        parser.push(bytes)
      })
    } catch {
      // However a connection ends, it is made again.
    } finally {
      silence.stop()
      this.#silence = null
    }
    return progressed
  }
}

/** Hands on every piece until the stream ends, fails, or the signal aborts. */
async function readAll(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  take: (bytes: Uint8Array) => void,
): Promise<void> {
  const reader = body.getReader()
  const cancel = (): void => {
    reader.cancel().catch(noop)
  }
  signal.addEventListener('abort', cancel)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done || signal.aborted) return
      take(value)
    }
  } finally {
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}

function noop(): void {
  // Nothing waits for this.
}
