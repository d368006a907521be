/**
 * Keeps one connection up: tries, waits with backoff, tries again, gives up after five failures in a row.
 * What is connected, and whether it is gone for good, its options say. The stream and the channel each have one.
 */
import { type Clock, pause } from '@leuria/clock'
import { AbortError, LeuriaError, toLeuriaError } from '../errors.js'
import { backoffMs, MAX_ATTEMPTS } from './backoff.js'

export type LinkStatus = 'connecting' | 'open' | 'waiting' | 'closed'

/** `over`: given up, gone, or closed by the page. */
export type LinkEvent = 'opened' | 'dropped' | 'due' | 'over'

/** Status × event → status; anything else can't happen and changes nothing. */
export const LINK_TABLE: Readonly<Record<LinkStatus, Readonly<Partial<Record<LinkEvent, LinkStatus>>>>> = {
  connecting: { opened: 'open', dropped: 'waiting', over: 'closed' },
  open: { dropped: 'waiting', over: 'closed' },
  waiting: { due: 'connecting', over: 'closed' },
  closed: {},
}

/** What the stream and the channel tell whoever holds them. */
export interface LinkCallbacks {
  /** The connection dropped, or another attempt failed; `failures` in a row so far (0 after one that had been good). */
  onDrop: (failures: number) => void
  /** It stands again. */
  onReopen: () => void
  /** It is over: given up, or gone. Not called after `close`, nor when it never stood: then `open` rejects. */
  onGone: (error: LeuriaError) => void
}

export interface ReconnectorOptions<Connection> extends LinkCallbacks {
  clock: Clock
  /** Rejects soon after `signal` aborts. */
  connect: (signal: AbortSignal) => Promise<Connection>
  /** Resolves when the connection has ended, soon after `signal` aborts at the latest. True: something new came over it. */
  use: (connection: Connection, signal: AbortSignal) => Promise<boolean>
  /** Why no attempt can succeed any more, after one that failed. `null`: one may. */
  findGone: (error: unknown) => Promise<LeuriaError | null>
}

/** A connection that lived this long was good for something, even if nothing came over it. */
export const PROGRESS_AFTER_MS = 5_000

interface AttemptEnd {
  /** It was good for something: failures are counted anew. */
  progressed?: boolean
  /** No attempt can succeed any more. */
  gone?: LeuriaError | null
}

export interface Reconnector {
  status(): LinkStatus
  /** Begins. Resolves when the connection stands for the first time; a failure before that rejects and is the end. */
  open(): Promise<void>
  /** Resolves once the connection stands, or is over. */
  settled(): Promise<void>
  /** Drops the connection and makes a new one at once. Not counted as a failure. */
  reopen(): void
  /** Cuts a wait short; an attempt that comes early isn't counted. */
  hurry(): void
  close(): void
}

export function createReconnector<Connection>(options: ReconnectorOptions<Connection>): Reconnector {
  const { clock } = options
  let status: LinkStatus = 'connecting'
  let cut = new AbortController()
  let hurrying = new AbortController()
  let reopening = false
  let wasOpen = false
  /** Whoever waits for the connection to stand; told why, when it never will. */
  let waiters: ((error?: LeuriaError) => void)[] = []

  const move = (event: LinkEvent): void => {
    status = LINK_TABLE[status][event] ?? status
  }
  const tell = (error?: LeuriaError): void => {
    const all = waiters
    waiters = []
    for (const each of all) each(error)
  }
  const wait = (): Promise<void> =>
    new Promise((resolve, reject) => {
      waiters.push((error) => {
        if (error) reject(error)
        else resolve()
      })
    })
  const over = (error: LeuriaError): void => {
    move('over')
    tell(error)
  }
  const hurry = (): void => {
    hurrying.abort()
  }
  const drop = (): void => {
    cut.abort()
    hurry()
  }

  const once = async (): Promise<AttemptEnd> => {
    cut = new AbortController()
    reopening = false
    const { signal } = cut
    if (status === 'closed') return {}
    try {
      const connection = await options.connect(signal)
      const openedAt = clock.now()
      move('opened')
      tell()
      if (wasOpen) options.onReopen()
      wasOpen = true
      // However a connection ends, it is made again.
      const isNew = await options.use(connection, signal).catch(() => false)
      return { progressed: isNew || clock.now() - openedAt >= PROGRESS_AFTER_MS }
    } catch (error) {
      return { gone: wasOpen ? await options.findGone(error) : toLeuriaError(error) }
    }
  }

  const run = async (): Promise<void> => {
    for (let failures = 0; ;) {
      const { progressed, gone } = await once()
      if (status === 'closed') return
      if (progressed) failures = 0
      const error = gone ?? (failures >= MAX_ATTEMPTS && !reopening ? lostConnection() : null)
      if (error) {
        over(error)
        if (wasOpen) options.onGone(error)
        return
      }
      move('dropped')
      options.onDrop(failures)
      if (!reopening) {
        hurrying = new AbortController()
        const { signal } = hurrying
        await pause(clock, backoffMs(failures), signal)
        if (!signal.aborted) failures += 1
      }
      move('due')
    }
  }

  return {
    status: () => status,
    open: () => {
      void run()
      return wait()
    },
    settled: async () => {
      if (status === 'connecting' || status === 'waiting') await wait().catch(() => undefined)
    },
    reopen: () => {
      reopening = true
      drop()
    },
    hurry,
    close: () => {
      over(new AbortError())
      drop()
    },
  }
}

function lostConnection(): LeuriaError {
  return new LeuriaError('The connection to Leuria was lost.', { code: 'lost_connection' })
}
