/**
 * The event stream of one session: opened, read, and opened again where it dropped (Stream events).
 * Which of the events the page hasn't had yet is the turn ledger's to say.
 */
import type { Clock } from '@leuria/clock'
import { LeuriaError } from '../errors.js'
import type { EngineHttp } from './engine-http.js'
import { createReconnector, type LinkCallbacks, type Reconnector } from './reconnector.js'
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

export interface EventStream extends Reconnector {
  /** How long nothing has come; 0 while there is no connection. */
  silentMs(): number
}

export function createEventStream(options: EventStreamOptions): EventStream {
  const { http, clock, path, settled, onOpen, onEvent, onSilent } = options
  let lastEventId: string | null = null
  let silence: SilenceWatch | null = null

  /** Reads to the end. True: something new came. */
  const read = async (body: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<boolean> => {
    onOpen()
    let isNew = false
    const parser = createSseParser((event) => {
      if (signal.aborted) return
      lastEventId = event.id ?? lastEventId
      isNew = onEvent(event) || isNew
    })
    const watch = watchSilence(clock, SILENCE_LIMIT_MS, () => {
      if (parser.commented()) link.reopen()
      else onSilent()
    })
    silence = watch
    const reader = body.getReader()
    const cancel = (): void => {
      reader.cancel().catch(() => undefined)
    }
    signal.addEventListener('abort', cancel)
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (done || signal.aborted) break
        watch.heard()
        parser.push(value)
      }
    } catch {
      // A body that breaks off has ended like any other.
    }
    signal.removeEventListener('abort', cancel)
    cancel()
    watch.stop()
    silence = null
    return isNew
  }

  const link = createReconnector({
    ...options,
    connect: async (signal) => {
      await settled()
      const resume = lastEventId === null ? '' : `?lastEventId=${encodeURIComponent(lastEventId)}`
      return http.stream(`${path}/stream${resume}`, signal)
    },
    use: read,
    findGone: async (error) => (isGone(error) ? error : null),
  })
  return { ...link, silentMs: () => silence?.silentMs() ?? 0 }
}
