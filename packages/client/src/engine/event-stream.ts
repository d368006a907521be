/**
 * The event stream of one session: opened, read, and opened again where it dropped (Stream events).
 * Which of the events the page hasn't had yet is the turn ledger's to say.
 */
import type { Clock } from '@leuria/clock'
import { LeuriaError } from '../errors.js'
import type { EngineHttp } from './engine-http.js'
import { type LinkCallbacks, Reconnector } from './reconnector.js'
import { type SilenceWatch, watchSilence } from './silence-watch.js'
import { createSseParser, type SseEvent } from './sse-parser.js'

/** Three of the heartbeats that engines with heartbeats send every 15 s. */
const SILENCE_LIMIT_MS = 45_000

export interface EventStreamOptions extends LinkCallbacks {
  http: EngineHttp
  clock: Clock
  /** `/session/<id>` */
  path: string
  /** Awaited before each opening: nothing that changes the session may be on its way while the engine writes its greeting. */
  settled: () => Promise<unknown>
  /** The engine answered; its greeting follows. */
  onOpen: () => void
  /** True: the page hadn't had this yet. */
  onEvent: (event: SseEvent) => boolean
  /** Nothing has come for a while. The engine may have nothing to say, or be out of reach. */
  onSilent: () => void
}

/** True when no further attempt can succeed: the session or the grant is gone, or the request itself is refused. */
export function isGone(error: unknown): error is LeuriaError {
  if (!(error instanceof LeuriaError)) return false
  const { status = 0, code } = error
  // Without a status: no token is left, because another request, or another tab, learnt that the grant is gone.
  return code === 'not_paired' || (status >= 400 && status < 500 && status !== 429)
}

export class EventStream extends Reconnector<ReadableStream<Uint8Array>> {
  #lastEventId: string | null = null
  #silence: SilenceWatch | null = null

  constructor(options: EventStreamOptions) {
    const { http, path, settled } = options
    super({
      ...options,
      connect: async (signal) => {
        await settled()
        const resume = this.#lastEventId === null ? '' : `?lastEventId=${encodeURIComponent(this.#lastEventId)}`
        return http.stream(`${path}/stream${resume}`, signal)
      },
      use: (body, signal) => this.#read(body, { signal, options }),
      findGone: async (error) => (isGone(error) ? error : null),
    })
  }

  /** How long nothing has come; 0 while there is no connection. */
  get silentMs(): number {
    return this.#silence?.silentMs() ?? 0
  }

  /** Reads to the end. True: something new came. */
  async #read(
    body: ReadableStream<Uint8Array>,
    { signal, options }: { signal: AbortSignal; options: EventStreamOptions },
  ): Promise<boolean> {
    options.onOpen()
    let isNew = false
    const parser = createSseParser((event) => {
      if (signal.aborted) return
      if (event.id !== null) this.#lastEventId = event.id
      isNew = options.onEvent(event) || isNew
    })
    const silence = watchSilence(options.clock, SILENCE_LIMIT_MS, () => {
      if (parser.commented()) this.reopen()
      else options.onSilent()
    })
    this.#silence = silence
    const take = (bytes: Uint8Array): void => {
      silence.heard()
      parser.push(bytes)
    }
    // A body that breaks off has ended like any other.
    await readAll(body, signal, take).catch(noop)
    silence.stop()
    this.#silence = null
    return isNew
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
